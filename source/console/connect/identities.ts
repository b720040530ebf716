/** The private keys that OpenSSH is told of, at hand for what is shown and copied. */
import type {Fleet} from '../fleet/fleet.ts';
import {createStore} from '../store.ts';
import type {Store} from '../store.ts';

/** Finds the private keys to name for an instance; without one, for all that is rented. */
export type FindIdentities = (id?: number, signal?: AbortSignal) => Promise<readonly string[]>;

export type Identities = {
	/** For all that is rented. */
	readonly files: Pick<Store<readonly string[]>, 'get' | 'subscribe'>;
	/** For one instance, by the keys that may enter it. */
	readonly findFor: (id: number, signal: AbortSignal) => Promise<readonly string[]>;
	readonly close: () => void;
};

type Options = {readonly fleet: Pick<Fleet, 'state'>; readonly find: FindIdentities};

/** Looks for them when something runs that did not run before. */
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
