/** What can be done to instances: how hard it is asked, when it is not to be done, what came of it. */
import type {Doomed, Level, Question} from '../../components/confirmation.ts';
import type {Condition} from '../../fleet/condition.ts';
import type {FleetRow} from '../../fleet/fleet-state.ts';
import {printable} from '../../terminal/output/text-width.ts';
import {perHour} from './prices.ts';
import {reasonOf} from './reason.ts';
import {ageOf, gpusOf, labelOf, stateOf} from './words.ts';

export type Deed = 'stop' | 'start' | 'destroy' | 'reboot' | 'recycle';

/** What a review asks before a deed. */
export function questionAbout(deed: Deed, rows: readonly FleetRow[], all: number): Question {
	return {
		verb: deed,
		noun: 'instance',
		targets: rows.map(row => doomed(deed, row)),
		isEverything: deed === 'destroy' && rows.length > 1 && rows.length === all,
	};
}

/** An instance as a question names it. */
export function doomed(deed: Deed, row: FleetRow): Doomed {
	const {instance, condition, seen} = row;
	const data = seen.hasRun ? 'ran, has data' : 'never ran';
	return {
		id: instance.id,
		name: labelOf(instance),
		detail: `${gpusOf(instance)}  ${stateOf(row)} ${ageOf(row)}  ${data}`,
		// Slow or stuck, it is still the same boot; but what has begun to run has something to lose.
		state: condition === 'gone' ? 'gone' : printable(instance.actual_status ?? 'provisioning'),
		level: levelFor(deed, row),
	};
}

function levelFor(deed: Deed, {seen}: FleetRow): Level {
	return (deed === 'destroy' || deed === 'recycle') && seen.hasRun ? 2 : 1;
}

const resting = new Set<Condition>(['stopped']);

/** Why a deed makes no sense for an instance; undefined where it does. */
export function refusal(deed: Deed, {condition}: Pick<FleetRow, 'condition'>): string | undefined {
	if (condition === 'gone') return 'it is gone';
	if (condition === 'destroying' && deed !== 'destroy') return 'it is being destroyed';
	if (deed === 'start') return resting.has(condition) ? undefined : 'it is not stopped';
	if (deed === 'stop') return resting.has(condition) ? 'it is stopped' : undefined;
	return deed === 'destroy' || !resting.has(condition) ? undefined : 'it is stopped';
}

/** What a deed brings about, said before it is done. */
export function factsAbout(
	deed: Deed,
	rows: readonly FleetRow[],
): ReadonlyArray<readonly [title: string, text: string]> {
	const most = rows.reduce((sum, {rate: {atMost = 0}}) => sum + atMost, 0);
	const disk = rows.reduce((sum, {instance}) => sum + (instance.storage_total_cost ?? 0), 0);
	switch (deed) {
		case 'destroy':
			return [
				['What happens', 'The instance and everything on its disk is deleted for good.'],
				['Money', `Ends all charges: up to $${perHour(most)}/h.`],
				...dataFact(rows),
			];
		case 'stop':
			return [
				[
					'What happens',
					'The container ends. Its disk stays, and its GPUs may be taken by others.',
				],
				['Money', `Its disk still costs $${disk.toFixed(4)}/h, $${(disk * 24).toFixed(2)}/day.`],
			];
		case 'start':
			return [
				['What happens', 'It starts if its GPUs are free, and else waits for them.'],
				['Money', `Up to $${perHour(fullPrice(rows))}/h once it runs.`],
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

function fullPrice(rows: readonly FleetRow[]): number {
	return rows.reduce((sum, {instance}) => sum + (instance.dph_total ?? 0), 0);
}

function dataFact(rows: readonly FleetRow[]): ReadonlyArray<readonly [string, string]> {
	const ran = rows.filter(({seen}) => seen.hasRun);
	if (ran.length === 0) return [];
	const names = ran.map(({instance}) => labelOf(instance) || String(instance.id)).join(', ');
	return [['Data', `${names} ran before: files on it are lost.`]];
}

/** What came of a deed for one instance. */
export type Outcome = {
	readonly id: number;
	/** Why it was not done. */
	readonly error?: Error | undefined;
	/** What it goes on costing, in dollars an hour. */
	readonly perHour: number | undefined;
};

const done: Readonly<Record<Deed, string>> = {
	stop: 'stopping',
	start: 'starting',
	destroy: 'accepted',
	reboot: 'rebooting',
	recycle: 'recycling',
};

/** The results one by one: "2 gone. 8812402 was refused: ... It still costs $0.21/h." */
export function describeOutcomes(
	deed: Deed,
	outcomes: readonly Outcome[],
	gone: ReadonlySet<number> = new Set(),
): string {
	const refused = outcomes.filter(({error}) => error !== undefined);
	const accepted = outcomes.filter(({error}) => error === undefined);
	const waiting = accepted.filter(({id}) => !gone.has(id));
	const ids = (of: readonly Outcome[]) => of.map(({id}) => id).join(', ');
	const lost = accepted.filter(({id}) => gone.has(id));
	return [
		...(lost.length > 0 ? [describeGone(lost, outcomes.length)] : []),
		...(waiting.length > 0 ? [`${ids(waiting)}: ${done[deed]}.`] : []),
		...refused.map(one => describeRefused(deed, one)),
	].join(' ');
}

function describeGone(lost: readonly Outcome[], all: number): string {
	const [only] = lost;
	if (all === 1 && only !== undefined) return `${only.id} is gone.`;
	return lost.length === all ? `All ${all} are gone.` : `${lost.length} of ${all} gone.`;
}

function describeRefused(deed: Deed, {id, error, perHour: rate}: Outcome): string {
	const costs =
		rate === undefined || rate === 0 ? '' : ` It still costs up to $${perHour(rate)}/h.`;
	return `${id} was not ${past[deed]}: ${reasonOf(error)}${costs}`;
}

const past: Readonly<Record<Deed, string>> = {
	stop: 'stopped',
	start: 'started',
	destroy: 'destroyed',
	reboot: 'rebooted',
	recycle: 'recycled',
};
