import type {KnownLeases} from '../leases/agreed.ts';
import type {Keepers} from '../leases/keepers.ts';
import type {OwnStarts} from '../../client/journal/journal.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Observation} from '../instance/observations.ts';
import {type InstanceCondition, conditionOf, type Sight} from '../instance/condition.ts';
import type {LastExamination} from '../instance/examined.ts';
import {type Rated, burnOf, noBurn, rateOf, type Burn} from '../instance/burn.ts';
import {type Lease, shownLabel} from '../words/lease.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import type {ConditionLimits} from '../settings/default-settings.ts';
import {presentSpent, type Spent} from '../instance/cost.ts';

/** An instance with its observations and conclusions. A new poll makes a new row. */
export type FleetRow = Sight &
	Rated & {
		/** Condition at the last poll that showed the instance; undefined before the first. */
		readonly listedAs: InstanceCondition | undefined;
		/**
		 * Time at which rentty saw the change, on this machine's clock; undefined if it was so from
		 * the start.
		 */
		readonly becameAt?: number | undefined;
		/** The lease that was agreed here, if the label has lost it. */
		readonly lostLease?: Lease | undefined;
		/**
		 * Milliseconds by which its deadline comes later than was requested here, as the service's
		 * clock was wrong.
		 */
		readonly leaseMovedMs?: number | undefined;
		/** Enforcers of its lease, as far as known; undefined if nothing ends it. */
		readonly keepers?: Keepers | undefined;
		/** Its last examination; undefined if it had none. */
		readonly examined?: LastExamination | undefined;
		/** True if the polls that showed it are too old to tell its present state. */
		readonly isLastKnown: boolean;
	};

/** An incomplete list of instances, with the service's own count. */
export type Incomplete = {
	readonly read: number;
	readonly total: number | undefined;
	readonly unreadable: Unreadable;
};

export type FleetEvent = {
	readonly at: number;
	readonly id: number;
	readonly label: string;
	readonly from: InstanceCondition | undefined;
	readonly to: InstanceCondition;
};

export type BurnSample = {readonly at: number; readonly now: number; readonly atMost: number};

export type FleetState = {
	/** Trouble first, then the dearest. */
	readonly rows: readonly FleetRow[];
	readonly burn: Burn;
	readonly troubles: Troubles;
	/** Instances that were proven to be gone. */
	readonly gone: ReadonlySet<number>;
	/** Events since rentty started looking, the last first. */
	readonly events: readonly FleetEvent[];
	/** Recent costs, the last sample last: one a minute at most. */
	readonly samples: readonly BurnSample[];
	readonly boots: BootTimes;
	/** Hash of the template of the last rent. */
	readonly lastTemplate: string | undefined;
	/** Time of the service's last answer, on this machine's clock; undefined before the first. */
	readonly checkedAt: number | undefined;
	/** Instances missing from the last list; undefined if none are known to be. */
	readonly incomplete: Incomplete | undefined;
	/** Progress of a list that is read page by page; undefined while none is. */
	readonly reading: Incomplete | undefined;
	readonly error: Error | undefined;
	/** Factor by which calls are slowed because the service refused some: 1 or more. */
	readonly slowness: number;
	/** Dollars. */
	readonly credit: number | undefined;
	/** Recent charges; undefined if the service does not say. */
	readonly spent: Spent | undefined;
	/** Time since which both are known, on this machine's clock. */
	readonly moneyAt: number | undefined;
	readonly isPaused: boolean;
	readonly everyMs: number;
};

export const unseenFleet: FleetState = {
	rows: [],
	burn: noBurn,
	troubles: {undead: 0, stuck: 0, dead: 0},
	gone: new Set(),
	events: [],
	samples: [],
	boots: {},
	lastTemplate: undefined,
	checkedAt: undefined,
	incomplete: undefined,
	reading: undefined,
	error: undefined,
	slowness: 1,
	credit: undefined,
	spent: undefined,
	moneyAt: undefined,
	isPaused: false,
	everyMs: 10_000,
};

export type FleetPoll = {
	/** Milliseconds since 1970 on the service's clock. */
	readonly now: number;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly localNow: number;
	readonly limits: ConditionLimits;
	readonly remembered?: ReadonlyMap<number, Observation> | undefined;
	/** The last starts and stops that were requested from here. */
	readonly starts?: OwnStarts | undefined;
	readonly agreed?: KnownLeases | undefined;
	readonly keepers?: ((instance: Instance) => Keepers | undefined) | undefined;
	readonly examined?: ((id: number) => LastExamination | undefined) | undefined;
};

const MOST_EVENTS = 50;
const SAMPLE_MS = 60_000;
/** A day of them. */
export const MOST_SAMPLES = 1440;

export function makeFleetRow(
	instance: Instance,
	observation: Observation,
	poll: FleetPoll & {readonly boots: BootTimes},
	before: FleetRow | undefined,
): FleetRow {
	const {now, localNow, limits, boots} = poll;
	const usualMs = usualLoading(boots, instance);
	const sight: Sight = {instance, observation, usualMs, limits, now, skewMs: now - localNow};
	const condition = conditionOf(sight);
	const listedAs = condition === 'unlisted' ? before?.listedAs : condition;
	const isSame = before === undefined || before.listedAs === listedAs;
	const becameAt = isSame ? before?.becameAt : localNow;
	const rate = rateOf(instance, condition);
	const isLastKnown =
		before?.observation.state === observation.state && before?.isLastKnown === true;
	return {...sight, ...knownOf(instance, poll), condition, listedAs, becameAt, rate, isLastKnown};
}

function knownOf(instance: Instance, {now, localNow, agreed, keepers, examined}: FleetPoll) {
	return {
		lostLease: agreed?.lost(instance),
		leaseMovedMs: agreed?.movedMs(instance, now - localNow),
		keepers: keepers?.(instance),
		examined: examined?.(instance.id),
	};
}

/** Age from which evidence of a state only tells the past. */
export const LAST_KNOWN_MS = 30_000;

export function asGone(row: FleetRow): FleetRow {
	if (row.condition === 'gone') return row;
	return {...row, condition: 'gone', rate: rateOf(row.instance, 'gone')};
}

/** All rows at a moment without a reply: rows with old evidence become last known ones. */
export function agedRows(state: FleetState, now: number): FleetState {
	const rows = state.rows.map(row => {
		const until = row.observation.state?.until.now ?? now;
		return now - until < LAST_KNOWN_MS || row.isLastKnown ? row : {...row, isLastKnown: true};
	});
	return {...state, rows, spent: presentSpent(state.spent, now)};
}

/** The fleet with other rows: ordered, with their cost and their events. */
export function withRows(
	state: FleetState,
	unordered: readonly FleetRow[],
	{now: serviceNow, localNow: now}: FleetPoll,
	before: FleetState = state,
): FleetState {
	const rows = unordered.toSorted(byTrouble);
	const burn = burnOf(rows);
	// The first poll has nothing to compare with, so it has no events.
	const events = before.checkedAt === undefined ? [] : eventsOf(before.rows, rows, now);
	return {
		...state,
		rows,
		burn,
		spent: presentSpent(state.spent, serviceNow),
		troubles: troublesOf(rows),
		events: [...events, ...state.events].slice(0, MOST_EVENTS),
		samples: sampled(state.samples, {at: now, now: burn.now, atMost: burn.atMost}),
	};
}

function eventsOf(
	before: readonly FleetRow[],
	after: readonly FleetRow[],
	at: number,
): readonly FleetEvent[] {
	const conditions = new Map(before.map(({instance: {id}, listedAs}) => [id, listedAs]));
	return after.flatMap(({instance: {id, label}, condition: to}) => {
		const from = conditions.get(id);
		// An instance missing from a list has no event.
		return from === to || to === 'unlisted' ? [] : [{at, id, label: shownLabel(label), from, to}];
	});
}

/** New events since, in a list with the last one first. */
export function newEvents(
	before: readonly FleetEvent[],
	after: readonly FleetEvent[],
): readonly FleetEvent[] {
	const [last] = before;
	const at = last === undefined ? -1 : after.indexOf(last);
	return at === -1 ? after : after.slice(0, at);
}

function sampled(samples: readonly BurnSample[], sample: BurnSample): readonly BurnSample[] {
	const last = samples.at(-1);
	if (last !== undefined && sample.at - last.at < SAMPLE_MS) return samples;
	return [...samples, sample].slice(-MOST_SAMPLES);
}

/** Milliseconds of the last boots by image or host: `image NAME` or `host ID`. */
export type BootTimes = Readonly<Record<string, readonly number[]>>;

/** Boots kept: enough for a median, and few enough to follow changes. */
const MOST_BOOTS = 9;

/** Records a boot that was observed from its beginning until it ran. */
export function noteBoot(
	times: BootTimes,
	instance: Instance,
	before: Observation | undefined,
	after: Observation,
): BootTimes {
	const loading = before?.phases.find(({status}) => status === 'loading');
	const running = after.phases.at(-1);
	const isFirst = before !== undefined && !before.hasRun && after.hasRun;
	if (!isFirst || running?.status !== 'running' || loading === undefined) return times;
	const took = Math.max(0, running.since - loading.since);
	const noted = {...times};
	for (const name of namesOf(instance)) {
		noted[name] = [...(times[name] ?? []), took].slice(-MOST_BOOTS);
	}
	return noted;
}

/** Usual loading time: of this image, else on this host; undefined if none was seen. */
export function usualLoading(times: BootTimes, instance: Instance): number | undefined {
	for (const name of namesOf(instance)) {
		const found = median(times[name] ?? []);
		if (found !== undefined) return found;
	}
	return undefined;
}

function namesOf({image_uuid: image, host_id: host}: Instance): readonly string[] {
	const byImage = typeof image === 'string' && image !== '' ? [`image ${image}`] : [];
	return typeof host === 'number' ? [...byImage, `host ${host}`] : byImage;
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number | undefined {
	const ordered = values.toSorted((a, b) => a - b);
	const middle = ordered.length / 2;
	const [low, high] = [ordered[Math.ceil(middle) - 1], ordered[Math.floor(middle)]];
	return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

const ranks: Readonly<Record<InstanceCondition, number>> = {
	undead: 0,
	stuck: 1,
	dead: 2,
	failing: 3,
	failed: 3,
	noSsh: 3,
	slow: 4,
	provisioning: 4,
	loading: 4,
	destroying: 5,
	other: 5,
	running: 5,
	idle: 5,
	waiting: 6,
	stopped: 7,
	unlisted: 4,
	gone: 8,
};

/** Trouble first, then the dearest, then the oldest. */
export function byTrouble(a: Rated, b: Rated): number {
	return (
		ranks[a.condition] - ranks[b.condition] ||
		(b.rate.atMost ?? 0) - (a.rate.atMost ?? 0) ||
		a.instance.id - b.instance.id
	);
}

/** Counts of troubled instances, under the words that are shown for them. */
export type Troubles = {readonly undead: number; readonly stuck: number; readonly dead: number};

export function troublesOf(fleet: ReadonlyArray<Pick<Rated, 'condition'>>): Troubles {
	const count = (wanted: InstanceCondition) =>
		fleet.filter(({condition}) => condition === wanted).length;
	return {undead: count('undead'), stuck: count('stuck'), dead: count('dead')};
}
