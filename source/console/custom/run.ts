/** Runs commands of the user's own, and says what became of them. */
import type {Command, Ended} from '../aside.ts';
import type {CustomCommand} from '../../renter/settings/default-settings.ts';
import type {Message} from '../message.ts';
import type {Services} from '../services.tsx';
import {written} from './fields.ts';

type World = Pick<Services, 'aside'> & {
	/** Runs a program that has no terminal. */
	readonly behind: (command: Command) => Promise<Ended>;
	readonly say: (message: Message) => void;
};

export type Ready = {
	readonly command: CustomCommand;
	readonly program: string;
	readonly args: readonly string[];
};

export async function runCustom({command, program, args}: Ready, world: World): Promise<void> {
	const isBehind = command.runs === 'background';
	if (isBehind) world.say({text: `${command.name}: runs.`, isError: false});
	const run = isBehind ? world.behind : world.aside;
	const intro = [`$ ${written(program, args)}`];
	const ended = await run({program, args, intro, isFailure: hasFailed});
	world.say({text: `${command.name}: ${outcomeOf(ended)}.`, isError: hasFailed(ended)});
}

function hasFailed(ended: Ended): boolean {
	return ended.kind !== 'ended' || ended.code !== 0;
}

function outcomeOf(ended: Ended): string {
	switch (ended.kind) {
		case 'ended':
			return ended.code === 0 ? 'done' : `ended with ${ended.code}`;
		case 'killed':
			return `was stopped by ${ended.signal}`;
		case 'notStarted':
			return `could not be started: ${ended.reason}`;
	}
}
