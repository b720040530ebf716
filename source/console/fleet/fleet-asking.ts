/** Asks the service what is rented, and puts what it says into the state of the fleet. */
import type {Client} from '../../client/client.ts';
import type {Limits} from '../default-settings.ts';
import type {Store} from '../store.ts';
import type {FleetMemory} from './fleet-memory.ts';
import {lookAtAll, lookAtOne} from './fleet-state.ts';
import type {FleetState, Look} from './fleet-state.ts';
import {readSpent} from './spending.ts';
import type {BillingClient} from './spending.ts';
import type {Timers} from './timers.ts';

/** What of the client it takes. */
export type FleetClient = {
	readonly instances: Pick<Client['instances'], 'list' | 'show'>;
	readonly account: Pick<Client['account'], 'current'>;
	readonly billing?: BillingClient;
	/** How often it may ask at present. */
	readonly pace?: Client['pace'];
};

export type AskingOptions = {
	readonly client: () => Promise<FleetClient>;
	readonly limits: () => Limits;
	readonly timers: Timers;
	/** What was seen last time; undefined where nothing is kept. */
	readonly memory?: FleetMemory | undefined;
};

/** What the client calls the list of all instances, in one piece and page by page. */
const lists = new Set(['GET /api/v0/instances/', 'GET /api/v1/instances/']);

export function createAsking(
	{client, limits, timers, memory}: AskingOptions,
	state: Store<FleetState>,
	signal: AbortSignal,
) {
	const askForMoney = createMoneyAsking(timers, state, signal);
	let pace: Client['pace'] | undefined;
	const look = (): Look => ({now: timers.now(), limits: limits()});

	async function list(): Promise<void> {
		const connected = await client();
		followPace(connected.pace);
		const instances = await connected.instances.list({signal});
		const recalled = memory?.recall();
		if (signal.aborted) return;
		const before = state.get();
		const boots = before.checkedAt === undefined ? recalled?.boots : undefined;
		const remembered = recalled?.remembered;
		const known = boots === undefined ? before : {...before, boots};
		state.set(lookAtAll(known, instances, {...look(), ...(remembered && {remembered})}));
		void memory?.remember(state.get());
		void askForMoney(connected);
	}

	/** Notes how much more seldom than usual the service wants to be asked for the list. */
	function followPace(given: Client['pace'] | undefined): void {
		if (given === undefined || given === pace) return;
		pace = given;
		const stop = given.subscribe(() => {
			const slower = given.read().filter(({endpoint}) => lists.has(endpoint));
			const slowness = Math.max(1, ...slower.map(report => report.slowness));
			if (slowness !== state.get().slowness) state.set({...state.get(), slowness});
		});
		signal.addEventListener('abort', stop);
	}

	return {
		look,
		/** Everything. What goes wrong is in the state, too. */
		async all(): Promise<void> {
			try {
				await list();
			} catch (cause) {
				if (signal.aborted) return;
				const error = cause instanceof Error ? cause : new Error(String(cause), {cause});
				state.set({...state.get(), error});
				throw error;
			}
		},
		/** One instance. */
		async one(id: number): Promise<void> {
			const instance = await (await client()).instances.show(id, {signal});
			if (!signal.aborted) state.set(lookAtOne(state.get(), id, instance, look()));
		},
	};
}

const MONEY_MS = 300_000;

/** Asks for credit and bills, from time to time. */
function createMoneyAsking(timers: Timers, state: Store<FleetState>, signal: AbortSignal) {
	let askedAt = Number.NEGATIVE_INFINITY;
	return async ({account, billing}: FleetClient): Promise<void> => {
		// Who rents nothing spends nothing.
		if (state.get().rows.length === 0 || timers.now() - askedAt < MONEY_MS) return;
		askedAt = timers.now();
		// A key need not be allowed to read the account and its bills: then that is not known.
		const before = state.get();
		const [whose, spent] = await Promise.allSettled([
			account.current({signal}),
			billing === undefined ? undefined : readSpent(billing, timers.now(), signal),
		]);
		if (signal.aborted) return;
		state.set({
			...state.get(),
			credit: whose.status === 'fulfilled' ? (whose.value.credit ?? undefined) : before.credit,
			spent: spent.status === 'fulfilled' ? spent.value : before.spent,
		});
	};
}
