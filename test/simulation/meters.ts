/** How long instances and volumes ran and were there, as the tables showed it at each look, beside what is charged for. */
import type {Truth} from './truth.ts';
import {wallClock, world} from './world/world.ts';

/** Milliseconds: at least so long between two looks that saw the same, at most so long between others. */
type Span = {least: number; most: number};

type Metered = {
	readonly gpu: Span;
	readonly disk: Span;
	readonly gigabytes: number;
	/** True where nothing is charged for it. */
	readonly isFree: boolean;
	/** True where its account, and what is paid ahead for it, may not have paid for all. */
	isPoor: boolean;
	/** What the last look saw. */
	last: Seen;
};

type Seen = {readonly runs: boolean; readonly isThere: boolean; readonly isHeard: boolean};

const nowhere: Seen = {runs: false, isThere: false, isHeard: true};

/** Longest time between two looks in which nothing else can have been. */
const SURE_MS = 4000;

/** Seconds by which a charge may be off, and by which the clock of a market is set once at most. */
const SLACK_SECONDS = 15;
const CLOCK_SECONDS = 8;

/** Seconds after a heartbeat in which a market charges in any case; less than its 45, for clocks. */
const MOST_SILENCE = 35;

/** Micro-dollars of an account, or paid ahead, that pay for all that is charged. */
const ENOUGH = 2_000_000;

type Ends = {readonly was: boolean; readonly is: boolean};

function add(span: Span, ms: number, {was, is}: Ends, isHeard: boolean): void {
	if (was || is) span.most += ms;
	if (was && is && isHeard && ms < SURE_MS) span.least += ms;
}

type Row = Readonly<Record<string, unknown>>;

/** What a look sees of an instance or a volume. */
function seenOf(row: Row): Seen {
	const isThere = row['destroyed_at'] === null;
	const runs = isThere && row['current'] === 'running' && row['actual'] === 'running';
	// Where a heartbeat is lost, what is computed after some seconds is not charged for.
	const silence = wallClock(undefined) / 1000 - Number(row['heard_at'] ?? -Infinity);
	return {runs, isThere, isHeard: row['contact'] === 'heard' && silence < MOST_SILENCE};
}

function meteredOf(row: Row): Metered {
	return {
		gpu: {least: 0, most: 0},
		disk: {least: 0, most: 0},
		gigabytes: Number(row['disk_gb'] ?? row['size_gb']),
		isFree: row['default_job'] === 1,
		isPoor: false,
		last: nowhere,
	};
}

export function watchMeters({rows, isUnclear}: Truth) {
	const all = new Map<string, Metered>();
	let lookedAt = world().now();

	function look(): void {
		if (isUnclear()) return;
		const ms = world().now() - lookedAt;
		lookedAt = world().now();
		for (const source of ['instance', 'volume']) {
			const found = rows(
				`select ${source}s.*, heard_at, credit_micros from ${source}s
				join accounts on accounts.id = ${source}s.account_id
				left join machines on machines.id = machine_id`,
			);
			for (const row of found) see(`${source} ${Number(row['id'])}`, row, ms);
		}
	}

	function see(name: string, row: Row, ms: number): void {
		const seen = seenOf(row);
		const one = all.get(name) ?? meteredOf(row);
		all.set(name, one);
		const isHeard = seen.isHeard && one.last.isHeard;
		add(one.gpu, ms, {was: one.last.runs, is: seen.runs}, isHeard);
		add(one.disk, ms, {was: one.last.isThere, is: seen.isThere}, isHeard);
		one.isPoor ||=
			Number(row['credit_micros']) < ENOUGH && Number(row['deposit_micros'] ?? 0) < ENOUGH;
		one.last = seen;
	}

	/** Charges of more time than something had, or of less where it is gone and there was enough for it. */
	function judge(clocksSet: number): readonly string[] {
		look();
		const charged = new Map(
			rows(
				`select source, source_id, item, sum(quantity) as quantity from charges
				where item in ('gpu', 'disk') group by source, source_id, item`,
			).map(({source, source_id: id, item, quantity}) => [
				`${String(source)} ${Number(id)} ${String(item)}`,
				Number(quantity),
			]),
		);
		const slack = SLACK_SECONDS + CLOCK_SECONDS * clocksSet;
		return [...all].flatMap(([name, {gpu, disk, gigabytes, isFree, isPoor, last}]) => {
			const spans = [
				['gpu', gpu, (charged.get(`${name} gpu`) ?? 0) / 1000],
				['disk', disk, (charged.get(`${name} disk`) ?? 0) / gigabytes / 1000],
			] as const;
			return spans.flatMap(([item, {least, most}, seconds]) => {
				const isSure = !isFree && !isPoor && !last.isThere;
				const says = `${item} of ${name} is charged for ${Math.round(seconds)} s`;
				if (seconds > most / 1000 + slack) return [`${says}, and was ${Math.round(most / 1000)}`];
				if (!isSure || seconds >= least / 1000 - slack) return [];
				return [`${says}, and was ${Math.round(least / 1000)}`];
			});
		});
	}

	return {look, judge};
}
