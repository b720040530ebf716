/** Sightings of instances for their leases, from lists. */
import {hasStopped, isSameStart} from '../../client/nouns/instance-list.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {fullPrice} from '../instance/burn.ts';
import {costSoFar, paidShare} from '../instance/cost.ts';
import {idleAgain, MOST_APART_MS, type Sighting} from './decide.ts';
import type {BusyKind, Lease} from '../words/lease.ts';
import {fieldsOf, listOf} from '../../contract/grammar/json.ts';
import {openFileWriter} from '../../client/files/files.ts';
import {readKeptJson, serviceId, type KeptService} from '../files/kept-file.ts';
import {HOUR_MS} from '../../contract/rules/durations.ts';

/** Measurements inside an instance; undefined parts are unknown. */
export type InsideMeasurements = {
	/** Bytes over the network since the last poll. */
	readonly networkBytes: number | undefined;
	readonly sshSessions: number | undefined;
};

/** Stored observations of an instance between polls. */
export type KeptSightings = {
	readonly sightings: readonly Sighting[];
	readonly record: Instance | undefined;
	/** Certain cost of what was watched so far, in dollars. */
	readonly cost: number | undefined;
	/** True if idleness could be measured at the last poll. */
	readonly isMeasured: boolean;
};

export const noSightings: KeptSightings = {
	sightings: [],
	record: undefined,
	cost: undefined,
	isMeasured: false,
};

export type LeasePoll = {
	/** The counted service's time at the list, in milliseconds. */
	readonly date: number;
	readonly steady: number;
	readonly measured: InsideMeasurements | undefined;
	readonly lease: Pick<Lease, 'ignores' | 'idleSeconds'>;
	readonly done?: string | undefined;
};

/** Most polls kept: two that are ten seconds apart are enough. */
const MOST_SIGHTINGS = 64;

export function seeAgain(before: KeptSightings, record: Instance, poll: LeasePoll): KeptSightings {
	const cost = certainCost(before, record, poll);
	const shown = {
		date: poll.date,
		steady: poll.steady,
		startDate: record.start_date ?? undefined,
		isStopped: hasStopped(record),
		cost,
		costAtMost: mostCost(before, record, poll),
		done: poll.done,
	};
	const idle = isIdle(before.record, record, poll)
		? idleAgain(before.sightings.at(-1), shown)
		: undefined;
	const sightings = [...before.sightings, {...shown, idle}].slice(-MOST_SIGHTINGS);
	return {sightings, record, cost, isMeasured: isMeasured(before, record, poll)};
}

const GPU_PERCENT = 5;
const CPU_PERCENT = 10;
const DISK_GB = 0.01;
const NETWORK_BYTES = 1_000_000;

/** True if the instance was measured to be idle. Unmeasured activity counts as busy. */
export function isIdle(before: Instance | undefined, record: Instance, poll: LeasePoll): boolean {
	if (poll.lease.idleSeconds === undefined) return false;
	if (record.actual_status !== 'running') return hasCrashed(record);
	return quietness(before, record, poll).every(isQuiet => isQuiet === true);
}

/** True if nothing runs any more although its owner did not stop it. */
function hasCrashed(record: Instance): boolean {
	const {actual_status: status, intended_status: intended} = record;
	return status === 'exited' && intended !== 'stopped' && !hasStopped(record);
}

/**
 * True if a poll measured every activity that counts. An instance that the service shows as busy is
 * not measured further: the result of an earlier poll counts.
 */
function isMeasured(
	{isMeasured: wasMeasured, record: before}: KeptSightings,
	record: Instance,
	poll: LeasePoll,
): boolean {
	if (record.actual_status !== 'running') return wasMeasured || hasCrashed(record);
	const all = quietness(before, record, poll);
	if (!all.includes(undefined)) return true;
	return all.includes(false) && wasMeasured;
}

/**
 * True for each quiet measure, of the GPUs and of each activity that counts; undefined for an unknown
 * one.
 */
function quietness(before: Instance | undefined, record: Instance, {lease, measured}: LeasePoll) {
	const quiet: Readonly<Record<BusyKind, () => boolean | undefined>> = {
		cpu: () => isBelow(record.cpu_util, CPU_PERCENT),
		disk: () => isStill(before?.disk_usage, record.disk_usage),
		network: () => isBelow(measured?.networkBytes, NETWORK_BYTES),
		ssh: () => isBelow(measured?.sshSessions, 1),
	};
	const kinds = (['cpu', 'disk', 'network', 'ssh'] as const).filter(
		kind => !lease.ignores.includes(kind),
	);
	return [isBelow(record.gpu_util, GPU_PERCENT), ...kinds.map(kind => quiet[kind]())];
}

/** True for a known value below a limit; services send -1 for unknown ones. */
function isBelow(value: number | null | undefined, limit: number): boolean | undefined {
	return typeof value === 'number' && value >= 0 ? value < limit : undefined;
}

/** True if the disk usage is unchanged: a download would fill the disk. */
function isStill(before: number | null | undefined, now: number | null | undefined) {
	if (typeof before !== 'number' || typeof now !== 'number') return undefined;
	return before < 0 || now < 0 ? undefined : Math.abs(now - before) < DISK_GB;
}

/**
 * Certain cost of an instance: the sum over observed time, each interval at the lower price of the
 * two polls around it. Time before the first poll, or between two distant polls, is not certain,
 * whatever a record says of the past.
 */
export function certainCost(
	{record: before, cost, sightings}: KeptSightings,
	record: Instance,
	{date, steady}: Pick<LeasePoll, 'date' | 'steady'>,
): number | undefined {
	const last = sightings.at(-1);
	if (last === undefined || before === undefined || !isKnown(record)) return cost;
	if (isAnother(before, record)) return undefined;
	const passed = Math.max(0, Math.min(date - last.date, steady - last.steady));
	if (passed > MOST_APART_MS) return cost;
	const ran = Math.min(rateOf(before), rateOf(record));
	return (cost ?? 0) + (passed * ran) / HOUR_MS;
}

/** Highest possible cost so far, by the record or by what it was before: it never falls. */
function mostCost({record: before, sightings}: KeptSightings, record: Instance, {date}: LeasePoll) {
	const most = costSoFar({instance: record, now: date}).atMost;
	const last = sightings.at(-1);
	if (last?.costAtMost === undefined || (before !== undefined && isAnother(before, record))) {
		return most;
	}
	const passed = Math.max(0, date - last.date);
	const grown = last.costAtMost + (passed * (fullPrice(record) ?? 0)) / HOUR_MS;
	return Math.max(grown, most ?? 0);
}

const isKnown = ({start_date: start}: Instance) => typeof start === 'number';

/** True for an instance with the id of an earlier one. */
function isAnother(before: Instance, record: Instance): boolean {
	return isKnown(before) && isKnown(record) && !isSameStart(before.start_date, record.start_date);
}

function rateOf({actual_status: status, dph_base: base, ...record}: Instance): number {
	const gpus = Math.max(0, base ?? 0) * (1 - paidShare(record));
	return Math.max(0, record.storage_total_cost ?? 0) + (status === 'running' ? gpus : 0);
}

/** Certain cost of an instance, with its start: a later instance may get the same id. */
type KeptCost = {readonly id: number; readonly startDate: number; readonly dollars: number};

export type KeptCosts = {
	/** Polls of an instance, with its cost before them. */
	readonly recall: (instance: Instance, history: KeptSightings) => KeptSightings;
	/**
	 * Stores the costs of all instances on which this poll and the previous one agree. Never fails.
	 */
	readonly keep: (
		fleet: ReadonlyArray<{readonly instance: Instance; readonly soFar: number | undefined}>,
	) => void;
	readonly settle: () => Promise<void>;
};

/** Write interval: sums grow with each poll, and at most a minute is lost. */
const WRITE_MS = 60_000;

/**
 * File of the certain costs of instances, for the next start of a guard.
 *
 * @param now milliseconds on any clock
 */
export function openKeptCosts(file: string, of: KeptService, now: () => number): KeptCosts {
	const service = serviceId(of);
	const write = openFileWriter(file);
	let kept = readCosts(file, service);
	/** Costs at the previous poll. */
	let shown: ReadonlyMap<number, number> = new Map();
	let writtenAt = Number.NEGATIVE_INFINITY;
	let writing = Promise.resolve();

	function costOf({id, start_date: start}: Instance): number | undefined {
		const found = kept.get(id);
		return isSameStart(found?.startDate, start) ? found?.dollars : undefined;
	}

	return {
		recall(instance, seen) {
			const dollars = Math.max(costOf(instance) ?? 0, seen.cost ?? 0);
			return dollars === 0 ? seen : {...seen, cost: dollars};
		},
		keep(fleet) {
			const costs = fleet.flatMap(({instance, soFar}): readonly KeptCost[] => {
				const {id, start_date: startDate} = instance;
				const agreed = Math.min(soFar ?? 0, shown.get(id) ?? 0);
				const dollars = Math.max(agreed, costOf(instance) ?? 0);
				return typeof startDate === 'number' && dollars > 0 ? [{id, startDate, dollars}] : [];
			});
			kept = new Map(costs.map(cost => [cost.id, cost]));
			shown = new Map(fleet.map(({instance: {id}, soFar}) => [id, soFar ?? 0]));
			if (Math.abs(now() - writtenAt) < WRITE_MS) return;
			writtenAt = now();
			const text = JSON.stringify({service, costs});
			// Without the file, a sum only covers this run, and is still a true minimum.
			writing = write(() => text).catch(() => undefined);
		},
		settle: async () => writing,
	};
}

function readCosts(file: string, service: string): ReadonlyMap<number, KeptCost> {
	const {service: written, costs} = fieldsOf(readKeptJson(file));
	if (written !== service) return new Map();
	return new Map(
		listOf(costs)
			.flatMap(readCost)
			.map(cost => [cost.id, cost]),
	);
}

function readCost(value: unknown): readonly KeptCost[] {
	const {id, startDate, dollars} = fieldsOf(value);
	const isCost = [id, startDate, dollars].every(one => typeof one === 'number' && one >= 0);
	if (!isCost) return [];
	return [{id: Number(id), startDate: Number(startDate), dollars: Number(dollars)}];
}
