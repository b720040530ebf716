/** A market's answers as somebody changes them at random: honest, odd, empty, contradictory, late, or none. */
import {isRecord} from '../../../source/contract/grammar/json.ts';
import type {SeedRandom} from '../../../source/market/seed/parts.ts';
import {
	type Fault,
	type SeenRequest,
	answered,
	cutReply,
	dropReply,
	dropRequest,
	html,
	passOn,
	redirected,
	rewritten,
} from './faults.ts';
import {withOther} from './lying-services.ts';
import {oddValues} from './recorded-services.ts';

type Row = Readonly<Record<string, unknown>>;
type Clock = {readonly now: () => number; readonly pass: (seconds: number) => void};

const LIST = /^\/api\/v\d\/instances\/(?:\?|$)/;
const SHOW = /^\/api\/v0\/instances\/\d+\/$/;

const each = (change: (row: Row) => Row) => (rows: readonly Row[]) => rows.map(change);

/** What a list says that is not so: each is whole, and would be believed. */
function listLies(
	random: SeedRandom,
	clock: Clock,
): ReadonlyArray<(rows: readonly Row[]) => readonly Row[]> {
	const lease = () => `[lease1 e${clock.now() - random.whole(1, 80_000)} td]`;
	const invented = (row: Row = {}) => ({...row, id: random.whole(1, 1e9), label: lease()});
	return [
		() => [],
		rows => rows.slice(1),
		rows => [...rows, ...rows],
		rows => [...rows, invented(rows[0])],
		rows => Array.from({length: 100}, () => invented(rows[0])),
		each(row => ({...row, id: Number(row['id']) + 1})),
		each(row => ({...row, label: lease()})),
		each(row => ({...row, label: `[lease9 ${random.whole(1, 1e9)}]`})),
		each(row => ({...row, label: null})),
		each(row => ({...row, start_date: Number(row['start_date']) - 9e6})),
		each(row => ({...row, dph_base: 1e5, dph_total: 2e5, storage_total_cost: 1e5})),
		each(row => ({...row, gpu_util: 0, cpu_util: 0, disk_usage: 1})),
		each(row => ({...row, actual_status: 'exited', cur_state: 'stopped'})),
		each(row => withOddField(row, random)),
	];
}

/** Prices are left as they are: of them there is a lie of its own. */
function withOddField(row: Row, random: SeedRandom): Row {
	const fields = Object.keys(row).filter(name => !/^id$|^dph_|cost/.test(name));
	return {...row, [random.pick(fields)]: random.pick(oddValues)};
}

function listed(change: (rows: readonly Row[]) => readonly Row[], isWhole = true): Fault {
	return rewritten(body => {
		if (!isRecord(body) || !Array.isArray(body['instances'])) return body;
		const instances = change(body['instances'].filter(isRecord));
		const total = isWhole ? {total_instances: instances.length} : {};
		return {...body, instances, instances_found: instances.length, ...total};
	});
}

/** Calls that are not answered as they were meant to be. */
function failures(random: SeedRandom, clock: Clock): readonly Fault[] {
	return [
		dropRequest,
		dropReply,
		cutReply(random.whole(0, 200)),
		html(),
		redirected('https://elsewhere.invalid/'),
		answered({status: 500}),
		answered({status: 404}),
		answered({status: 429, headers: {'retry-after': '2'}}),
		answered({status: 200, body: random.pick([null, [], {}, 7, {success: true}])}),
		slow(random, clock),
		wrongDate(random, clock),
	];
}

function slow(random: SeedRandom, clock: Clock): Fault {
	return async exchange => {
		const reply = await exchange.forward();
		clock.pass(random.whole(5, 40));
		await passOn({...exchange, forward: async () => reply});
	};
}

function wrongDate(random: SeedRandom, clock: Clock): Fault {
	return async exchange => {
		const reply = await exchange.forward();
		const date = new Date((clock.now() + random.whole(-90_000, 90_000)) * 1000).toUTCString();
		await passOn({
			...exchange,
			forward: async () => ({...reply, headers: {...reply.headers, date}}),
		});
	};
}

/**
 * Tells the truth three times in five. What two lists in a row agree on is evidence, so that no lie about
 * instances is told twice in an hour.
 */
export function randomLies(random: SeedRandom, clock: Clock): Fault {
	const toldAt = new Map<number, number>();

	function lieOfList(): Fault {
		const lies = listLies(random, clock);
		const index = random.whole(0, lies.length - 1);
		const lie = lies[index];
		if (lie === undefined || clock.now() - (toldAt.get(index) ?? 0) < 3600) return passOn;
		toldAt.set(index, clock.now());
		return listed(lie, random.chance(0.7));
	}

	function lieOfRecord(): Fault {
		const lie = random.pick([withOther('id', 1), () => null, () => []]);
		return rewritten(body =>
			isRecord(body) ? {...body, instances: lie(body['instances'])} : body,
		);
	}

	function faultFor({method, path}: SeenRequest): Fault {
		if (random.chance(0.6)) return passOn;
		if (method !== 'GET' || random.chance(0.4)) return random.pick(failures(random, clock));
		if (LIST.test(path)) return lieOfList();
		return SHOW.test(path) ? lieOfRecord() : passOn;
	}

	return exchange => faultFor(exchange.request)(exchange);
}
