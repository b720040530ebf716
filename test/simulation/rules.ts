/** Rules that hold at any moment and at rest; `docs/simulation.md` has a sentence for each. */
import {wallClock, world} from './world/world.ts';
import {MARKET} from '../../source/market/database/account-tables.ts';
import type {Database} from '../../source/market/database/database.ts';
import {bookSum} from '../../source/market/ledger/store.ts';
import {readLabel, type Lease} from '../../source/renter/words/lease.ts';
import {allFaults, allMoney} from '../helpers/market/ledger.ts';
import type {Person} from './actors/person.ts';
import {CENT, CLOCKS, costOf, type Made, type Truth} from './truth.ts';

/** Seconds after which a lease has ended an instance, whatever went wrong meanwhile. */
const LEASE_BOUND = 180;

/** True at any moment between two transactions. */
export function brokenNow(truth: Truth): readonly string[] {
	const {rows} = truth;
	const doubles = rows(
		`select a.id as one, b.id as other from instances a join instances b
			on a.machine_id = b.machine_id and a.id < b.id and (a.gpu_mask & b.gpu_mask) <> 0
			where a.destroyed_at is null and b.destroyed_at is null
			and a.current = 'running' and b.current = 'running'`,
	);
	const offered = rows(
		`select o.id as offer, i.id as instance from offers o join instances i
			on o.machine_id = i.machine_id and (o.gpu_mask & i.gpu_mask) <> 0
			where o.rentable = 1 and i.destroyed_at is null and i.current = 'running' and i.is_bid = 0`,
	);
	const deposits = rows(
		'select id from instances where destroyed_at is not null and deposit_micros > 0',
	);
	const unlike = rows(
		`select * from (select id, coalesce((select sum(deposit_micros) from instances where account_id = accounts.id), 0)
			- coalesce((select sum(micros) from postings where account_id = accounts.id and book = 'deposit'), 0)
			+ coalesce((select sum(prepaid_micros) from charges
				where account_id = accounts.id and day > settled_day), 0) as micros
		from accounts) as sums where micros <> 0`,
	);
	const endless = rows('select id from copies where ends_at is null');
	const ended = rows(
		`select id, credit_micros as credit from accounts
		where owner_id is not null and closed_at is not null and credit_micros > 0`,
	);
	const entries = rows(
		`select entry_id, sum(micros) as sum from postings group by entry_id having sum(micros) <> 0`,
	);
	return [
		...overdrafts(truth),
		...doubles.map(({one, other}) => `${Number(one)} and ${Number(other)} hold the same GPU`),
		...offered.map(
			({offer, instance}) =>
				`offer ${Number(offer)} is offered, and ${Number(instance)} has its GPUs`,
		),
		...unlike.map(
			({id, micros}) => `deposits of account ${Number(id)} are ${Number(micros)} too much`,
		),
		...endless.map(({id}) => `copy ${Number(id)} has no end`),
		...ended
			.filter(({id}) => !truth.closing.has(Number(id)))
			.map(({id, credit}) => `team ${Number(id)} has ended with ${Number(credit)}`),
		...deposits.map(({id}) => `the deposit of ${Number(id)} outlived it`),
		...entries.map(
			({entry_id: id, sum}) => `entry ${Number(id)} comes to ${Number(sum)} micro-dollars`,
		),
	];
}

/** Micro-dollars that use may take an account below zero: a charge is taken each minute. */
const MOST_DEBT = 3_000_000;

/** What an account was paid and had to give back, which may leave it in debt. */
const refunded = `coalesce((
	select -sum(micros) from postings join entries on entries.id = entry_id
	where postings.account_id = accounts.id and book = 'credit' and micros < 0 and kind = 'credit'
), 0)`;

/** Nobody spends what they do not have. */
function overdrafts({rows}: Truth): readonly string[] {
	return rows(
		`select id, credit_micros as credit from accounts
		where credit_micros < ? - case when credit_micros < ? then ${refunded} else 0 end`,
		-MOST_DEBT,
		-MOST_DEBT,
	).map(({id, credit}) => `account ${Number(id)} is ${Number(credit)} micro-dollars below zero`);
}

/**
 * All money there is came from outside, to the micro-dollar, and what the books say is what accounts have.
 * At rest alone: what was used and is not charged yet is nowhere.
 */
export async function missingMoney(database: Database): Promise<readonly string[]> {
	const faults = (await allFaults(database)).map(({what, micros}) => `${what}: ${micros} too much`);
	const missing = (await bookSum(database, MARKET, 'outside')) + (await allMoney(database));
	return missing === 0 ? faults : [...faults, `${missing} micro-dollars are missing`];
}

/** A wish makes at most one instance. */
export function doubleWishes(person: Person): readonly string[] {
	const {wishes, truth, accountId} = person;
	const made = [...truth.made.values()].filter(one => one.accountId === accountId);
	// Whoever was told of one, and has destroyed it, may want another.
	const isOver = ({id, goneAt}: Made) => goneAt !== undefined && truth.told.has(id);
	return wishes.flatMap(({name}) => {
		const ids = made.filter(one => one.wish === name && !isOver(one)).map(({id}) => id);
		return ids.length > 1 ? [`${person.name}: the wish ${name} made ${ids.join(' and ')}`] : [];
	});
}

/** Instances end by a wish, a lease, a sweep, or the provider whose own they are. */
export function unaskedEnds({made, asked, rows}: Truth): readonly string[] {
	const gone = [...made.values()].filter(one => one.goneAt !== undefined && !one.isHosts);
	return gone.flatMap(({id, ends, budgets, idles, madeAt, goneAt = 0}) => {
		if (asked.has(id)) return [];
		const seconds = (wallClock(undefined) - world().now() + goneAt) / 1000;
		const isOver = ends.some(end => end <= seconds + CLOCKS);
		const isSpent = Math.min(...budgets) <= costOf(rows, id, 'with traffic') + CENT;
		const isIdle = Math.min(...idles) <= (goneAt - madeAt) / 1000 + CLOCKS;
		return isOver || isSpent || isIdle ? [] : [`${id} ended, and nobody asked for it`];
	});
}

/** Leases that the market itself keeps end in the same bound. */
export function lateInMarket({rows}: Truth): readonly string[] {
	return rows(
		`select instance_id as id from leases join instances on instances.id = leases.instance_id
		where destroyed_at is null and (leases.action <> 'stop' or intended = 'running')
		and (leases.action <> 'stop-destroy' or intended = 'running')
		and ends_at + grace_seconds < ?`,
		wallClock(undefined) / 1000 - LEASE_BOUND,
	).map(({id}) => `the market's lease of ${Number(id)} is over, and it is there`);
}

/** Timers and requests that a lasting process may have at rest beside those of its beginning, and for each instance. */
const MORE_WAITING = 20;
const FOR_EACH = 8;

/** What a market and its hosts have under way returns to what it was. */
export function leftWaiting({made}: Truth, before: ReturnType<typeof waitingNow>) {
	const there = [...made.values()].filter(({goneAt}) => goneAt === undefined).length;
	return [...waitingNow()].flatMap(([name = '', count]) => {
		const was = before.get(name);
		if (was === undefined || count <= was + MORE_WAITING + there * FOR_EACH) return [];
		return [`${name} has ${count} timers and requests at rest, and began with ${was}`];
	});
}

export function waitingNow(): ReadonlyMap<string | undefined, number> {
	const byOwner = Map.groupBy(world().waiting(), ({owner}) => owner);
	return new Map([...byOwner].map(([name, events]) => [name, events.length]));
}

/** Rows that are there for as long as their instance alone. */
const bound: Readonly<Record<string, string>> = {
	mounts: '1 = 1',
	api_keys: 'deleted_at is null',
	tasks: 'answer is null',
	scheduled_jobs: '1 = 1',
	instance_ssh_keys: '1 = 1',
	price_increases: "state in ('open', 'accepted')",
	machine_tests: 'ended_at is null and started_at < instances.destroyed_at - 60',
};

/** What belonged to an instance ends with it, and what is kept for a while goes after it. */
export function leftRows({rows}: Truth): readonly string[] {
	const outlived = Object.entries(bound).flatMap(([table, condition]) =>
		rows(
			`select count(*) as count from ${table} join instances on instances.id = instance_id
			where destroyed_at is not null and ${condition}`,
		).map(({count}) => [`${table} of instances that are gone`, Number(count)] as const),
	);
	const old = rows(
		'select count(*) as count from tasks where created_at < ?',
		wallClock(undefined) / 1000 - 700,
	).map(({count}) => ['tasks that nobody asks for', Number(count)] as const);
	return [...outlived, ...old].flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
}

/** A number that a command names as rented is an instance of its order. */
function falseRents({wishes, truth, accountId, name}: Person): readonly string[] {
	return wishes.flatMap(({id, name: wish}) => {
		const one = id === undefined ? undefined : truth.made.get(id);
		if (id === undefined || one?.accountId === accountId) return [];
		return [`${name}: rent of ${wish} named ${id}, which is not its`];
	});
}

/** Every lease ends in its bound: the one that a label says now. */
function lateLeases({truth, accountId, machine}: Person): readonly string[] {
	const now = wallClock(undefined) / 1000;
	const rows = truth.rows(
		`select id, label, intended, gpu_micros, storage_micros * disk_gb / 720 as disk_micros,
			leases.ends_at as ends_at, leases.max_cost_micros as most
			from instances left join leases on instance_id = id
			where account_id = ? and destroyed_at is null`,
		accountId,
	);
	// A guard does not believe a service that is ahead of its machine, until it has gone on for as long.
	const behind = Math.max(0, now - wallClock(machine) / 1000);
	return rows.flatMap(row => {
		const {id, label, intended, ends_at: end} = row;
		const lease = typeof label === 'string' ? readLabel(label).lease : undefined;
		if (lease === undefined) return [];
		const {endsAt = Infinity} = lease;
		// What a lease has stopped stays, for an hour or for good.
		const isLeft = lease.action !== 'destroy' && intended !== 'running';
		if (isLeft) return [];
		const isOver = endsAt + LEASE_BOUND + (end === null ? behind : 0) <= now;
		if (isOver) return [`the lease of ${Number(id)} is over, and it is there`];
		const isSpent = hasSpent(truth, row, lease);
		return isSpent ? [`the budget of ${Number(id)} is spent, and it is there`] : [];
	});
}

/** True if an instance has cost more than its budget; a guard alone counts what it can prove. */
function hasSpent({rows}: Truth, row: Readonly<Record<string, unknown>>, lease: Lease): boolean {
	const {id, gpu_micros: gpu, disk_micros: disk, most} = row;
	const {maxCost = Infinity, isKept} = lease;
	const meanwhile = ((Number(gpu) + Number(disk)) / 3600e6) * LEASE_BOUND;
	return most !== null && !isKept && maxCost + meanwhile + CENT < costOf(rows, Number(id));
}

export function brokenBy(person: Person): readonly string[] {
	person.truth.look();
	const late = lateLeases(person).map(problem => `${person.name}: ${problem}`);
	return [...doubleWishes(person), ...falseRents(person), ...late];
}

type Group = {
	/** Micro-dollars that it has, or was paid. */
	has: number;
	/** What came from elsewhere, less what went there. */
	came: number;
};

/** No group of accounts of one person has more than what it put in, and what others' use and gifts brought. */
export function gains({rows}: Truth): readonly string[] {
	const accounts = new Map(
		rows(
			`select id, coalesce(owner_id, parent_id) as above, credit_micros as credit,
			earned_micros as earned, ${refunded} as refunded from accounts`,
		).map(row => [Number(row['id']), row]),
	);
	function groupOf(id: number): number {
		const above = accounts.get(id)?.['above'];
		return typeof above === 'number' ? groupOf(above) : id;
	}
	const groups = new Map<number, Group>();
	function add(id: number, has: number, came: number): void {
		const group = groups.get(groupOf(id)) ?? {has: 0, came: 0};
		groups.set(groupOf(id), {has: group.has + has, came: group.came + came});
	}
	for (const [id, {credit, earned, refunded: back}] of accounts) {
		add(id, Math.max(-Number(back), Number(credit)) + Number(earned), 0);
	}
	for (const {id, micros} of rows(
		'select account_id as id, deposit_micros as micros from instances where deposit_micros > 0',
	)) {
		add(Number(id), Number(micros), 0);
	}
	const postings = rows(
		`select entry_id as entry, account_id as id, sum(case when book = 'unpaid' then 0 else micros end) as micros
		from postings where book in ('credit', 'deposit', 'earnings', 'unpaid') group by entry_id, account_id`,
	);
	const outside = new Set(
		rows("select entry_id as entry from postings where book = 'outside'").map(({entry}) => entry),
	);
	for (const [entry, theirs] of Map.groupBy(postings, one => one['entry'])) {
		const moved = Map.groupBy(theirs, ({id}) => groupOf(Number(id)));
		for (const [group, parts] of moved) {
			const sum = parts.reduce((total, {micros}) => total + Number(micros), 0);
			// What moves among a group's own accounts is no gain of it.
			const isOwn = moved.size === 1 && !outside.has(entry);
			add(group, 0, isOwn ? Math.min(0, sum) : sum);
		}
	}
	return [...groups].flatMap(([id, {has, came}]) =>
		has > came ? [`accounts of ${id} have ${has - came} micro-dollars more than came to them`] : [],
	);
}
