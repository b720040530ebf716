import {cachedOffers} from '../queries/offers.ts';
import {showOrLeave} from '../screens/instances/show-view.ts';
import {tableAt as offersAt} from '../screens/offers/search.ts';
import {actingOn} from '../screens/instances/grouped.tsx';
import {instanceListAt} from '../screens/instances/list.tsx';
import {templateListAt} from '../screens/templates/list-state.ts';
import type {CustomCommand} from '../../renter/settings/default-settings.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import {Box} from 'ink';
import {useMemo, useState, type ReactNode} from 'react';
import type {OutsideCommand, Ended} from '../services/outside-program.ts';
import {customBindings, viewBindings, type CustomTarget} from './chosen-keys.ts';
import {ConfirmDialog} from '../screens/dialogs.tsx';
import {KeyScope} from '../ui/key-scope.tsx';
import type {Message} from '../ui/message.ts';
import type {StackEntry} from '../services/router.ts';
import {type Services, useServices, useSettings} from '../services/services.tsx';
import type {Size} from '../terminal/terminal.ts';

/** Fields of a row, as its service sent them. */
type Fields = Readonly<Record<string, unknown>>;

type Filled =
	| {readonly program: string; readonly args: readonly string[]}
	| {readonly problem: string};

const field = /\{([a-z_][a-z0-9_.]*)\}/gi;

/** The program and its arguments. Each argument stays one, even if fields contain blanks. */
export function fillIn({command}: Pick<CustomCommand, 'command'>, row: Fields): Filled {
	const filled: string[] = [];
	for (const [at, part] of command.entries()) {
		const problem = problemOf(part, row, at === 0);
		if (problem !== undefined) return {problem};
		filled.push(part.replaceAll(field, (_, name: string) => fieldText(row, name) ?? ''));
	}
	const [program = '', ...args] = filled;
	return {program, args};
}

function problemOf(part: string, row: Fields, isProgram: boolean): string | undefined {
	for (const [whole, name = ''] of part.matchAll(field)) {
		if (isProgram) return 'the program itself cannot have fields';
		const text = fieldText(row, name);
		if (text === undefined || text === '') return `this row has no ${whole}`;
		// oxlint-disable-next-line no-control-regex -- these are the characters that command programs and terminals
		if (/[\u0000-\u001F\u007F-\u009F]/.test(text)) return `${whole} holds control characters`;
		if (part.startsWith(whole) && text.startsWith('-')) {
			return `${whole} begins with a dash and would be taken for an option`;
		}
	}
	return undefined;
}

function fieldText(row: Fields, name: string): string | undefined {
	const value = Object.hasOwn(row, name) ? row[name] : undefined;
	if (typeof value === 'string') return name === 'label' ? shownLabel(value) : value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A command as text, with quotes where a shell needs them. */
function written(program: string, args: readonly string[]): string {
	const quoted = [program, ...args].map(part =>
		/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", String.raw`'\''`)}'`,
	);
	return quoted.join(' ');
}

type Props = {
	readonly stackEntry: StackEntry;
	readonly size: Size;
	readonly say: (message: Message) => void;
	/** The screen, whose own keys come first. */
	readonly children: ReactNode;
};

/** The user's own commands for the row under the cursor. */
export function CustomCommands({stackEntry, size, say, children}: Props) {
	const services = useServices();
	const settings = useSettings();
	const {commands} = settings;
	const [asking, setAsking] = useState<Ready>();
	const bindings = useMemo(
		() => [
			...customBindings(commands, screens[stackEntry.destination.name]),
			...(stackEntry.destination.name === 'instances' ? viewBindings(settings) : []),
		],
		[commands, settings, stackEntry],
	);
	async function run({command, program, args}: Ready): Promise<void> {
		const isBehind = command.runs === 'background';
		if (isBehind) say({text: `${command.name}: runs.`, isError: false});
		const intro = [`$ ${written(program, args)}`];
		const start = isBehind ? behind : services.terminal.aside;
		const ended = await start({program, args, intro, isRead: () => true});
		say({text: `${command.name}: ${outcomeOf(ended)}.`, isError: hasFailed(ended)});
	}
	const target: CustomTarget = {
		show: name => showOrLeave(instanceListAt(stackEntry), services.settings.get(), name),
		run(command) {
			const filled = fillIn(command, rowAt(stackEntry, services) ?? {});
			if ('problem' in filled) say({text: `${command.name}: ${filled.problem}.`, isError: true});
			else if (command.asks) setAsking({command, ...filled});
			else void run({command, ...filled});
		},
		unavailable(command) {
			const row = rowAt(stackEntry, services);
			if (row === undefined) return 'there is no row to run it for';
			const filled = fillIn(command, row);
			return 'problem' in filled ? filled.problem : undefined;
		},
	};
	return (
		<KeyScope title="Commands of your own" bindings={bindings} target={target}>
			<Box
				flexDirection="column"
				height={asking === undefined ? size.rows : 0}
				flexShrink={0}
				overflow="hidden"
			>
				{children}
			</Box>
			{asking !== undefined && (
				<Asking
					{...{asking, size, say}}
					onClose={() => setAsking(undefined)}
					onYes={() => void run(asking)}
				/>
			)}
		</KeyScope>
	);
}

type AskingProps = Pick<Props, 'size' | 'say'> & {
	readonly asking: Ready;
	readonly onYes: () => void;
	readonly onClose: () => void;
};

const noBindings: readonly never[] = [];

function Asking({asking: {command, program, args}, size, say, onYes, onClose}: AskingProps) {
	const target = {
		id: command.name,
		name: '',
		detail: written(program, args),
		state: '',
		level: 1,
	} as const;
	return (
		<KeyScope isOver isModal title="Command" bindings={noBindings} target={{}}>
			<ConfirmDialog
				{...{size, say}}
				question={{verb: 'run', noun: 'command', targets: [target]}}
				facts={[['What runs', 'No shell reads it; each argument stays one.']]}
				onConfirm={() => {
					onClose();
					onYes();
				}}
				onCancel={onClose}
			/>
		</KeyScope>
	);
}

/** Runs a program that has no terminal; its code is loaded on first use. */
async function behind(command: OutsideCommand): Promise<Ended> {
	const {runBehind} = await import('./run-program.ts');
	return runBehind(command);
}

type Ready = {
	readonly command: CustomCommand;
	readonly program: string;
	readonly args: readonly string[];
};

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

/** Names of screens in custom commands. */
const screens: Readonly<
	Partial<Record<StackEntry['destination']['name'], CustomCommand['screen']>>
> = {
	offers: 'offers',
	offer: 'offers',
	instances: 'instances',
	instance: 'instances',
	templates: 'templates',
};

function rowAt(
	stackEntry: StackEntry,
	{fleet, live}: Pick<Services, 'fleet' | 'live'>,
): Fields | undefined {
	const {destination} = stackEntry;
	if (destination.name === 'offers') return offersAt(stackEntry).current();
	if (destination.name === 'instances') {
		return actingOn(instanceListAt(stackEntry)).table.current()?.instance;
	}
	if (destination.name === 'templates') return templateListAt(stackEntry).current();
	if (destination.name === 'instance') {
		return fleet.state.get().rows.find(({instance}) => instance.id === destination.id)?.instance;
	}
	if (destination.name !== 'offer') return undefined;
	return cachedOffers(live).find(({id}) => id === destination.id);
}
