/** What `ps --json` says, beside the truth of the moment: of each instance that did not change meanwhile. */
import {isRecord, parseJson} from '../../../source/contract/grammar/json.ts';
import {readLabel} from '../../../source/renter/words/lease.ts';
import {wallClock} from '../world/world.ts';
import type {Truth} from '../truth.ts';

type Row = Readonly<Record<string, unknown>>;

/** Rows of an account's instances by their number; costs without traffic, of which no record tells. */
export function stateNow(truth: Truth, accountId: number): ReadonlyMap<number, Row> {
	if (!truth.isOpen()) return new Map();
	const rows = truth.rows(
		`select id, actual, intended, label, created_at, destroyed_at, billed_until, gpu_micros, storage_micros, disk_gb,
		is_bid,
		(select sum(amount_micros) from charges where source = 'instance' and source_id = instances.id
			and item not in ('bwd', 'bwu')) as cost
		from instances where account_id = ?`,
		accountId,
	);
	return new Map(rows.map(row => [Number(row['id']), row]));
}

/** Seconds and dollars by which ages and costs may be off: a charge is taken each minute. */
const MOST_SECONDS = 60;
const MINUTES = 3;

type Asker = {readonly truth: Truth; readonly accountId: number};

/** @param before Rows as they were when the command began */
export function liesOf(
	{truth, accountId}: Asker,
	out: string,
	before: ReadonlyMap<number, Row>,
): readonly string[] {
	if (!truth.isOpen()) return [];
	const after = stateNow(truth, accountId);
	const shown = out
		.split('\n')
		.map(line => parseJson(line))
		.filter(isRecord);
	const ids = new Set(shown.map(({id}) => Number(id)));
	const left = [...before].filter(
		([id, row]) => row['destroyed_at'] === null && after.get(id)?.['destroyed_at'] === null,
	);
	return [
		...left.flatMap(([id]) => (ids.has(id) ? [] : [`ps leaves out ${id}`])),
		...shown.flatMap(said => {
			const id = Number(said['id']);
			const [then, now] = [before.get(id), after.get(id)];
			if (now === undefined) return [`ps shows ${id}, which is nobody's here`];
			return then === undefined || now['destroyed_at'] !== null ? [] : lies(said, then, now);
		}),
	];
}

const wrong = (said: Row, what: string, truth: unknown) =>
	`ps says of ${Number(said['id'])} ${what} ${String(said[what])}, and it is ${String(truth)}`;

function lies(said: Row, then: Row, now: Row): readonly string[] {
	const kept = (field: string) => then[field] === now[field];
	const age = wallClock(undefined) / 1000 - Number(now['created_at']);
	const late = Math.abs(age - Number(said['age_seconds']));
	const label = typeof now['label'] === 'string' ? readLabel(now['label']).label : '';
	return [
		...(kept('intended') && said['wanted'] !== now['intended']
			? [wrong(said, 'wanted', now['intended'])]
			: []),
		...(kept('label') && (said['label'] ?? '') !== label ? [wrong(said, 'label', label)] : []),
		...(late > MOST_SECONDS ? [wrong(said, 'age_seconds', age)] : []),
		...costLies(said, then, now),
	];
}

function costLies(said: Row, then: Row, now: Row): readonly string[] {
	const perHour =
		Number(now['gpu_micros']) + (Number(now['storage_micros']) * Number(now['disk_gb'])) / 720;
	const slack = (perHour / 60) * MINUTES + 10_000;
	// Charges are written when somebody needs them: until then they are as good as written.
	const unwritten = wallClock(undefined) / 1000 - Number(now['billed_until']);
	const least = Number(then['cost']) - slack;
	const most = Number(now['cost']) + (perHour * unwritten) / 3600 + slack;
	// Nothing tells what a bid was before it was changed.
	const isUnsaid = said['cost_at_most'] === null && now['is_bid'] === 1;
	const saidMost = isUnsaid ? least : Number(said['cost_at_most']) * 1e6;
	return [
		...(Number(said['cost_at_least']) * 1e6 > most
			? [wrong(said, 'cost_at_least', `at most ${most / 1e6}`)]
			: []),
		...(saidMost < least ? [wrong(said, 'cost_at_most', `at least ${least / 1e6}`)] : []),
	];
}
