/** Faults by what they met: nobody is to believe in what was never tried. */
import {readLabel} from '../../source/renter/words/lease.ts';
import {contract} from '../../source/contract/index.ts';
import type {Endpoint} from '../../source/contract/grammar/endpoint.ts';
import {commands} from '../../source/commands/index.ts';
import {wallClock, world} from './world/world.ts';
import type {Stage} from './actors/person.ts';
import type {Truth} from './truth.ts';

export const faults = [
	'slow; unsent; lost before; lost after; failed before; failed after; cut; twice; late',
	'command killed; killed after its order; power cut; deed killed; guard killed; console killed; agent killed; market killed; older market; clock set',
	'network parted, from; network parted, to; network parted, both; disk full; disk read-only',
].flatMap(names => names.split('; '));

const stages: readonly Stage[] = ['typed', 'killed', 'typed again', 'answered'];

export const states = [
	'loading, running, ended, stopped, waiting, failed, unheard',
	'lease none, lease runs, lease over',
	...stages.map(stage => `wish ${stage}`),
].flatMap(names => names.split(', '));

/** Whom a fault concerns: a machine's person, one instance of theirs, or all. */
export type About = {readonly machine?: string | undefined; readonly id?: number | undefined};

type Renter = {
	readonly machine: {readonly name: string};
	readonly accountId: number;
	readonly wishes: ReadonlyArray<{readonly stage: Stage}>;
};

const met = new Map<string, number>();
let watched: {readonly truth: Truth; readonly people: readonly Renter[]} | undefined;

/** Begins to note faults of a world; what others met stays in the table. */
export function noteFaults(truth: Truth, people: readonly Renter[]): void {
	watched = {truth, people};
}

/** What befell the present world and was done in it, and how often; and all that ever was. */
const counted = new Map<string, number>();
const ever = new Set<string>();

export function count(what: string): void {
	ever.add(what);
	counted.set(what, (counted.get(what) ?? 0) + 1);
}

/** Form of the requests of a call, as `PUT /api/v0/asks/7/`. */
export function requestForm({method, path}: Endpoint): RegExp {
	const parts = path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?');
	return new RegExp(`^${method} ${parts}(?:\\?|$)`);
}

/** Calls of the service, by the forms of their requests. */
const calls = Object.entries(contract).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints).map(([name, endpoint]: [string, Endpoint]) => ({
		name: `${noun}.${name}`,
		form: requestForm(endpoint),
	})),
);

/** Notes a request that was done. */
export function noteDone(method: string, path: string): void {
	const call = calls.find(({form}) => form.test(`${method} ${path}`));
	if (call !== undefined) ever.add(call.name);
}

/** What happened since the last call. */
export function takeCounted(): ReadonlyMap<string, number> {
	const taken = new Map(counted);
	counted.clear();
	return taken;
}

/** True where a fault befalls somebody, which is noted; a smaller world may go without it. */
export function befall(kind: string, actor: string, about: About = {}): boolean {
	if (!world().may(kind, actor)) return false;
	count(kind);
	for (const state of new Set(statesOf(about))) {
		const cell = `${kind} × ${state}`;
		met.set(cell, (met.get(cell) ?? 0) + 1);
	}
	return true;
}

/** States in which instances are for seconds only. */
const brief: ReadonlySet<string> = new Set(['ended', 'waiting', 'unheard', 'lease over']);

/** True if somebody has an instance in a state that few faults meet. */
export function isAnyBrief(): boolean {
	return (
		watched?.people.some(one =>
			statesOf({machine: one.machine.name}).some(state => brief.has(state)),
		) === true
	);
}

function statesOf({machine, id}: About): readonly string[] {
	if (watched === undefined) return [];
	const {truth, people} = watched;
	const owners = people.filter(one => machine === undefined || one.machine.name === machine);
	if (owners.length === 0 && id === undefined) return [];
	const wishes =
		id === undefined
			? owners.flatMap(one => one.wishes.slice(-1).map(({stage}) => `wish ${stage}`))
			: [];
	if (!truth.isOpen()) return wishes;
	const ids = owners.map(({accountId}) => accountId);
	const rows = truth
		.rows(
			`select id, account_id, label, actual, current, next, contact, message
			from instances where destroyed_at is null`,
		)
		.filter(row => (id === undefined ? ids.includes(Number(row['account_id'])) : row['id'] === id));
	return [...wishes, ...rows.flatMap(row => [stateOf(row), leaseOf(row)])];
}

type Row = Readonly<Record<string, unknown>>;

function stateOf({actual, current, next, contact, message}: Row): string {
	if (contact !== 'heard') return 'unheard';
	if (current === 'running') {
		if (actual === 'exited') return 'ended';
		return actual === 'running' ? 'running' : 'loading';
	}
	if (next === 'running') return 'waiting';
	return typeof message === 'string' && message.startsWith('Error') ? 'failed' : 'stopped';
}

function leaseOf({label}: Row): string {
	const end = typeof label === 'string' ? readLabel(label).lease?.endsAt : undefined;
	if (end === undefined) return 'lease none';
	return end * 1000 < wallClock(undefined) ? 'lease over' : 'lease runs';
}

/** The table of faults by states, and below it what was never tried, or never came to its end. */
export function triedTable(deeds: readonly string[]): readonly string[] {
	const width = Math.max(...faults.map(({length}) => length)) + 2;
	const heads = states.map((state, index) => `${index + 1} ${state}`).join(', ');
	const numbers = states.map((_, index) => String(index + 1).padStart(6)).join('');
	const never = faults.flatMap(fault =>
		states.map(state => `${fault} × ${state}`).filter(cell => !met.has(cell)),
	);
	return [
		`Faults, by how often they met somebody whose instances, last wish or leases were: ${heads}`,
		`${''.padEnd(width)}${numbers}`,
		...faults.map(fault => {
			const cells = states.map(state => String(met.get(`${fault} × ${state}`) ?? 0).padStart(6));
			return `${fault.padEnd(width)}${cells.join('')}`;
		}),
		`Never tried: ${never.length === 0 ? 'nothing' : never.join('; ')}`,
		`Never done: ${deeds.filter(deed => !ever.has(`${deed}, done`)).join('; ') || 'nothing'}`,
		`Never typed: ${
			commands
				.map(({name}) => name)
				.filter(name => ![...ever].some(what => what.startsWith(`rentty ${name}, `)))
				.join('; ') || 'nothing'
		}`,
		`Never called: ${
			calls
				.map(({name}) => name)
				.filter(name => !ever.has(name))
				.join('; ') || 'nothing'
		}`,
	];
}
