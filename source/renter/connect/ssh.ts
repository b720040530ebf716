/** Ways to enter instances: reachable addresses, keys, names for OpenSSH. */
import {join, dirname} from 'node:path';
import {mkdir} from 'node:fs/promises';
import type {Fleet} from '../fleet/fleet.ts';
import {createStore, type Readable} from '../state/store.ts';
import {homeFolder, type Folders} from '../files/folders.ts';
import type {KnownHosts, SshRoute} from '../../contract/nouns/ssh-command.ts';
import type {Timers} from '../state/timers.ts';
import {createMeasuring, type Measuring} from './measuring.ts';
import {probeSsh, type Probe} from './probe.ts';
import {
	knownHostsOf,
	openSshConfig,
	sshEntries,
	sshNames,
	type NamedAddresses,
	type SshConfig,
	type SshConfigPaths,
} from './ssh-config.ts';

export type SshPaths = SshConfigPaths & {
	/** File of host keys, apart from the user's own. */
	readonly knownHosts: string;
	readonly probe: Probe;
};

export type Ssh = Measuring & {
	readonly known: (id: number, kind: SshRoute['kind']) => KnownHosts;
	readonly identities: {
		/** Identity files for the SSH keys of the account. */
		readonly files: Readable<readonly string[]>;
		/** Identity files for one instance, by its authorised keys; without an id, for all. */
		readonly findFor: (id: number | undefined, signal: AbortSignal) => Promise<readonly string[]>;
	};
	/** Index of the next item to copy, in rotation. */
	readonly inTurn: (what: string, count: number) => number;
	/** Runs one task at a time: requests in between are dropped. */
	readonly alone: (run: () => Promise<void>) => void;
	/** Prepares the files that the next program needs. */
	readonly prepare: () => Promise<void>;
	readonly config: SshConfig;
	/** Name of an instance in OpenSSH's configuration. */
	readonly nameOf: (id: number) => string;
	/** Includes the instances' names in the user's OpenSSH configuration, and keeps them current. */
	readonly include: () => Promise<void>;
};

type Options = {
	readonly paths: SshPaths | undefined;
	/** Name of the service: two services may use the same instance ids. */
	readonly service: string;
	readonly fleet: Fleet;
	readonly timers: Timers;
	readonly findIdentities: FindIdentities;
};

export function createSsh(options: Options): Ssh {
	const {paths = nowhere, service, fleet, timers} = options;
	const {knownHosts, probe} = paths;
	const measuring = createMeasuring({fleet, probe, timers});
	// Without paths no instance can be entered, so no keys are needed.
	const find = paths === nowhere ? async () => [] : options.findIdentities;
	const identities = createIdentities(fleet, find);
	const config = openSshConfig(paths, service);
	const known = knownHostsOf(knownHosts, service);
	let isIncluded: Promise<boolean> | undefined;
	let last: Promise<void> = Promise.resolve();

	let others: NamedAddresses = new Map();

	const named = () =>
		fleet.state
			.get()
			.rows.filter(({condition}) => condition !== 'gone')
			.map(({instance}) => instance);

	async function write(): Promise<void> {
		isIncluded ??= config.isIncluded();
		if (!(await isIncluded)) {
			others = await config.readOthers();
			return;
		}
		await config.write(found => {
			others = found;
			const instances = named();
			return sshEntries(instances, sshNames(instances, others), {
				known,
				identities: identities.files.get(),
			});
		});
	}

	function writeNext(): Promise<void> {
		// Writes are serialised, so that the last state is the one on disk.
		last = last.catch(() => undefined).then(write);
		return last;
	}

	function keepUp(): void {
		if (paths === nowhere || fleet.state.get().checkedAt === undefined) return;
		// If the file cannot be written, the names stay as they were; the screen still works.
		writeNext().catch(() => undefined);
	}

	const stops = [fleet.state.subscribe(keepUp), identities.files.subscribe(keepUp)];
	return {
		...measuring,
		...createTurns(),
		known,
		identities,
		config,
		nameOf: id => sshNames(named(), others).get(id) ?? '',
		prepare: async () => void (await mkdir(dirname(knownHosts), {recursive: true, mode: 0o700})),
		async include() {
			await config.include();
			isIncluded = Promise.resolve(true);
			await writeNext();
		},
		close() {
			for (const stop of stops) stop();
			identities.close();
			measuring.close();
		},
	};
}

function createTurns(): Pick<Ssh, 'inTurn' | 'alone'> {
	let copied: {readonly what: string; readonly at: number} | undefined;
	let isBusy = false;
	return {
		inTurn(what, count) {
			copied = {what, at: copied?.what === what ? (copied.at + 1) % count : 0};
			return copied.at;
		},
		alone(run) {
			if (isBusy) return;
			isBusy = true;
			void run().finally(() => {
				isBusy = false;
			});
		},
	};
}

/** A folder that cannot be created. */
const NOWHERE = '/dev/null/none';

/** Disabled: nothing is probed, and nothing is written. */
const nowhere: SshPaths = {
	home: NOWHERE,
	folder: NOWHERE,
	knownHosts: join(NOWHERE, 'known_hosts'),
	probe: async () => new Promise(() => {}),
};

/** Paths of SSH files, and the port check, for a user of this machine. */
export function sshPathsOf({settings, state}: Folders): SshPaths {
	return {
		home: homeFolder(),
		folder: settings,
		knownHosts: join(state, 'known_hosts'),
		probe: probeSsh,
	};
}

/** Finds the private key files to name for an instance; without a number, by the keys of the account. */
export type FindIdentities = (id?: number, signal?: AbortSignal) => Promise<readonly string[]>;

/** Keeps a list of identity files, read again when an instance begins to run. */
function createIdentities(fleet: Pick<Fleet, 'state'>, find: FindIdentities) {
	const files = createStore<readonly string[]>([]);
	const running = new Set<number>();
	let isClosed = false;

	async function refresh(): Promise<void> {
		const found = await find().catch(() => files.get());
		const isSame = found.join('\n') === files.get().join('\n');
		if (!isSame && !isClosed) files.set(found);
	}

	const stop = fleet.state.subscribe(() => {
		const before = running.size;
		for (const {instance} of fleet.state.get().rows) {
			if (instance.actual_status === 'running') running.add(instance.id);
		}
		if (running.size > before) void refresh();
	});
	return {
		files,
		findFor: async (id: number | undefined, signal: AbortSignal) =>
			find(id, signal).catch(() => files.get()),
		close() {
			isClosed = true;
			stop();
		},
	};
}
