/** Reads the rented instances, and puts them into the state of the fleet. */
import {errorOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import type {InstanceList, InstancePage} from '../../client/nouns/instance-list.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {ConditionLimits} from '../settings/default-settings.ts';
import type {AgreedLeases} from '../leases/agreed.ts';
import type {ExaminedBook} from '../instance/examined.ts';
import type {Leases} from '../leases/leases.ts';
import type {Store} from '../state/store.ts';
import {isTrouble} from '../instance/condition.ts';
import type {FleetMemory} from './fleet-memory.ts';
import {applyList, applyInstance, applyPage, noteGone, readMissing} from './apply-polls.ts';
import {agedRows, type FleetState, type FleetPoll} from './fleet-state.ts';
import {isSameDay, presentSpent, readSpent, type BillingClient} from '../instance/cost.ts';
import type {Timers} from '../state/timers.ts';

type FleetClient = {
	readonly instances: Pick<Client['instances'], 'list' | 'show'>;
	readonly account: Pick<Client['account'], 'current'>;
	readonly billing?: BillingClient;
	readonly pace?: Client['pace'];
	/** Service's clock; without it, this machine's time counts. */
	readonly clock?: Pick<Client['clock'], 'skewMs'>;
	/** Starts requested from this machine; without it, only records show starts. */
	readonly journal?: Pick<Client['journal'], 'starts'>;
};

export type AskingOptions = {
	readonly client: () => Promise<FleetClient>;
	readonly limits: () => ConditionLimits;
	readonly timers: Timers;
	/** Observations of the last run; undefined if none are kept. */
	readonly memory?: FleetMemory | undefined;
	/** Leases that were agreed on this machine; undefined if none are kept. */
	readonly agreed?: Pick<AgreedLeases, 'known'> | undefined;
	/** Keepers of leases; undefined if nothing is known of them. */
	readonly keepers?: Leases['keepers'] | undefined;
	/** Examinations of instances; undefined if none are kept. */
	readonly examined?: Pick<ExaminedBook, 'known'> | undefined;
};

type Records = Pick<Client['instances'], 'show'>;

type Answer = {readonly instances: readonly Instance[]; readonly total?: number | undefined};

/** Endpoints that list all instances, in one reply and page by page. */
const lists = new Set(['GET /api/v0/instances/', 'GET /api/v1/instances/']);

export function createAsking(
	options: AskingOptions,
	state: Store<FleetState>,
	signal: AbortSignal,
) {
	const {timers, memory} = options;
	const askForMoney = createMoneyAsking(timers, () => pollFacts().now, {state, signal});
	const followPace = createPaceFollower(state, signal);
	let clock: FleetClient['clock'];
	/** Knowledge of this machine about instances. */
	let known: Pick<FleetPoll, 'starts' | 'agreed' | 'keepers' | 'examined'> = {};

	function pollFacts(): FleetPoll {
		const localNow = timers.now();
		const now = localNow + (clock?.skewMs() ?? 0);
		const {remembered} = memory?.recall() ?? {};
		return {now, localNow, limits: options.limits(), ...known, remembered};
	}

	/** Tells what is not proven to be gone from now on: an answer to an earlier question may be older than the proof. */
	function currentSince() {
		const {gone} = state.get();
		return ({id}: Instance) => gone.has(id) || !state.get().gone.has(id);
	}

	function recordsOf({instances}: FleetClient): Records {
		return {
			async show(id, asked) {
				const isCurrent = currentSince();
				const record = await instances.show(id, asked);
				return record === undefined || isCurrent(record) ? record : undefined;
			},
		};
	}

	async function list(): Promise<void> {
		const connected = await options.client();
		followPace(connected.pace);
		({clock} = connected);
		known = {
			starts: await connected.journal?.starts(),
			agreed: options.agreed?.known(),
			keepers: await options.keepers?.(),
			examined: options.examined?.known(),
		};
		if (memory !== undefined && state.get().checkedAt === undefined) {
			// An earlier run's data, before any poll.
			const {boots, lastTemplate} = memory.recall();
			state.set({...state.get(), boots, lastTemplate});
		}
		const records = recordsOf(connected);
		const readTrouble = createTroubleReader(records, state, {take, signal});
		const isCurrent = currentSince();
		const onPage = (page: InstancePage): void => {
			if (signal.aborted) return;
			if (page.next === undefined && state.get().reading === undefined) return;
			state.set(applyPage(state.get(), keepCurrent(page, isCurrent), pollFacts()));
			readTrouble();
		};
		const answer = await connected.instances.list({signal, onPage});
		const listed = keepCurrent(answer, isCurrent);
		if (!signal.aborted) state.set(applyList(state.get(), listed, pollFacts()));
		await askForMissing(records, listed);
		void memory?.remember(state.get());
		void askForMoney(connected);
	}

	async function askForMissing(records: Records, listed: InstanceList): Promise<void> {
		const isCurrent = currentSince();
		const missing = await readMissing(records, state.get().rows, {listed, signal});
		// The first may have ended while the others were read.
		for (const record of missing.records.filter(isCurrent)) take(record.id, record);
		for (const id of missing.gone) state.set(noteGone(state.get(), id, pollFacts()));
	}

	function take(id: number, instance: Instance | undefined): void {
		// A missing record is no proof yet: the next list must agree.
		if (!signal.aborted && instance?.id === id)
			state.set(applyInstance(state.get(), instance, pollFacts()));
	}

	return {
		pollFacts: pollFacts,
		/** Lists all instances. A failure is in the state, too. */
		async all(): Promise<void> {
			try {
				await list();
			} catch (cause) {
				if (signal.aborted) return;
				const error = errorOf(cause);
				state.set({...agedRows(state.get(), pollFacts().now), error, reading: undefined});
				throw error;
			}
		},
		async one(id: number): Promise<void> {
			const records = recordsOf(await options.client());
			take(id, await records.show(id, {signal}));
		},
	};
}

function keepCurrent<Of extends Answer>(answer: Of, isCurrent: (record: Instance) => boolean): Of {
	const instances = answer.instances.filter(record => isCurrent(record));
	const left = answer.instances.length - instances.length;
	return {...answer, instances, ...(answer.total && {total: answer.total - left})};
}

type Taking = {
	readonly take: (id: number, instance: Instance | undefined) => void;
	readonly signal: AbortSignal;
};

/** While many pages are read, reads rows in trouble individually, one after the other. */
function createTroubleReader(
	records: Records,
	state: Store<FleetState>,
	{take, signal}: Taking,
): () => void {
	const read = new Set<number>();
	let isReading = false;

	async function readOne(id: number): Promise<void> {
		read.add(id);
		isReading = true;
		try {
			take(id, await records.show(id, {signal}));
		} catch {
			// A failure here also fails the list, which reports it.
		} finally {
			isReading = false;
		}
	}

	return () => {
		const {rows} = state.get();
		const due = rows.find(({condition, instance: {id}}) => isTrouble(condition) && !read.has(id));
		if (due !== undefined && !isReading) void readOne(due.instance.id);
	};
}

/** Records by how much the service slows down polling of the list. */
function createPaceFollower(state: Store<FleetState>, signal: AbortSignal) {
	let pace: Client['pace'] | undefined;
	return (given: Client['pace'] | undefined): void => {
		if (given === undefined || given === pace) return;
		pace = given;
		const stop = given.subscribe(() => {
			const slower = given.read().filter(({endpoint}) => lists.has(endpoint));
			const slowness = Math.max(1, ...slower.map(report => report.slowness));
			if (slowness !== state.get().slowness) state.set({...state.get(), slowness});
		});
		signal.addEventListener('abort', stop);
	};
}

const MONEY_MS = 300_000;

function createMoneyAsking(
	timers: Timers,
	serviceNow: () => number,
	{state, signal}: {readonly state: Store<FleetState>; readonly signal: AbortSignal},
) {
	let queryAt = Number.NEGATIVE_INFINITY;
	let askedFor = Number.NEGATIVE_INFINITY;
	/** False in a new day, of which nothing is known. */
	const isKnown = () => timers.now() - queryAt < MONEY_MS && isSameDay(askedFor, serviceNow());
	return async ({account, billing}: FleetClient): Promise<void> => {
		// An account without instances has no costs.
		if (state.get().rows.length === 0 || isKnown()) return;
		queryAt = timers.now();
		askedFor = serviceNow();
		// The key may lack the right to read the account and its bills: then these are unknown.
		const before = state.get();
		const [whose, spent] = await Promise.allSettled([
			account.current({signal}),
			billing === undefined ? undefined : readSpent(billing, askedFor, signal),
		]);
		if (signal.aborted) return;
		const isOld =
			(whose.status === 'rejected' && before.credit !== undefined) ||
			(spent.status === 'rejected' && before.spent !== undefined);
		state.set({
			...state.get(),
			moneyAt: isOld ? before.moneyAt : queryAt,
			credit: whose.status === 'fulfilled' ? (whose.value.credit ?? undefined) : before.credit,
			spent: presentSpent(
				spent.status === 'fulfilled' ? spent.value : state.get().spent,
				serviceNow(),
			),
		});
	};
}
