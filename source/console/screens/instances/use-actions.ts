import {useMemo} from 'react';
import type {Client} from '../../../client/client.ts';
import type {Fleet} from '../../../renter/fleet/fleet.ts';
import {isTrouble} from '../../../renter/instance/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {evidenceFor} from '../../../renter/fleet/sweepable.ts';
import type {Instance} from '../../../contract/nouns/instance-record.ts';
import {findTemplate} from '../../../renter/orders/order-requests.ts';
import {likeInstance, rentReplacement} from '../../../renter/orders/replacement.ts';
import {urlOf} from '../../../renter/profiles/target.ts';
import {hourly} from '../../../renter/text/format.ts';
import type {Message} from '../../ui/message.ts';
import {useServices, type Services} from '../../services/services.tsx';
import {tellKey} from '../../../renter/nouns/instance-keys.ts';
import {isReplaceable, type Action} from './actions.ts';
import {
	describeBeginning,
	describeOutcomes,
	endingAfter,
	endingOf,
	hasFailed,
	type Ending,
	type Outcome,
	whyOf,
} from './outcomes.ts';
import type {Timers} from '../../../renter/state/timers.ts';
import {createStore} from '../../../renter/state/store.ts';

/** Time in which a sweep can be taken back before anything is sent. */
export const HOLD_MS = 5000;

type Held = {readonly ids: readonly number[]; readonly cancel: () => void};

/** Something that is done in a moment, unless it is taken back. */
export function createHeldSweep() {
	const store = createStore<Held | undefined>(undefined);
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

type Say = (message: Message) => void;

/** Does what was agreed to, and says of each instance what came of it. */
export function useActions(say: Say) {
	const services = useServices();
	return useMemo(() => ({run: createRun(services, say)}), [services, say]);
}

/** @param isReplacing whether an equal one is rented in the place of each that is gone */
type Run = (action: Action, rows: readonly FleetRow[], isReplacing?: boolean) => Promise<void>;

function createRun(services: Services, say: Say): Run {
	const {client, fleet} = services;
	return async (action, rows, isReplacing = false) => {
		say({text: describeBeginning(action, rows.length), isError: false});
		const outcomes =
			action === 'destroy'
				? await destroyAll(client, fleet, rows)
				: await several(rows, async row =>
						outcomeOf(row, await act(client, action, row.instance.id)),
					);
		// An instance that is gone is known to the fleet already.
		if (action !== 'destroy') await fleet.refresh().catch(() => undefined);
		const isAnyGone = outcomes.some(({ending}) => ending.kind === 'gone');
		const left = isAnyGone ? ` What is left costs ${hourly(fleet.state.get().burn.now)}/h.` : '';
		say({text: describeOutcomes(action, outcomes) + left, isError: outcomes.some(hasFailed)});
		if (!isReplacing) return;
		const gone = new Set(outcomes.filter(({ending}) => ending.kind === 'gone').map(({id}) => id));
		await replaceAll(
			services,
			rows.filter(row => gone.has(row.instance.id) && isReplaceable(row)),
		);
	};
}

/** Rents an equal one in the place of each, one after the other: two must not take the same offer. */
async function replaceAll(services: Services, rows: readonly FleetRow[]): Promise<void> {
	for (const {instance} of rows) {
		const {id} = instance;
		const tell = (text: string) =>
			services.terminal.notify.tell({
				kind: 'replaced',
				about: `instance ${id}`,
				state: 'replaced',
				text,
				instance: id,
			});
		try {
			// oxlint-disable-next-line no-await-in-loop -- one after the other
			const says = await replaceOne(services, instance);
			tell(`Instance ${id} is gone. ${says}`);
		} catch (error) {
			tell(`In the place of instance ${id}: ${whyOf(error)} 2 shows what there is.`);
		}
	}
}

async function replaceOne(services: Services, instance: Instance): Promise<string> {
	const client = await services.client();
	const {template_hash_id: hash} = instance;
	const template = hash ? await findTemplate(client, hash) : undefined;
	const place = likeInstance(instance, {
		template,
		settings: services.settings.get(),
		now: client.clock.now(),
	});
	const showKey = async (id: number, key: string) => tellKey(services, id, key);
	const {fleet, settings, renting, switcher} = services;
	const url = urlOf(switcher.target);
	const placing = {client, url, fleet, settings, orders: renting.orders, showKey};
	return (await rentReplacement(placing, place)).says;
}

/**
 * So many are under way at once: they are sent as far apart as the service wants, and what is looked
 * for is found in the same lists. More would wait for so long that their time to be seen is over.
 */
const AT_ONCE = 5;

/** Works on all of them, a few at a time. The results are in the order of what they are about. */
async function several<Item, Result>(
	items: readonly Item[],
	work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
	const results = new Map<Item, Result>();
	const waiting = items.values();
	async function takeTurns(): Promise<void> {
		for (const item of waiting) results.set(item, await work(item));
	}
	await Promise.all(Array.from({length: AT_ONCE}, takeTurns));
	return items.flatMap(item => results.get(item) ?? []);
}

function outcomeOf({instance: {id}, rate}: FleetRow, ending: Ending): Outcome {
	return {id, ending, perHour: rate.atMost};
}

/** Destroys them by as few calls as the service takes, and shows how that goes: accepted is not gone. */
async function destroyAll(
	client: () => Promise<Client>,
	fleet: Fleet,
	rows: readonly FleetRow[],
): Promise<readonly Outcome[]> {
	const agreed = rows.filter(row => !hasBegunToRun(fleet, row));
	const takeBacks = new Map(agreed.map(({instance: {id}}) => [id, fleet.noteDestroyed(id)]));
	const removals = agreed.map(row => ({
		id: row.instance.id,
		evidence: isTrouble(row.condition) ? evidenceFor(row) : undefined,
	}));
	const removal = client().then(({instances}) => instances.removeAll(removals));
	return Promise.all(
		rows.map(async row => {
			const {id} = row.instance;
			const takeBack = takeBacks.get(id);
			// It was agreed to while there was nothing to lose: that is asked about once more.
			if (takeBack === undefined) {
				return outcomeOf(row, {kind: 'refused', error: new Error('it began to run meanwhile')});
			}
			const ending = await tried(async () => endingOf(await (await removal)(id)));
			if (ending.kind === 'gone') fleet.noteGone(id);
			else if (ending.kind !== 'pending' && ending.kind !== 'unlisted') takeBack();
			return outcomeOf(row, ending);
		}),
	);
}

function hasBegunToRun(fleet: Fleet, {instance: {id}, seen: {hasRun}}: FleetRow): boolean {
	const present = fleet.state.get().rows.find(({instance}) => instance.id === id);
	return !hasRun && present?.seen.hasRun === true;
}

async function act(
	client: () => Promise<Client>,
	action: Exclude<Action, 'destroy'>,
	id: number,
): Promise<Ending> {
	return tried(async () => {
		const {instances} = await client();
		if (action === 'stop') return endingOf(await instances.halt(id));
		if (action === 'start') {
			const {isQueued} = await instances.start(id);
			return {kind: isQueued ? 'queued' : 'done'};
		}
		await instances[action](id);
		return {kind: 'done'};
	});
}

async function tried(attempt: () => Promise<Ending>): Promise<Ending> {
	try {
		return await attempt();
	} catch (error) {
		return endingAfter(error);
	}
}
