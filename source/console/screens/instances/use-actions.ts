import {useEffect, useMemo} from 'react';
import {
	whyOf,
	type InstanceAction,
	type ActionEnding,
	type ActionOutcome,
	actOnAll,
	hasActionFailed,
} from '../../../renter/actions/instance-actions.ts';
import {hourly} from '../../../renter/text/format.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {replaceAll} from '../../../renter/actions/replacement.ts';
import {lyingBar} from '../../ui/graph.ts';
import type {Message} from '../../ui/message.ts';
import {useServices, type Services} from '../../services/services.tsx';
import {isReplaceable} from './actions.ts';
import type {Timers} from '../../../renter/state/timers.ts';
import {createStore, type Store} from '../../../renter/state/store.ts';
import {holdingAt, type StackEntry} from '../../services/router.ts';

/** Sentence at the start, as confirming the outcome takes time. */
function describeBeginning(action: InstanceAction, count: number): string {
	const what = count === 1 ? 'it' : `${count}`;
	return `${doing[action]} ${what}. The service is asked until that is seen.`;
}

/** Columns of the bar behind the count. */
const BAR = 12;

/** Progress of an action on several: "Destroying 34: 21 are gone". */
export function describeProgress(
	action: InstanceAction,
	count: number,
	outcomes: readonly ActionOutcome[],
): string {
	const reached = outcomes.filter(outcome => !hasActionFailed(outcome)).length;
	const share = lyingBar(reached / count, BAR).padEnd(BAR, '░');
	return `${doing[action]} ${count}: ${reached} ${reached === 1 ? 'is' : 'are'} ${done[action]} ${share}`;
}

/** Outcomes as sentences: "2 of 3 are gone. 8812402 was not destroyed: ... It still costs $0.21/h." */
export function describeOutcomes(
	action: InstanceAction,
	outcomes: readonly ActionOutcome[],
): string {
	const of = (kind: ActionEnding['kind']) => outcomes.filter(({ending}) => ending.kind === kind);
	const all = outcomes.length;
	return [
		...describeSome(of('gone'), all, 'gone'),
		...describeSome(of('done'), all, done[action]),
		...describeSome(of('queued'), all, 'waiting for GPUs'),
		...describePending(action, of('pending')),
		...describeUnlisted(of('unlisted')),
		...byReason(of('refused')).map(some => describeRefused(action, some)),
		...byReason(of('unknown')).map(some => describeUnknown(action, some)),
	].join(' ');
}

const doing: Readonly<Record<InstanceAction, string>> = {
	stop: 'Stopping',
	start: 'Starting',
	destroy: 'Destroying',
	reboot: 'Rebooting',
	recycle: 'Recycling',
};

const done: Readonly<Record<InstanceAction, string>> = {
	stop: 'stopped',
	start: 'starting',
	destroy: 'gone',
	reboot: 'rebooting',
	recycle: 'recycling',
};

const past: Readonly<Record<InstanceAction, string>> = {
	stop: 'stopped',
	start: 'started',
	destroy: 'destroyed',
	reboot: 'rebooted',
	recycle: 'recycled',
};

const idsOf = (some: readonly ActionOutcome[]) =>
	some
		.map(({id}) => id)
		.toSorted((a, b) => a - b)
		.join(', ');

/** A verb for one or several: "is", "are". */
const verb = (some: readonly ActionOutcome[], [one, many]: readonly [one: string, many: string]) =>
	some.length === 1 ? one : many;

function describeSome(
	some: readonly ActionOutcome[],
	all: number,
	word: string,
): readonly string[] {
	if (some.length === 0) return [];
	if (all === 1) return [`${idsOf(some)} is ${word}.`];
	if (some.length === all) return [`All ${all} are ${word}.`];
	return [`${some.length} of ${all} ${verb(some, ['is', 'are'])} ${word}.`];
}

function describePending(
	action: InstanceAction,
	some: readonly ActionOutcome[],
): readonly string[] {
	if (some.length === 0) return [];
	const still = action === 'destroy' ? 'still listed' : 'not seen to be so';
	const next = action === 'destroy' ? ' x sends it again.' : '';
	const [was, is] = [verb(some, ['was', 'were']), verb(some, ['is', 'are'])];
	return [
		`${idsOf(some)} ${was} accepted to be ${past[action]} and ${is} ${still}: ${chargeWarning(some)}.${next}`,
	];
}

function describeUnlisted(some: readonly ActionOutcome[]): readonly string[] {
	if (some.length === 0) return [];
	const are = verb(some, ['is', 'are']);
	return [`${idsOf(some)} ${are} not listed, and not proven to be gone: ${chargeWarning(some)}.`];
}

function describeRefused(action: InstanceAction, some: readonly ActionOutcome[]): string {
	const costs = some.reduce((sum, {perHour: rate = 0}) => sum + rate, 0);
	const still =
		costs === 0
			? ''
			: ` ${verb(some, ['It still costs', 'They still cost'])} up to ${hourly(costs)}/h.`;
	const was = verb(some, ['was', 'were']);
	return `${idsOf(some)} ${was} not ${past[action]}: ${why(some)}${still}`;
}

function describeUnknown(action: InstanceAction, some: readonly ActionOutcome[]): string {
	const was = verb(some, ['was', 'were']);
	return `Whether ${idsOf(some)} ${was} ${past[action]} is not known: ${why(some)} ${capital(chargeWarning(some))}.`;
}

function chargeWarning(some: readonly ActionOutcome[]): string {
	return verb(some, ['it may still be charged', 'they may still be charged']);
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function why([first]: readonly ActionOutcome[]): string {
	return first !== undefined && 'error' in first.ending ? whyOf(first.ending.error) : '';
}

function byReason(some: readonly ActionOutcome[]): ReadonlyArray<readonly ActionOutcome[]> {
	return [...Map.groupBy(some, one => why([one])).values()];
}

/** Time in which a sweep can be taken back before anything is sent. */
export const HOLD_MS = 5000;

type HeldSweep = {readonly ids: readonly number[]; readonly cancel: () => void};

/** A sweep that starts after a moment, unless it is cancelled. */
export function createHeldSweep() {
	const store = createStore<HeldSweep | undefined>(undefined);
	return {
		/** The held sweep; undefined for none. */
		get: store.get,
		hold({after}: Timers, ids: readonly number[], run: () => void) {
			store.get()?.cancel();
			const cancel = after(HOLD_MS, () => {
				store.set(undefined);
				run();
			});
			store.set({ids, cancel});
		},
		takeBack() {
			store.get()?.cancel();
			store.set(undefined);
		},
	};
}

type UnderWay = {
	readonly held: Pick<ReturnType<typeof createHeldSweep>, 'get'>;
	readonly underWay: Store<number>;
};

/** Counts the instances worked on, while the work goes on. */
export function counting(underWay: UnderWay['underWay']) {
	return (count: number, work: Promise<void>): void => {
		underWay.set(underWay.get() + count);
		void work.finally(() => underWay.set(underWay.get() - count));
	};
}

/** Names unfinished work to a user who leaves. */
export function useHolding(stackEntry: StackEntry, {held, underWay}: UnderWay): void {
	useEffect(() => {
		holdingAt(stackEntry).lost = () => {
			const waiting = held.get()?.ids.length;
			if (waiting !== undefined) return `a sweep of ${waiting} was not sent yet`;
			const count = underWay.get();
			const what = count === 1 ? 'one instance is' : `${count} instances are`;
			return count === 0 ? undefined : `${what} still being acted on`;
		};
	}, [stackEntry, held, underWay]);
}

type Say = (message: Message) => void;

/** Runs confirmed actions, and shows the outcome for each instance. */
export function useActions(say: Say) {
	const services = useServices();
	return useMemo(() => ({run: createRun(services, say)}), [services, say]);
}

/** @param isReplacing whether an equal offer is rented for each instance that is gone */
type Run = (
	action: InstanceAction,
	rows: readonly FleetRow[],
	isReplacing?: boolean,
) => Promise<void>;

function createRun(services: Services, say: Say): Run {
	const {fleet} = services;
	return async (action, rows, isReplacing = false) => {
		say({text: describeBeginning(action, rows.length), isError: false});
		const outcomesSoFar: ActionOutcome[] = [];
		const onOutcome = (outcome: ActionOutcome): void => {
			outcomesSoFar.push(outcome);
			if (outcomesSoFar.length === rows.length) return;
			say({text: describeProgress(action, rows.length, outcomesSoFar), isError: false});
		};
		const outcomes = await actOnAll(action, rows, {...services, onOutcome});
		const gone = new Set(outcomes.filter(({ending}) => ending.kind === 'gone').map(({id}) => id));
		const left =
			gone.size > 0 ? ` What is left costs ${hourly(fleet.state.get().burn.now)}/h.` : '';
		say({text: describeOutcomes(action, outcomes) + left, isError: outcomes.some(hasActionFailed)});
		if (!isReplacing) return;
		const replaced = rows.filter(row => gone.has(row.instance.id) && isReplaceable(row));
		await replaceAll(
			services,
			replaced.map(({instance}) => instance),
		);
	};
}
