/** The last command run in several instances at once. The run continues when its screen is left. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {SshRoute} from '../../contract/nouns/ssh-command.ts';
import {createStore, type Readable} from '../state/store.ts';
import type {ExecRow} from './exec.ts';
import type {Ssh} from './ssh.ts';

export type RunTarget = {
	readonly instance: Pick<Instance, 'id' | 'actual_status'>;
	readonly label: string;
	readonly route: SshRoute | undefined;
};

export type CommandRun = {
	readonly command: string;
	readonly labels: ReadonlyMap<number, string>;
	readonly rows: Readable<readonly ExecRow[]>;
	/** Closes the run's connections, and starts the command nowhere else. */
	readonly stop: () => void;
};

export type Runs = {
	readonly last: Readable<CommandRun | undefined>;
	/** Fulfils once the run has begun; an earlier run continues, but is no longer the last. */
	readonly start: (targets: readonly RunTarget[], command: string) => Promise<CommandRun>;
	/** Runs that leaving would end, in words; undefined if none is running. */
	readonly underWay: () => string | undefined;
	readonly close: () => void;
};

/** The longest wait for the lists of keys. */
const PATIENCE_MS = 2500;

export function createRuns(ssh: Pick<Ssh, 'known' | 'identities' | 'prepare'>): Runs {
	const last = createStore<CommandRun | undefined>(undefined);
	const closing = new AbortController();
	return {
		last,
		async start(targets, command) {
			const [{execInAll, execTarget, USUAL_AT_ONCE}, identities] = await Promise.all([
				import('./exec.ts'),
				ssh.identities.findFor(undefined, AbortSignal.timeout(PATIENCE_MS)),
				ssh.prepare(),
			]);
			const means = {known: ssh.known, identities};
			const stopping = new AbortController();
			const {rows} = execInAll(
				targets.map(({instance, route}) => execTarget(instance, route, means)),
				command,
				{atOnce: USUAL_AT_ONCE, signal: AbortSignal.any([stopping.signal, closing.signal])},
			);
			const labels = new Map(targets.map(({instance: {id}, label}) => [id, label]));
			const run = {command, labels, rows, stop: () => stopping.abort()};
			last.set(run);
			return run;
		},
		underWay() {
			const count = openIn(last.get()?.rows.get() ?? []).length;
			return count === 0 ? undefined : `a command still runs in ${count} of the instances`;
		},
		close: () => closing.abort(),
	};
}

/** Rows whose command has not ended. */
export function openIn(rows: readonly ExecRow[]): readonly ExecRow[] {
	return rows.filter(({state}) => state === 'waiting' || state === 'running');
}
