/** What the agent's process holds, which is the same after connections as before them. */
import {createHook} from 'node:async_hooks';
import {existsSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import process from 'node:process';
import {setTimeout} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect} from 'vitest';

type Held = Readonly<Record<string, number>>;

/**
 * Files that were opened while somebody looks: what is kept here is not garbage, whose files Node would
 * close, which would hide that nobody else does.
 */
const opened = new Set<object>();
let looking = 0;
const openings = createHook({
	trackPromises: false,
	init(_id, kind, _trigger, resource) {
		if (kind === 'FILEHANDLE' || kind === 'DIRHANDLE') opened.add(resource);
	},
});

function look(): void {
	looking += 1;
	openings.enable();
}

function lookAway(): void {
	looking -= 1;
	if (looking > 0) return;
	openings.disable();
	opened.clear();
}

/** Counts open files by their kinds, children, and sockets and timers that keep the process awake. */
function holdings(): Held {
	const files = readdirSync('/proc/self/fd').flatMap(file =>
		linesOf(() => /^\w+:|.+/.exec(readlinkSync(`/proc/self/fd/${file}`))?.[0]),
	);
	const children = readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.flatMap(pid => linesOf(() => childOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))));
	const counts: Record<string, number> = {};
	for (const one of [...files, ...children, ...process.getActiveResourcesInfo()]) {
		counts[one] = (counts[one] ?? 0) + 1;
	}
	return counts;
}

/** What is gone while it is looked at is nothing. */
function linesOf(read: () => string | undefined): readonly string[] {
	try {
		return [read()].filter(line => line !== undefined);
	} catch {
		return [];
	}
}

/** Name of a process of whom this one is the parent. */
function childOf(stat: string): string | undefined {
	const [, name, parent] = /\((.*)\) \w (\d+)/s.exec(stat) ?? [];
	return Number(parent) === process.pid ? `child ${name}` : undefined;
}

/** Calls that are over in a moment. */
const passing = new Set(['Immediate', 'CloseReq', 'FSReqCallback', 'FSReqPromise']);

/** What there is more of than there was. */
function more(before: Held, after: Held): Held {
	const grown = Object.entries(after)
		.map(([kind, count]) => [kind, count - (before[kind] ?? 0)] as const)
		.filter(([kind, count]) => count > 0 && !passing.has(kind));
	return Object.fromEntries(grown);
}

setFlagsFromString('--expose-gc');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what another context answers has no type
const collectGarbage = runInNewContext('gc') as () => void;

/** Counts those of some objects that something still keeps. */
export function countKept(objects: ReadonlyArray<WeakRef<object>>): number {
	collectGarbage();
	return objects.filter(one => one.deref() !== undefined).length;
}

function megabytes(): number {
	collectGarbage();
	const {heapUsed, external} = process.memoryUsage();
	return (heapUsed + external) / 1e6;
}

/** Growth that is nobody's leak: code that was compiled, and what the test keeps itself. */
const MOST_GROWTH = 48;

/** Less than any deadline of what a connection begins: what only that ends has outlived it. */
const LONGEST_MS = 20_000;

export type Rest = {
	/** Waits until the process holds nothing more than it did. */
	readonly returns: () => Promise<void>;
	/** Does so for the last time, and looks at memory, too. */
	readonly end: () => Promise<void>;
};

/**
 * Notes what the process holds, for a comparison with what it holds later.
 *
 * @param longestMs for an engine, which ends programs in containers one after the other
 */
export function noteRest(longestMs = LONGEST_MS): Rest {
	if (!existsSync('/proc/self/stat'))
		return {returns: async () => undefined, end: async () => undefined};
	const memory = megabytes();
	const before = holdings();
	look();

	async function returns(): Promise<void> {
		const until = performance.now() + longestMs;
		let left = more(before, holdings());
		while (Object.keys(left).length > 0 && performance.now() < until) {
			await setTimeout(10);
			left = more(before, holdings());
		}
		expect(left).toEqual({});
	}

	return {
		returns,
		async end() {
			try {
				await returns();
			} finally {
				lookAway();
			}
			// Bytes of buffers are given back by a thread of their own, after they are garbage.
			const until = performance.now() + longestMs;
			let growth = megabytes() - memory;
			while (growth >= MOST_GROWTH && performance.now() < until) {
				await setTimeout(50);
				growth = megabytes() - memory;
			}
			expect(growth).toBeLessThan(MOST_GROWTH);
		},
	};
}
