import type {CopyWork} from '../../../source/contract/nouns/copies.ts';
import type {Report, HostTask, VolumeWork, Work} from '../../../source/contract/nouns/host-work.ts';
import type {HostCalls} from '../../../source/host/agent/agent.ts';

/** What is wanted, with the revision of each wish. */
function createBook() {
	let revision = 0;
	let changed = Promise.withResolvers<void>();
	const work = new Map<number, readonly [revision: number, work: Work]>();
	const tasks: Array<readonly [revision: number, task: HostTask]> = [];
	const volumes: Array<readonly [revision: number, volume: VolumeWork]> = [];
	const copies: Array<readonly [revision: number, copy: CopyWork]> = [];

	/** Ends the waiting of those who wait for something new. */
	function wake(): void {
		changed.resolve();
		changed = Promise.withResolvers();
	}
	return {
		want(wanted: Work) {
			work.set(wanted.instance_id, [(revision += 1), wanted]);
			wake();
		},
		ask(task: HostTask) {
			tasks.push([(revision += 1), task]);
			wake();
		},
		keep(volume: VolumeWork) {
			volumes.push([(revision += 1), volume]);
			wake();
		},
		copy(order: CopyWork) {
			copies.push([(revision += 1), order]);
			wake();
		},
		/** Forgets all that was wanted, and counts anew. */
		lose() {
			work.clear();
			revision = 0;
			wake();
		},
		wake,
		async wait(after: number, signal: AbortSignal | undefined) {
			if (revision !== after) return;
			const aborted = Promise.withResolvers<void>();
			signal?.addEventListener('abort', () => aborted.resolve());
			await Promise.race([changed.promise, aborted.promise]);
			signal?.throwIfAborted();
		},
		read: (after: number) => ({
			revision,
			work: since(work.values(), after),
			volumes: since(volumes, after),
			tasks: since(tasks, after),
			copies: since(copies, after),
		}),
	};
}

function since<Value>(items: Iterable<readonly [number, Value]>, after: number): Value[] {
	return [...items].filter(([at]) => at > after).map(([, value]) => value);
}

/** What a market says to hosts, without a market: tests say what is wanted. */
export function openDesk(machines: readonly number[] = [1, 2]) {
	const book = createBook();
	const said = {
		reports: new Array<Report>(),
		answers: new Map<number, string>(),
		heartbeats: new Array<readonly number[]>(),
		disconnects: new Array<readonly number[]>(),
		lists: 0,
		takes: new Array<number>(),
	};
	/** What goes wrong with every call, and what the market does not know. */
	const trouble: {failure?: Error | undefined; gone: number[]; unknown: number[]} = {
		gone: [],
		unknown: [],
	};
	const fail = () => {
		if (trouble.failure !== undefined) throw trouble.failure;
	};
	const taken = async () => {
		fail();
		return {success: true} as const;
	};
	const calls: HostCalls = {
		async list() {
			fail();
			said.lists += 1;
			return machines.map(id => ({id, name: `machine ${id}`, num_gpus: 1, asks: []}));
		},
		async heartbeat(ids) {
			fail();
			said.heartbeats.push(ids);
			return {success: true, every: 10, unknown: trouble.unknown};
		},
		async disconnect(ids) {
			fail();
			said.disconnects.push(ids);
		},
		async takeWork({after, waitSeconds = 0}, {signal} = {}) {
			fail();
			said.takes.push(after);
			if (waitSeconds > 0) await book.wait(after, signal);
			fail();
			return book.read(after);
		},
		reportCopy: taken,
		reportCopyDoor: taken,
		async report(reports) {
			fail();
			said.reports.push(...reports);
			return trouble.gone;
		},
		async answer(taskId, text) {
			fail();
			said.answers.set(taskId, text);
		},
	};
	const statuses = (id = 7) =>
		said.reports.filter(({instance_id}) => instance_id === id).map(({status}) => status);
	return {...book, calls, said, trouble, statuses};
}
