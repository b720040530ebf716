/** Truth of a world, which no program knows: all that was made and ended, as the market's own tables say. */
import type {Reader} from './takeover/places.ts';
import {readLabel, type Lease} from '../../source/renter/words/lease.ts';
import {messages} from '../../source/market/lifecycle/rules.ts';
import {wallClock, world} from './world/world.ts';

export type Made = {
	readonly id: number;
	readonly accountId: number;
	/** True for what a provider's own machine runs for it. */
	readonly isHosts: boolean;
	/** As it was ordered, without what says when it ends. */
	readonly wish: string;
	/** Every end that its label or the market's lease ever named, in seconds since 1970. */
	readonly ends: number[];
	/** Dollars that it may cost, and seconds that it may be idle, as its label ever said. */
	readonly budgets: number[];
	readonly idles: number[];
	readonly madeAt: number;
	goneAt: number | undefined;
	/** True while it is to run. */
	isWanted: boolean;
	/** Its label, wanted state and start, and since when they are so. */
	steady: Steady;
};

type Steady = {
	readonly label: string;
	readonly intended: string;
	readonly boot: number;
	readonly since: number;
};

export type KeyFacts = {
	readonly account: number;
	readonly id?: number;
	readonly isTeam?: boolean;
	/** Kinds of deeds that it may do; all of them where nothing is said. */
	readonly may?: readonly string[] | undefined;
	/** Its permissions; all of them where nothing is said. */
	readonly permissions?: readonly string[] | undefined;
	isEnded?: boolean;
};

type Invitation = {
	readonly token: string;
	readonly account: number;
	readonly team: number;
	/** Key that made it. */
	readonly by: string;
};

export type Truth = ReturnType<typeof watchTruth>;

type Row = Readonly<Record<string, unknown>>;

/** Seconds by which clocks of a market, and of those who read it, may differ. */
export const CLOCKS = 30;

/** Micro-dollars that are too little until the next look at credit. */
const MOST_LEFT = 1_000_000;

type Known = {
	readonly rows: Reader['rows'];
	/** Credit of accounts at the last look. */
	readonly credits: ReadonlyMap<unknown, number>;
	/** Micro-dollars that an account was given since the last look. */
	readonly given: (account: number) => number;
	/** Instances that somebody wanted to stop, or whose host said what was not so. */
	readonly excused: ReadonlyArray<ReadonlySet<number>>;
};

/** Dollars by which sums may be off. */
export const CENT = 0.01;

/** Dollars that an instance has cost. The market knows its traffic, of which no record tells guards. */
export function costOf(rows: Reader['rows'], id: number, what?: 'with traffic'): number {
	const without = what === undefined ? "and item not in ('bwd', 'bwu')" : '';
	const [row] = rows(
		`select coalesce(sum(amount_micros), 0) as micros from charges
			where source = 'instance' and source_id = ? ${without}`,
		id,
	);
	return Number(row?.['micros']) / 1e6;
}

/** Nothing stops but by a wish, a lease, want of credit, the end of its offer, or its host's word. */
function isStopFounded(one: Made, row: Row, known: Known): boolean {
	const {id, ends, budgets, accountId} = one;
	const {rows, credits, given, excused} = known;
	const {message, end_date: end, credit} = row;
	const soon = wallClock(undefined) / 1000 + CLOCKS;
	if (message === messages.noCredit) {
		const least = Number(credit) - given(accountId);
		return Math.min(least, credits.get(accountId) ?? Infinity) <= MOST_LEFT;
	}
	if (message === messages.ended) return Number(end) <= soon;
	// A guard stops by a call, which leaves no message.
	const isOfLease = message === null || message === messages.leaseEnded;
	const least = Math.min(...budgets);
	if (isOfLease && least <= costOf(rows, id, 'with traffic') + CENT) return true;
	const isHosts = message !== null && message !== messages.leaseEnded;
	return isHosts || excused.some(some => some.has(id)) || ends.some(at => at <= soon);
}

const INSTANCES = `
	select instances.id as id, account_id, host_account_id, label, destroyed_at, intended,
		boot, message, end_date, credit_micros as credit, leases.ends_at as ends_at
	from instances left join leases on leases.instance_id = instances.id
	join accounts on accounts.id = account_id`;

/** An instance that is new, and the lease of its label. */
function madeBy(row: Row) {
	const label = typeof row['label'] === 'string' ? row['label'] : '';
	const {label: wish, lease} = readLabel(label);
	const accountId = Number(row['account_id']);
	const isHosts = accountId === Number(row['host_account_id']);
	const none: Pick<Made, 'ends' | 'budgets' | 'idles'> = {ends: [], budgets: [], idles: []};
	const isWanted = row['intended'] === 'running';
	const facts = {id: Number(row['id']), accountId, isHosts, wish, madeAt: world().now(), isWanted};
	const steady: Steady = {
		label,
		intended: String(row['intended']),
		boot: Number(row['boot']),
		since: world().now(),
	};
	return {...facts, ...none, goneAt: undefined, lease, label, steady};
}

/** Notes what may end an instance from now on. */
function noteEnds({ends, budgets, idles}: Made, lease: Lease | undefined, end: unknown): void {
	for (const [known, limit] of [
		[ends, lease?.endsAt],
		[ends, end],
		[budgets, lease?.maxCost],
		[idles, lease?.idleSeconds],
	] as const) {
		if (typeof limit === 'number' && !known.includes(limit)) known.push(limit);
	}
}

const isAsBefore = (one: Steady, other: Steady) =>
	one.label === other.label && one.intended === other.intended && one.boot === other.boot;

/** What actors did and saw. */
const createFacts = () => ({
	invitations: new Array<Invitation>(),
	/** Instances whose end somebody asked for, by what asked; and those whose stop. */
	asked: new Map<number, string>(),
	stopped: new Set<number>(),
	/** Instances of which a host said what was not so. */
	lied: new Set<number>(),
	/** Instances that their renter was told of, as of what an earlier order made. */
	told: new Set<number>(),
	/** Accounts that the operator wanted to close: their money stays where it is. */
	closing: new Set<number>(),
	/** Things that were said or done, and are not true or not allowed. */
	lies: new Array<string>(),
});

/** Remembers the instances of which a text tells that an earlier order made them. */
export function noteTold({told}: Pick<Truth, 'told'>, text: string): void {
	for (const [, id] of text.matchAll(/is instance (\d+), and is charged/g)) told.add(Number(id));
}

export function watchTruth({rows, isOpen, isUnclear}: Reader) {
	const made = new Map<number, Made>();
	const credits = new Map<unknown, number>();
	let lastEntry = 0;
	const seen = createFacts();
	const {lies, stopped, lied} = seen;
	const keys = new Map<string, KeyFacts>();

	function look(): void {
		// What is half written may be rolled back.
		if (isUnclear()) return;
		const known = rows(INSTANCES);
		for (const row of known) take(row);
		for (const {account_id: id, credit} of known) credits.set(id, Number(credit));
		lastEntry = Number(rows('select coalesce(max(entry_id), 0) as id from postings')[0]?.['id']);
	}

	function given(account: number): number {
		const [row] = rows(
			`select coalesce(sum(micros), 0) as micros from postings
			where account_id = ? and book = 'credit' and micros > 0 and entry_id > ?`,
			account,
			lastEntry,
		);
		return Number(row?.['micros']);
	}

	function take(row: Row): void {
		const id = Number(row['id']);
		const {lease, label, ...fresh} = madeBy(row);
		const one = made.get(id) ?? fresh;
		if (one === fresh) {
			made.set(id, one);
			world().tell(`instance ${id} is made: ${label}`);
		}
		noteEnds(one, lease, row['ends_at']);
		const isWanted = row['intended'] === 'running';
		const isStop = one.isWanted && !isWanted && row['destroyed_at'] === null;
		const excused = [stopped, lied];
		if (isStop && !isStopFounded(one, row, {rows, credits, given, excused})) {
			lies.push(`${id} was stopped, and nobody asked for it: ${String(row['message'])}`);
		}
		one.isWanted = isWanted;
		if (!isAsBefore(one.steady, fresh.steady)) one.steady = fresh.steady;
		if (row['destroyed_at'] !== null && one.goneAt === undefined) {
			one.goneAt = world().now();
			world().tell(`instance ${id} is gone`);
		}
	}

	return {
		made,
		rows,
		look,
		keys,
		/** Instances of an account that are there, and since when they are as they are. */
		steady: (account: number) =>
			[...made.values()]
				.filter(({accountId, goneAt}) => accountId === account && goneAt === undefined)
				.map(({id, steady}) => ({id, ...steady})),
		/** Ends the keys of an account that was closed. */
		endKeys(account: number | undefined): void {
			for (const facts of keys.values()) if (facts.account === account) facts.isEnded = true;
		},
		...seen,
		/** True while nobody has the tables open, or a change is half written: nothing can be judged then. */
		isOpen,
		isUnclear,
		isThere(id: number): boolean {
			if (!isOpen()) return made.get(id)?.goneAt === undefined;
			return rows('select 1 from instances where id = ? and destroyed_at is null', id).length > 0;
		},
	};
}
