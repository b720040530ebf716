/** Announces events of the fleet to a user in another window, and records them for hosts. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {AgreedLeases, ChangedLease} from '../leases/agreed.ts';
import type {Leases} from '../leases/leases.ts';
import type {Polling} from '../state/polling.ts';
import type {HostHistory} from '../offers/host-history.ts';
import {isSick} from '../instance/examined.ts';
import {printable} from '../text/text-width.ts';
import type {Event, Notify} from '../words/alert.ts';
import {shownLabel} from '../words/lease.ts';
import {isTrouble, type InstanceCondition} from '../instance/condition.ts';
import type {Fleet} from './fleet.ts';
import {newEvents, type FleetEvent, type FleetRow, type FleetState} from './fleet-state.ts';
import {troubleCount} from './fleet-texts.ts';

export function followFleet(
	fleet: Pick<Fleet, 'state'>,
	notify: Notify,
	hosts: HostHistory,
): () => void {
	let latest = fleet.state.get();
	return fleet.state.subscribe(() => {
		const before = latest;
		latest = fleet.state.get();
		const trouble = troubleCount(latest.troubles);
		if (trouble !== troubleCount(before.troubles)) notify.setTrouble('instances', trouble);
		notify.setBooting(latest.burn.groups.booting.count);
		for (const event of [
			...sickGpus(before, latest),
			...exitedRuns(before, latest),
			...returnedOnes(before, latest),
		])
			notify.send(event);
		if (latest.events === before.events) return;
		for (const event of newEvents(before.events, latest.events)) {
			const row = latest.rows.find(({instance: {id}}) => id === event.id);
			const announced = announcement(event, row?.instance.actual_status);
			if (announced !== undefined) notify.send(announced);
			// Boots that cannot be saved are remembered until rentty ends.
			if (row !== undefined) noteForHost(hosts, event, row).catch(() => undefined);
		}
	});
}

type Announced = 'stuck' | 'dead' | 'undead' | 'failed' | 'idle' | 'running' | 'waiting';

const texts: Readonly<Record<Announced, string>> = {
	stuck: 'is stuck. X sweeps what is stuck.',
	dead: 'is dead: it will not run by itself.',
	undead: 'was destroyed, and is still listed. It may still be charged.',
	failed: 'could not start, or go on. Its disk still costs.',
	idle: 'is idle: it costs, and its GPUs do nothing.',
	running: 'is running.',
	waiting: 'lost its GPUs, and waits for them.',
};

const hostLost = 'lost its host: nothing is heard of it. It may come back, or be dead.';

const isAnnounced = (condition: InstanceCondition): condition is Announced =>
	Object.hasOwn(texts, condition);

/** Usual preceding conditions, after which a condition is no news. */
const usualBefore: Readonly<Partial<Record<InstanceCondition, readonly InstanceCondition[]>>> = {
	running: ['idle', 'destroying', 'gone'],
	waiting: ['stopped'],
};

/** Announcement of an event; undefined for one that the user caused, or that does not matter. */
function announcement(
	{id, label, from, to}: FleetEvent,
	status: string | null | undefined,
): Event | undefined {
	if (!isAnnounced(to)) return undefined;
	// A newly listed instance is news only if it is in trouble.
	const isUsual = from === undefined || usualBefore[to]?.includes(from) === true;
	if (isUsual && !isTrouble(to)) return undefined;
	const isLost = to === 'dead' && (status === 'offline' || status === 'unknown');
	const text = `${subjectOf(id, label)} ${isLost ? hostLost : texts[to]}`;
	return {kind: isLost ? 'host-lost' : to, about: `instance ${id}`, state: to, text, instance: id};
}

/** Instances that are listed again although they were proven to be gone. */
function returnedOnes(before: FleetState, after: FleetState): readonly Event[] {
	const rows = new Map(before.rows.map(row => [row.instance.id, row]));
	return after.rows.flatMap(({instance: {id, label}, condition, now}): readonly Event[] => {
		const was = rows.get(id)?.condition ?? 'gone';
		if (was !== 'gone' || condition === 'gone' || !before.gone.has(id)) return [];
		const text = `${subjectOf(id, label)} was gone, and is listed again: it may be charged. x destroys it.`;
		const state = `listed again at ${now}`;
		return [{kind: 'undead', about: `instance ${id}`, state, text, instance: id}];
	});
}

/**
 * Consecutive polls that must show an end before it is reported: a single one may be older than a
 * start.
 */
const POLLS_TO_REPORT = 2;

/** Runs that ended by themselves, once enough polls show it. */
function exitedRuns(before: FleetState, after: FleetState): readonly Event[] {
	const pollsBefore = new Map(
		before.rows.map(({instance, observation}) => [instance.id, exitPolls(observation)]),
	);
	return after.rows.flatMap(({instance, condition, observation}): readonly Event[] => {
		const {id, label, status_msg: message} = instance;
		const earlier = pollsBefore.get(id) ?? POLLS_TO_REPORT;
		const isNew = earlier < POLLS_TO_REPORT && exitPolls(observation) >= POLLS_TO_REPORT;
		if (condition !== 'failing' || !observation.hasRun || !isNew) return [];
		const why = printable(message ?? '')
			.trim()
			.replace(/\.$/, '');
		const text = `${subjectOf(id, label)} exited, not by you${why === '' ? '' : `: ${why}`}. l shows its log.`;
		const state = `exited at ${observation.phases.at(-1)?.since}`;
		return [{kind: 'exited', about: `instance ${id}`, state, text, instance: id}];
	});
}

/** Consecutive polls that showed an instance as exited. */
function exitPolls({phases, state}: FleetRow['observation']): number {
	return phases.at(-1)?.status === 'exited' ? (state?.looks ?? 0) : 0;
}

/**
 * GPUs found sick by an examination, but not by the one before: a console reports only changes that
 * it observes.
 */
function sickGpus(before: FleetState, after: FleetState): readonly Event[] {
	const known = new Map(before.rows.map(row => [row.instance.id, row.examined]));
	return after.rows.flatMap(({instance: {id, label}, examined}): readonly Event[] => {
		const earlier = known.get(id);
		if (examined === undefined || examined.at === earlier?.at || !known.has(id)) return [];
		const wasSick = new Set(earlier?.gpus.filter(isSick).map(({index}) => index));
		return examined.gpus
			.filter(gpu => isSick(gpu) && !wasSick.has(gpu.index))
			.map(({index, health, evidence}) => ({
				kind: 'gpu-sick',
				about: `GPU ${index} of instance ${id}`,
				state: health,
				text: `GPU ${index} of ${nameOf(id, label)} is ${health}: it ${printable(evidence)}. h examines it again.`,
				instance: id,
			}));
	});
}

function nameOf(id: number, label: string | null | undefined): string {
	const name = shownLabel(label);
	return name === '' ? `instance ${id}` : `${name} (${id})`;
}

/** The name at the beginning of a sentence. */
function subjectOf(id: number, label: string | null | undefined): string {
	return shownLabel(label) === '' ? `Instance ${id}` : nameOf(id, label);
}

async function noteForHost(hosts: HostHistory, {from, to, at}: FleetEvent, row: FleetRow) {
	const {host_id: host} = row.instance;
	const first = row.observation.phases[0]?.since;
	if (typeof host !== 'number' || first === undefined || from === undefined) return;
	const boot = {at, seconds: Math.max(0, Math.round((at - first) / 1000))};
	const wasBooting = from === 'loading' || from === 'provisioning' || from === 'slow';
	if (wasBooting && to === 'running') await hosts.booted(host, boot);
	if (wasBooting && to === 'stuck') await hosts.gotStuck(host, boot);
}

type FollowingKeepers = {
	readonly fleet: Pick<Fleet, 'state'>;
	readonly leases: Pick<Leases, 'unasked' | 'askWatchdog'>;
	readonly polling: Polling;
};

const ASK_MS = 10_000;

/** Asks watchdogs for their leases, one at a time, while a screen shows the fleet. */
export function followKeepers({fleet: {state}, leases, polling}: FollowingKeepers): () => void {
	function next(): Instance | undefined {
		const {rows, everyMs} = state.get();
		if (everyMs > ASK_MS) return undefined;
		const open = rows.filter(
			({keepers, condition}) => keepers?.[0] === '.' && condition !== 'gone',
		);
		return leases.unasked(open.map(({instance}) => instance));
	}
	const poller = polling.start({
		dueAt: lastAt => (next() === undefined ? undefined : lastAt + ASK_MS),
		async ask() {
			const instance = next();
			if (instance !== undefined) await leases.askWatchdog(instance);
		},
	});
	const unsubscribe = state.subscribe(poller.plan);
	return () => {
		unsubscribe();
		poller.close();
	};
}

/**
 * Stores the leases in the labels of complete lists, while a fleet is watched.
 *
 * @param onChange called for each that was changed elsewhere, with the service's time in
 * milliseconds
 */
export function followLeases(
	{state}: Pick<Fleet, 'state'>,
	agreed: Pick<AgreedLeases, 'note'> | undefined,
	onChange: (changed: ChangedLease, date: number) => void,
): () => void {
	let checkedAt: number | undefined;
	return state.subscribe(() => {
		const {rows, error, incomplete, reading, checkedAt: at} = state.get();
		const isWhole = [error, incomplete, reading].every(part => part === undefined);
		if (at === undefined || at === checkedAt || !isWhole) return;
		checkedAt = at;
		const date = at + (rows[0]?.skewMs ?? 0);
		const instances = rows.map(({instance}) => instance);
		for (const one of agreed?.note(instances, date) ?? []) onChange(one, date);
	});
}
