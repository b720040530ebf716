import type {ActionTarget, Level, ConfirmationQuestion} from '../../ui/confirmation.ts';
import {reviewTerms} from '../../../renter/actions/changed-meanwhile.ts';
import type {InstanceAction} from '../../../renter/actions/instance-actions.ts';
import {
	isTrouble,
	isAtRest,
	evidenceOf,
	evidenceFor,
	isSweepable,
	whyLeft,
} from '../../../renter/instance/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {paidAhead, type OverBudget} from '../../../renter/instance/cost.ts';
import {isPastEnd} from '../../../renter/leases/held.ts';
import {formatGpus, hourly, money, pricePerDay, pricePerHour} from '../../../renter/text/format.ts';
import {ageOf, labelOf, conditionText, serviceStateWord} from './words.ts';

export function questionAbout(
	action: InstanceAction,
	rows: readonly FleetRow[],
	all: number,
): ConfirmationQuestion {
	return {
		verb: action,
		noun: 'instance',
		targets: rows.map(row => targetOf(action, row)),
		isEverything: action === 'destroy' && rows.length > 1 && rows.length === all,
	};
}

/** Question for an action that would exceed a budget: its sum must be typed. */
export function askingForSum(
	question: ConfirmationQuestion,
	over: OverBudget | undefined,
): ConfirmationQuestion {
	if (over === undefined) return question;
	const targets = question.targets.map(target => ({...target, level: 3 as const}));
	return {...question, targets, isEverything: true, sentence: over.sentence};
}

/** The question of a sweep, with stuck and dead instances chosen, and idle ones to choose. */
export function sweepQuestion(rows: readonly FleetRow[], all: number): ConfirmationQuestion {
	const question = questionAbout('destroy', rows, all);
	const lost = new Set(rows.filter(isSweepable).map(({instance: {id}}) => id));
	const targets = question.targets.map(target =>
		lost.has(Number(target.id))
			? target
			: {...target, detail: `${target.detail}, idle: not chosen`, isLeftOut: true},
	);
	const extra = 'rent an equal one in the place of each, at most as dear';
	return {...question, targets, occasion: 'sweep', canChoose: true, extra};
}

/** Instances for a sweep: those proven stuck or dead, then idle ones that cost. */
export function sweepable(rows: readonly FleetRow[]): readonly FleetRow[] {
	return [...rows.filter(isSweepable), ...rows.filter(({condition}) => condition === 'idle')];
}

export function leftAloneFact(
	rows: readonly FleetRow[],
): ReadonlyArray<readonly [title: string, text: string]> {
	const left = rows.filter(row => isTrouble(row.condition) && !isSweepable(row));
	const reasons = left.map(row => `${namesOf([row])} (${whyLeft(row) ?? ''})`);
	return reasons.length === 0 ? [] : [['Left alone', `${reasons.join(', ')}.`]];
}

export function targetOf(action: InstanceAction, row: FleetRow): ActionTarget {
	const {instance, observation} = row;
	const data = observation.hasRun ? 'ran, has data' : 'never ran';
	return {
		id: instance.id,
		name: labelOf(instance),
		detail: [
			formatGpus(instance),
			conditionText(row),
			...costOf(action, row),
			...describeState(row, data),
		].join('  '),
		state: stateOf(row),
		terms: reviewTerms(row),
		level: levelFor(action, row),
	};
}

/** Slow and stuck are one boot, but what has begun to run has data to lose, and what idles does no work. */
function stateOf({instance, condition}: FleetRow): string {
	if (condition === 'gone' || condition === 'idle') return condition;
	return serviceStateWord(instance);
}

/** The cost that ends, in dollars an hour. */
function costOf(action: InstanceAction, {rate: {atMost}}: FleetRow): readonly string[] {
	return action === 'destroy' && atMost !== undefined ? [`${hourly(atMost)}/h`] : [];
}

/** An instance's state, its age and its data; for trouble, the evidence. */
function describeState(row: FleetRow, data: string): readonly string[] {
	return isTrouble(row.condition) ? [data, evidenceFor(row)] : [ageOf(row), data];
}

/** Most instances whose evidence is named each; for more, only the weakest. */
const MOST_EVIDENCE = 3;

function evidenceFact(
	rows: readonly FleetRow[],
): ReadonlyArray<readonly [title: string, text: string]> {
	const shown = rows
		.filter(row => isTrouble(row.condition))
		.toSorted((a, b) => evidenceOf(a).stateMs - evidenceOf(b).stateMs);
	const [first, ...others] = shown.map(row => `${namesOf([row])}: ${evidenceFor(row)}`);
	if (first === undefined) return [];
	if (others.length < MOST_EVIDENCE) return [['Evidence', `${[first, ...others].join('; ')}.`]];
	return [['Evidence', `The weakest of ${shown.length} is that of ${first}.`]];
}

function levelFor(action: InstanceAction, {observation}: FleetRow): Level {
	return (action === 'destroy' || action === 'recycle') && observation.hasRun ? 2 : 1;
}

/** Reason why an action makes no sense for an instance; undefined if it does. */
export function refusal(
	action: InstanceAction,
	{condition}: Pick<FleetRow, 'condition'>,
): string | undefined {
	if (condition === 'gone') return 'it is gone';
	if (condition === 'destroying' && action !== 'destroy') return 'it is being destroyed';
	if (action === 'start') return isAtRest(condition) ? undefined : 'it is not stopped';
	if (action === 'stop') return isAtRest(condition) ? 'it is stopped' : undefined;
	return action === 'destroy' || !isAtRest(condition) ? undefined : 'it is stopped';
}

/** Consequences of an action, shown before it is done. */
export function factsAbout(
	action: InstanceAction,
	rows: readonly FleetRow[],
): ReadonlyArray<readonly [title: string, text: string]> {
	const most = moneyOf(rows.map(({rate: {atMost}}) => atMost));
	switch (action) {
		case 'destroy':
			return [
				['What happens', 'The instance and its whole disk are deleted for good.'],
				['Money', `Saves up to ${most}.`],
				...paidAheadFact(rows),
				...evidenceFact(rows),
				...dataFact(rows),
			];
		case 'stop':
			return [
				[
					'What happens',
					'The container ends. Its disk stays, and its GPUs may be taken by others.',
				],
				['Money', `Its disk still costs ${diskMoney(rows)}.`],
			];
		case 'start':
			return [
				['What happens', 'It starts if its GPUs are free, and else waits for them.'],
				['Money', `Up to ${moneyOf(rows.map(({instance}) => instance.dph_total))} once it runs.`],
				...pastEndFact(rows),
			];
		case 'reboot':
			return [['What happens', 'The container stops and starts. It keeps its GPUs and its disk.']];
		case 'recycle':
			return [
				['What happens', 'The container is made anew from its image, with the same GPUs.'],
				...dataFact(rows),
			];
	}
}

function pastEndFact(rows: readonly FleetRow[]) {
	const past = rows.filter(({instance, now}) => isPastEnd(instance, now));
	if (past.length === 0) return [];
	const ids = past.map(({instance: {id}}) => id).join(', ');
	const text = `The lease of ${ids} is over: whoever keeps it ends it again once it runs. L gives it another.`;
	return [['Lease', text] as const];
}

function paidAheadFact(rows: readonly FleetRow[]) {
	const left = paidAhead(rows);
	if (left <= 0) return [];
	const text = `${money(left)} is left. An early end costs part of it; the rest becomes credit again.`;
	return [['Paid ahead', text] as const];
}

type Prices = ReadonlyArray<number | null | undefined>;

/** A sum of hourly prices, with the count of unknown ones. */
function moneyOf(prices: Prices, write = (sum: number) => `${hourly(sum)}/h`): string {
	const known = prices.filter(one => typeof one === 'number');
	const unknown = prices.length - known.length;
	const sum = write(known.reduce((all, one) => all + one, 0));
	if (unknown === 0) return sum;
	return known.length === 0
		? 'a price that the service does not say'
		: `${sum} and ${unknown} of unknown price`;
}

function diskMoney(rows: readonly FleetRow[]): string {
	const prices = rows.map(({instance}) => instance.storage_total_cost);
	return moneyOf(prices, sum => `${pricePerHour(sum)}, ${pricePerDay(sum * 24)}`);
}

export function replacingFact(
	rows: readonly FleetRow[],
): ReadonlyArray<readonly [title: string, text: string]> {
	const some = rows.filter(isReplaceable);
	const left = rows.length === some.length ? '' : ` Bids, and what has no price, are not replaced.`;
	const most = moneyOf(some.map(({instance}) => instance.dph_total));
	return [
		[
			'Rented',
			`${some.length} like these once each is proven to be gone, together at most ${most}.${left}`,
		],
	];
}

/** True if an equal instance can be rented in its place: one at a fixed price, which is the ceiling. */
export function isReplaceable({instance}: FleetRow): boolean {
	return instance.is_bid !== true && typeof instance.dph_total === 'number';
}

export function leftOutFact(
	action: InstanceAction,
	rows: readonly FleetRow[],
): ReadonlyArray<readonly [title: string, text: string]> {
	const byReason = Map.groupBy(rows, row => refusal(action, row) ?? '');
	const reasons = [...byReason].map(([reason, some]) => `${namesOf(some)} (${reason})`);
	return reasons.length === 0 ? [] : [['Left out', `${reasons.join(', ')}.`]];
}

function namesOf(rows: readonly FleetRow[]): string {
	return rows.map(({instance}) => labelOf(instance) || String(instance.id)).join(', ');
}

function dataFact(rows: readonly FleetRow[]): ReadonlyArray<readonly [string, string]> {
	const ran = rows.filter(({observation}) => observation.hasRun);
	if (ran.length === 0) return [];
	const unreachable = ran.filter(({instance}) => instance.actual_status === 'offline');
	const lost =
		unreachable.length === 0
			? ''
			: ` The host of ${namesOf(unreachable)} is offline: nothing can be copied out now.`;
	return [['Data', `${namesOf(ran)} ran before: files there are lost.${lost}`]];
}
