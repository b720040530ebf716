/** Changes of the fleet's state by polls of the service and by rentty's own actions. */
import {canMiss, type InstanceList, type InstancePage} from '../../client/nouns/instance-list.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {joinUnreadable, noneUnreadable} from '../../contract/grammar/unreadable.ts';
import {miss, observe, newObservation, type Observation} from '../instance/observations.ts';
import {withEarlierUse} from '../instance/times.ts';
import {
	MOST_SAMPLES,
	noteBoot,
	makeFleetRow,
	withRows,
	type BurnSample,
	type FleetState,
	type Incomplete,
	type FleetPoll,
	type FleetRow,
} from './fleet-state.ts';
import type {Client} from '../../client/client.ts';

/** Consecutive polls that must miss an instance before its row is removed. */
const POLLS_TO_FORGET = 2;

/** Applies a list as the service sent it. A row missing from it is kept until its end is proven. */
export function applyList(state: FleetState, list: Listed, poll: FleetPoll): FleetState {
	// The pages of a long list were already processed one by one.
	const next = state.reading === undefined ? applyRecords(state, list.instances, poll) : state;
	const listed = new Set(list.instances.map(({id}) => id));
	const provesMissing = canMiss(list);
	const rows = next.rows.flatMap(row => {
		if (listed.has(row.instance.id)) return [row];
		if (row.observation.goneAt === undefined && !provesMissing) return [row];
		const observation = miss(row.observation);
		if (observation.goneAt !== undefined && observation.missed >= POLLS_TO_FORGET) return [];
		return [makeFleetRow(row.instance, observation, {...poll, boots: next.boots}, row)];
	});
	return {
		...withRows(next, rows, poll, state),
		checkedAt: poll.localNow,
		incomplete: incompleteOf(list),
		reading: undefined,
		error: undefined,
	};
}

/** Applies one page of a longer list. All other rows stay as they are. */
export function applyPage(state: FleetState, page: InstancePage, poll: FleetPoll): FleetState {
	const {reading} = state;
	const next = applyRecords(state, page.instances, poll);
	return {
		...withRows(next, next.rows, poll, state),
		reading: {
			read: (reading?.read ?? 0) + page.instances.length,
			total: page.total ?? reading?.total,
			unreadable: joinUnreadable(reading?.unreadable ?? noneUnreadable, page.unreadable),
		},
	};
}

function applyRecords(
	state: FleetState,
	instances: readonly Instance[],
	poll: FleetPoll,
): FleetState {
	const before = new Map(state.rows.map(row => [row.instance.id, row]));
	let {boots} = state;
	const rows = instances.map(instance => {
		const row = before.get(instance.id);
		before.delete(instance.id);
		const earlier = row?.observation ?? poll.remembered?.get(instance.id);
		const observed = observe(earlier, instance, sightOptions(instance, poll));
		boots = noteBoot(boots, instance, earlier, observed);
		return makeFleetRow(instance, observed, {...poll, boots}, row);
	});
	return {...state, boots, rows: [...rows, ...before.values()]};
}

type Listed = Pick<InstanceList, 'instances' | 'total' | 'unreadable' | 'isWhole' | 'way'>;

/** Instances missing from a list: the service counts more, or sent unreadable records. */
function incompleteOf({instances, total, unreadable}: Listed): Incomplete | undefined {
	const read = instances.length;
	const isShort = total !== undefined && total > read + unreadable.count;
	return isShort || unreadable.count > 0 ? {read, total, unreadable} : undefined;
}

/** Applies the record of one instance. The other rows stay the same objects. */
export function applyInstance(state: FleetState, instance: Instance, poll: FleetPoll): FleetState {
	const row = state.rows.find(({instance: {id}}) => id === instance.id);
	if (row === undefined) return state;
	const observation = observe(row.observation, instance, sightOptions(instance, poll));
	const boots = noteBoot(state.boots, instance, row.observation, observation);
	const next = makeFleetRow(instance, observation, {...poll, boots}, row);
	const rows = state.rows.map(other => (other === row ? next : other));
	return withRows({...state, boots}, rows, poll);
}

export function noteGone(state: FleetState, id: number, poll: FleetPoll): FleetState {
	const rows = state.rows.map(row => {
		if (row.instance.id !== id) return row;
		const observation = {
			...row.observation,
			missed: Math.max(1, row.observation.missed),
			goneAt: row.observation.goneAt ?? poll.now,
		};
		return makeFleetRow(row.instance, observation, {...poll, boots: state.boots}, row);
	});
	return {...withRows(state, rows, poll), gone: new Set([...state.gone, id])};
}

/** Adds an instance that was just rented, and is in no list yet. */
export function noteRented(state: FleetState, instance: Instance, poll: FleetPoll): FleetState {
	if (state.rows.some(row => row.instance.id === instance.id)) return state;
	const observation = newObservation(instance.id, poll.now);
	const row = makeFleetRow(instance, observation, {...poll, boots: state.boots}, undefined);
	const lastTemplate = instance.template_hash_id ?? state.lastTemplate;
	return withRows({...state, lastTemplate}, [...state.rows, row], poll);
}

/** Records that the destruction of an instance was accepted. */
export function noteDestruction(
	state: FleetState,
	id: number,
	note: Pick<Observation, 'destroyedAt'>,
	poll: FleetPoll,
): FleetState {
	const rows = state.rows.map(row =>
		row.instance.id === id
			? makeFleetRow(
					row.instance,
					{...row.observation, ...note},
					{...poll, boots: state.boots},
					row,
				)
			: row,
	);
	return withRows(state, rows, poll);
}

export function noteSsh(
	state: FleetState,
	answers: ReadonlyMap<number, boolean>,
	poll: FleetPoll,
): FleetState {
	const rows = state.rows.map(row => {
		const hasAnswered = answers.get(row.instance.id);
		if (hasAnswered === undefined) return row;
		const {sshAnsweredAt, sshSilentSince, ...observation} = row.observation;
		const ssh = hasAnswered
			? {sshAnsweredAt: sshAnsweredAt ?? poll.now, sshSilentSince: undefined}
			: {sshAnsweredAt, sshSilentSince: sshSilentSince ?? poll.now};
		return makeFleetRow(row.instance, {...observation, ...ssh}, {...poll, boots: state.boots}, row);
	});
	return withRows(state, rows, poll);
}

/** Use and costs that were kept before this run of the program, on this machine's clock. */
export type KeptUse = {
	/** Percent of the GPUs, by instance, in the order of times. */
	readonly use: ReadonlyMap<
		number,
		ReadonlyArray<{readonly at: number; readonly value: number | undefined}>
	>;
	readonly burn: readonly BurnSample[];
};

/** Adds stored use and costs from before the first poll. */
export function noteKeptUse(state: FleetState, {use, burn}: KeptUse, poll: FleetPoll): FleetState {
	const skewMs = poll.now - poll.localNow;
	const rows = state.rows.map(row => {
		const samples = use.get(row.instance.id)?.map(one => ({...one, at: one.at + skewMs}));
		if (samples === undefined) return row;
		return {
			...row,
			observation: {
				...row.observation,
				useSpans: withEarlierUse(row.observation.useSpans, samples),
			},
		};
	});
	const first = state.samples[0]?.at ?? poll.localNow;
	const samples = [...burn.filter(({at}) => at < first), ...state.samples].slice(-MOST_SAMPLES);
	return {...state, rows, samples};
}

function sightOptions({id}: Instance, {now, localNow, limits, starts}: FleetPoll) {
	return {
		...starts?.get(id),
		now,
		localNow,
		idleBelow: limits.idleBelowPercent,
		bootMs: limits.bootMinutes * 60_000,
	};
}

type Missing = {
	readonly records: readonly Instance[];
	/** Ids of instances that are proven to be gone. */
	readonly gone: readonly number[];
};

/** Most records asked for after each list. */
const MOST_RECORDS = 10;

/** Reads the records of rows that are not in a list, the longest unseen first. */
export async function readMissing(
	instances: Pick<Client['instances'], 'show'>,
	rows: readonly FleetRow[],
	{listed, signal}: {readonly listed: InstanceList; readonly signal: AbortSignal},
): Promise<Missing> {
	const there = new Set(listed.instances.map(({id}) => id));
	const missing = rows
		.filter(
			({instance, observation}) => !there.has(instance.id) && observation.goneAt === undefined,
		)
		.toSorted((a, b) => lastPolledAt(a) - lastPolledAt(b));
	const records: Instance[] = [];
	const gone: number[] = [];
	for (const {instance, observation} of missing.slice(0, MOST_RECORDS)) {
		const {id} = instance;
		try {
			// oxlint-disable-next-line no-await-in-loop -- the service wants them apart
			const record = await instances.show(id, {signal});
			if (record?.id === id) records.push(record);
			// A key that never saw the instance may belong to another account, whose lists never
			// contain it.
			else if (record === undefined && observation.phases.length > 0 && canMiss(listed))
				gone.push(id);
		} catch {
			// A record that cannot be read proves nothing.
			signal.throwIfAborted();
		}
	}
	return {records, gone};
}

function lastPolledAt({observation: {state}}: FleetRow): number {
	return state?.until.localNow ?? Number.NEGATIVE_INFINITY;
}
