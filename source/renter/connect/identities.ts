/** Private key files for the SSH commands that are shown, copied and run. */
import type {Fleet} from '../fleet/fleet.ts';
import {createStore, type Readable} from '../state/store.ts';

/** Finds the private key files to name for an instance; without a number, by the keys of the account. */
export type FindIdentities = (id?: number, signal?: AbortSignal) => Promise<readonly string[]>;

export type Identities = {
	/** Identity files by the SSH keys of the account. */
	readonly files: Readable<readonly string[]>;
	/** Identity files for one instance, by the keys that may enter it; without a number, for all. */
	readonly findFor: (id: number | undefined, signal: AbortSignal) => Promise<readonly string[]>;
	readonly close: () => void;
};

type Options = {readonly fleet: Pick<Fleet, 'state'>; readonly find: FindIdentities};

/** Keeps a list of identity files, read again when an instance begins to run. */
export function createIdentities({fleet, find}: Options): Identities {
	const files = createStore<readonly string[]>([]);
	const seen = new Set<number>();
	let isClosed = false;

	async function look(): Promise<void> {
		const found = await find().catch(() => files.get());
		const isSame = found.join('\n') === files.get().join('\n');
		if (!isSame && !isClosed) files.set(found);
	}

	const stop = fleet.state.subscribe(() => {
		const before = seen.size;
		for (const {instance} of fleet.state.get().rows) {
			if (instance.actual_status === 'running') seen.add(instance.id);
		}
		if (seen.size > before) void look();
	});
	return {
		files,
		findFor: async (id, signal) => find(id, signal).catch(() => files.get()),
		close() {
			isClosed = true;
			stop();
		},
	};
}
