/** The world of one seed: its time, its machines and processes, and what is due. */
import {AsyncLocalStorage} from 'node:async_hooks';
import {chanceOf, type Chance} from './chance.ts';
import {createRecord} from './record.ts';
import {createQueue, type Event} from './queue.ts';

/** Moment at which each world begins, in milliseconds since 1970: a quarter of an hour before midnight. */
export const BEGIN_MS = 1_795_045_500_000;

export type Machine = {
	readonly name: string;
	/** Share by which its clocks run fast. */
	readonly drift: number;
	/** Milliseconds by which its wall clock is ahead. */
	offsetMs: number;
	/** Running processes by their number. */
	readonly processes: Map<number, Process>;
	/** Why nothing can be written to its disk, while that is so. */
	refuses: 'ENOSPC' | 'EROFS' | undefined;
	/** Mean milliseconds by which its work in the background is late. */
	lateMs: number;
};

export type Process = {
	readonly name: string;
	readonly machine: Machine;
	readonly pid: number;
	readonly beganAt: number;
	readonly chance: Chance;
	isAlive: boolean;
	/** Files written and not synced: a process that is killed may leave a part of them. */
	readonly unsynced: Map<string, number>;
	/** Handles of its open files. */
	readonly files: Set<number>;
	/** Called once, as soon as it has ended or was killed. */
	readonly onEnd: Array<() => void>;
	/** Largest moment that its steady clock has shown, and what it has spent since the present event began. */
	readonly spent: {shown: number; at: number; ms: number};
};

export type World = ReturnType<typeof openWorld>;

const inside = new AsyncLocalStorage<Process>();

let present: World | undefined;

/** The world that runs. */
export function world(): World {
	if (present === undefined) throw new Error('no world runs');
	return present;
}

/** Process whose code runs; undefined outside of all. */
export function current(): Process | undefined {
	return inside.getStore();
}

/** Process whose code runs, for what none but processes do. */
export function here(): Process {
	const process = inside.getStore();
	if (process === undefined) throw new Error('no process runs here');
	return process;
}

const realImmediate = setImmediate;
/** Lets all microtasks end: no real input or output exists that could bring more, but what is held. */
const settle = async () => new Promise<void>(resolve => void realImmediate(resolve));

/** Time of a world, and what is due in it. */
function createTime(seed: number) {
	const queue = createQueue();
	const ties = chanceOf(seed, 'ties');
	const state = {now: 0, sequence: 0, steps: 0};
	/** Work outside of the world, whose end time waits for. */
	const held = new Set<Promise<unknown>>();

	function hold(work: Promise<unknown>): void {
		const ended = work.finally(() => held.delete(ended));
		held.add(ended);
	}

	/** Lets all end that the present moment began. */
	async function settleAll(): Promise<void> {
		await settle();
		while (held.size > 0) {
			await Promise.all(held);
			await settle();
		}
	}

	function at(time: number, owner: Process | undefined, run: () => void): Event {
		state.sequence += 1;
		const event: Event = {
			owner: owner?.isAlive === true ? owner.name : undefined,
			at: Math.max(state.now, time),
			// Of its own chance: what another process does moves nothing of this one.
			tie: (owner?.chance ?? ties).next(),
			sequence: state.sequence,
			isCancelled: false,
			run() {
				if (owner === undefined) inside.exit(run);
				else if (owner.isAlive) inside.run(owner, run);
			},
		};
		queue.add(event);
		return event;
	}

	/** Runs what is due until a moment. */
	async function runUntil(until: number): Promise<void> {
		await settleAll();
		for (let event = queue.take(); event !== undefined; event = queue.take()) {
			if (event.at > until) {
				queue.add(event);
				break;
			}
			if (event.isCancelled) continue;
			state.now = event.at;
			state.steps += 1;
			event.run();
			await settle();
			if (held.size > 0) await settleAll();
		}
		state.now = until;
	}

	return {state, at, runUntil, queue, hold};
}

function endProcess(process: Process): void {
	process.isAlive = false;
	process.machine.processes.delete(process.pid);
	for (const told of process.onEnd.splice(0)) told();
}

async function lifeOf(process: Process, main: () => Promise<unknown>): Promise<void> {
	await main();
	const {isAlive, files} = process;
	if (isAlive && files.size > 0) throw new Error(`${files.size} files are left open`);
}

function machineOf(seed: number, name: string): Machine {
	const chance = chanceOf(seed, `clock of ${name}`);
	const [drift, offset] = [chance.next() - 0.5, chance.next() - 0.5];
	const offsetMs = Math.round(offset * 1500);
	return {name, drift: drift * 2e-4, offsetMs, processes: new Map(), refuses: undefined, lateMs: 0};
}

/** @param without Kinds, actors and names of parts that do not happen */
export function openWorld(seed: number, without: ReadonlySet<string> = new Set()) {
	const {state, at, runUntil, queue, hold} = createTime(seed);
	let pids = 100;
	const record = createRecord(() => state.now, without);
	/** Faults of the program that nobody caught. */
	const crashes: string[] = [];

	const self = {
		seed,
		...record,
		crashes,
		chance: (name: string) => chanceOf(seed, name),
		/** Milliseconds since the world began, on no machine's clock. */
		now: () => state.now,
		steps: () => state.steps,
		/** Does something for the process whose code runs. */
		after: (ms: number, run: () => void, owner = current()) => at(state.now + ms, owner, run),
		/** Does something for no process. */
		outside: (ms: number, run: () => void) => at(state.now + ms, undefined, run),
		machine: (name: string) => machineOf(seed, name),
		/** Begins a process, and what it does; what it throws is a crash. */
		begin(machine: Machine, name: string, main: () => Promise<unknown>): Process {
			pids += 1;
			const process: Process = {
				name,
				machine,
				pid: pids,
				beganAt: state.now,
				chance: chanceOf(seed, `${name} ${record.numberOf(name)}`),
				isAlive: true,
				unsynced: new Map(),
				files: new Set(),
				onEnd: [],
				spent: {shown: 0, at: 0, ms: 0},
			};
			machine.processes.set(process.pid, process);
			at(state.now, process, () => {
				lifeOf(process, main)
					.catch((error: unknown) => {
						if (!process.isAlive) return;
						crashes.push(`${name}: ${textOf(error)}`);
						record.tell(`${name} ends by a fault that nobody caught`);
					})
					.finally(() => endProcess(process));
			});
			return process;
		},
		end: endProcess,
		hold,
		/** Timers and requests that wait. */
		waiting: () => queue.all().filter(({isCancelled}) => !isCancelled),
		runUntil,
		/** Runs until something is done. */
		async runUntilDone<Value>(promise: Promise<Value>, mostMs = 3_600_000): Promise<Value> {
			const waiting = {isOver: false};
			const over = () => {
				waiting.isOver = true;
			};
			promise.then(over, over);
			const until = state.now + mostMs;
			while (!waiting.isOver && state.now < until) await runUntil(state.now + 50);
			if (!waiting.isOver) throw new Error('nothing came of it in its time');
			return promise;
		},
	};
	present = self;
	return self;
}

export function textOf(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Wall clock of a machine, in milliseconds since 1970. */
export function wallClock(machine: Machine | undefined): number {
	const now = world().now();
	if (machine === undefined) return BEGIN_MS + now;
	return BEGIN_MS + now * (1 + machine.drift) + machine.offsetMs;
}

/** Milliseconds since a process began, on the steady clock of its machine. */
export function steadyClock(process: Process | undefined): number {
	const now = world().now();
	if (process === undefined) return now;
	const {spent, beganAt, machine, chance} = process;
	if (spent.at !== now) Object.assign(spent, {at: now, ms: 0});
	// Work takes time, or what is done until some milliseconds are over would never be left off.
	spent.ms += chance.next() * 0.2;
	spent.shown = Math.max(spent.shown, (now - beganAt) * (1 + machine.drift) + spent.ms);
	return spent.shown;
}
