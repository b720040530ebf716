/** Commands of the program on a machine of the world, each a process of its own. */
import {join} from 'node:path';
import {openClient} from '../../../source/client/client.ts';
import {commandNamed} from '../../../source/commands/index.ts';
import {runCommand, type CommandSetup} from '../../../source/commands/run.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {foldersOf} from '../../../source/renter/files/folders.ts';
import {folderOf} from '../takeover/disk.ts';
import {world, type Machine, type Process} from '../world/world.ts';

export type Ran = {
	/** Undefined where it was killed. */
	readonly code: number | undefined;
	readonly out: string;
	readonly err: string;
};

export type Seat = {
	readonly machine: Machine;
	readonly url: string;
	readonly key: string;
	/** Name of the profile, by which its files are named. */
	readonly name: string;
};

/** Folders of the program on a machine. */
export function foldersOn(machine: Machine): ReturnType<typeof foldersOf> {
	const folder = folderOf(machine);
	return foldersOf({
		XDG_CONFIG_HOME: `${folder}/config`,
		XDG_DATA_HOME: `${folder}/data`,
		XDG_STATE_HOME: `${folder}/state`,
		XDG_CACHE_HOME: `${folder}/cache`,
	});
}

/** Surroundings of a command, as the program itself would make them. */
export function setupOf(
	{machine, url, key, name}: Seat,
	texts: {out: string; err: string},
): CommandSetup {
	const folders = foldersOn(machine);
	const stream = (which: 'out' | 'err') => ({
		isTTY: false,
		write(text: string) {
			texts[which] += text;
			return true;
		},
		on: () => undefined,
		once: () => undefined,
	});
	const setup = {
		stdin: {isTTY: false},
		stdout: stream('out'),
		stderr: stream('err'),
		chooseService: () => ({
			url,
			name,
			keyFile: undefined,
			isReadOnly: false,
			async open() {
				const client = openClient({
					url,
					key,
					environment: {},
					profile: name,
					pendingRentsFile: join(folders.state, 'wishes.json'),
					journalFile: join(folders.state, 'activity.jsonl'),
				});
				return {client, close: client.close};
			},
		}),
		loadSettings: async () => ({settings: defaultSettings, problem: undefined}),
		onInterrupt: () => () => undefined,
		environment: {},
		folders,
		version: 'simulated',
		now: Date.now,
	};
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a stream a command uses nothing else
	return setup as unknown as CommandSetup;
}

/** Begins a command, and tells what it said when it has ended or was killed. */
export function beginCommand(
	seat: Seat,
	words: readonly string[],
): {
	readonly process: Process;
	readonly ran: Promise<Ran>;
	readonly texts: {out: string; err: string};
} {
	const [name = '', ...argv] = words;
	const command = commandNamed(name);
	if (command === undefined) throw new Error(`there is no command ${name}`);
	const texts = {out: '', err: ''};
	let code: number | undefined;
	const process = world().begin(
		seat.machine,
		`${seat.machine.name}: rentty ${words.join(' ')}`,
		async () => {
			code = await runCommand(command, argv, setupOf(seat, texts));
		},
	);
	const ran = new Promise<Ran>(resolve => {
		process.onEnd.push(() => void world().outside(0, () => resolve({code, ...texts})));
	});
	return {process, ran, texts};
}
