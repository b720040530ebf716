/**
 * A console on each person's machine, without its screens: it stays open beside commands and the guard, shares
 * their files, and what it lists and tells is held beside the truth of the moment.
 */
import {join} from 'node:path';
import {openClient, type Client} from '../../../source/client/client.ts';
import {MarketError} from '../../../source/client/exchange/errors.ts';
import {actOnAll, type InstanceAction} from '../../../source/renter/actions/instance-actions.ts';
import {followChangedLeases, followEnds} from '../../../source/renter/alerts/fleet-alerts.ts';
import {keptAlert, openKeptAlerts} from '../../../source/renter/alerts/kept-alerts.ts';
import {serviceFile} from '../../../source/renter/files/kept-file.ts';
import {openFleetMemory} from '../../../source/renter/fleet/fleet-memory.ts';
import type {FleetState} from '../../../source/renter/fleet/fleet-state.ts';
import {createFleet, type Fleet} from '../../../source/renter/fleet/fleet.ts';
import {followFleet} from '../../../source/renter/fleet/following.ts';
import {isAtRest} from '../../../source/renter/instance/condition.ts';
import {openAgreedLeases} from '../../../source/renter/leases/agreed.ts';
import {followIncreases} from '../../../source/renter/nouns/price-increases.ts';
import {createHostHistory} from '../../../source/renter/offers/host-history.ts';
import {followDoubles} from '../../../source/renter/orders/doubles.ts';
import {createInstanceComparisons} from '../../../source/renter/orders/instance-comparisons.ts';
import {settlePendingRents, settlingFirst} from '../../../source/renter/orders/pending-rents.ts';
import {rentOnce} from '../../../source/renter/orders/repeated-rents.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {createPolling} from '../../../source/renter/state/polling.ts';
import {realTimers} from '../../../source/renter/state/timers.ts';
import type {Alert, Event, Notify} from '../../../source/renter/words/alert.ts';
import {befall, count} from '../tried.ts';
import {noteTold} from '../truth.ts';
import {here, world, type Machine, type Process} from '../world/world.ts';
import {foldersOn} from './commands.ts';
import {pause, weighted} from './deeds.ts';
import {wishOf, type Person, type Wish} from './person.ts';

const lie = ({name, truth}: Person, text: string) =>
	void truth.lies.push(`${name}: the console ${text}`);

/** An instance that a console has proven to be gone is gone. */
function judgeGone(person: Person, {rows, gone}: FleetState): void {
	const shown = rows.filter(({condition}) => condition === 'gone').map(({instance: {id}}) => id);
	for (const id of new Set([...gone, ...shown])) {
		if (person.truth.isThere(id)) lie(person, `says that ${id} is gone, and it is there`);
	}
}

/** Milliseconds after which each list shows what has not changed since. */
const LIST_MS = 90_000;

/** A list that came whole shows each instance that has been as it is for a while, and shows it so. */
function judgeList(person: Person, {rows}: FleetState): void {
	const {truth, accountId} = person;
	truth.look();
	const shown = new Map(rows.map(row => [row.instance.id, row]));
	for (const {id, since, label, intended} of truth.steady(accountId)) {
		if (world().now() - since < LIST_MS) continue;
		const row = shown.get(id);
		if (row === undefined) lie(person, `leaves out ${id}`);
		else if ((row.instance.label ?? '') !== label) {
			lie(person, `says of ${id} ${String(row.instance.label)}, and it is ${label}`);
		} else if (row.instance.intended_status !== intended) {
			lie(person, `says that ${id} is to be ${String(row.instance.intended_status)}`);
		}
	}
}

type Charged = {readonly at: number; readonly micros: number};

/** Dollars that a month's charges may be off: each is a record of its own, in cents. */
const slackOf = (micros: number) => 0.03 + (micros / 1e6) * 0.01;

/** What was spent this month, without what was paid ahead, is what was charged until a minute and a half ago. */
function createMoneyJudge(person: Person) {
	const {truth, accountId} = person;
	const seen: Charged[] = [];
	let moneyAt: number | undefined;

	function charged(): Charged {
		const [row] = truth.rows(
			'select coalesce(sum(amount_micros - prepaid_micros), 0) as micros from charges where account_id = ?',
			accountId,
		);
		return {at: world().now(), micros: Number(row?.['micros'])};
	}

	return (state: FleetState): void => {
		const now = charged();
		const {month} = state.spent ?? {};
		const isNews = state.moneyAt !== moneyAt && month !== undefined;
		moneyAt = state.moneyAt;
		const before = seen.findLast(({at}) => now.at - at > LIST_MS) ?? {micros: 0};
		seen.push(now);
		if (!isNews) return;
		const least = before.micros / 1e6 - slackOf(before.micros);
		const most = now.micros / 1e6 + slackOf(now.micros);
		if (month < least || month > most) {
			lie(person, `says that ${month} was spent, and it was ${least} to ${most}`);
		}
	};
}

/** What it tells is counted, and nobody is told that an instance came back. */
function notifyOf(person: Person, kept: ReturnType<typeof openKeptAlerts>): Notify {
	const note = (kind: string, text: string) => {
		count(`alert ${kind}`);
		world().say(`${person.name}: the console tells: ${text.slice(0, 200)}`);
		noteTold(person.truth, text);
		if (text.includes('and is listed again')) lie(person, `tells: ${text}`);
		return true;
	};
	return {
		send: ({kind, text}: Event) => note(kind, text),
		alert: (alert: Alert, text: string) => kept.add(keptAlert(alert)) && note(alert.kind, text),
		setTrouble: () => undefined,
		setBooting: () => undefined,
	};
}

type Opened = {readonly fleet: Fleet; readonly client: Client; readonly close: () => Promise<void>};

const limits = () => defaultSettings.limits;

/** Opens what the program opens beside its screens. */
function openConsole(person: Person): Opened {
	const {url, key, name, machine} = person;
	const service = {name, url};
	const {state} = foldersOn(machine);
	const opened = openClient({
		url,
		key,
		environment: {},
		profile: name,
		pendingRentsFile: join(state, 'wishes.json'),
		journalFile: join(state, 'activity.jsonl'),
	});
	const timers = realTimers;
	const polling = createPolling(timers);
	const alerts = openKeptAlerts(serviceFile(state, 'alerts', service), timers.now);
	const notify = notifyOf(person, alerts);
	const leaving = new AbortController();
	const settling = {notify, signal: leaving.signal};
	const settle = async (at: Client) => settlePendingRents(at, {...settling, fleet, orders});
	const client = settlingFirst(async () => opened, settle);
	const agreed = openAgreedLeases(state, service);
	const memory = openFleetMemory(state, service);
	const fleet = createFleet({client, timers, polling, memory, agreed, limits});
	const orders = createInstanceComparisons({fleet, client, notify, timers});
	followFleet(fleet, notify, createHostHistory());
	const following = {client, polling, fleet, agreed, notify, alerts, timers, profile: name};
	const follows = [followEnds, followChangedLeases, followIncreases, followDoubles];
	const stops = follows.map(follow => follow({...following, budgets: () => []}));
	let checkedAt: number | undefined;
	const judgeMoney = createMoneyJudge(person);
	fleet.state.subscribe(() => {
		const seen = fleet.state.get();
		if (!person.truth.isOpen() || person.truth.isUnclear()) return;
		judgeGone(person, seen);
		const isFresh = seen.checkedAt !== checkedAt && seen.error === undefined;
		checkedAt = seen.checkedAt;
		const isWhole = seen.reading === undefined && seen.incomplete === undefined;
		if (isFresh && isWhole) judgeList(person, seen);
		judgeMoney(seen);
	});
	fleet.watch();
	return {
		fleet,
		client: opened,
		async close() {
			leaving.abort();
			for (const stop of stops) stop();
			fleet.close();
			await alerts.settle();
			await opened.close();
		},
	};
}

const weights = {refresh: 4, rent: 2, destroy: 2, stop: 1, start: 1} as const;

/** Acts on an instance of the list, as its screen would. */
async function act(
	person: Person,
	action: Extract<InstanceAction, 'destroy' | 'stop' | 'start'>,
	{fleet, client}: Opened,
): Promise<void> {
	const {truth, chance} = person;
	const rows = fleet.state
		.get()
		.rows.filter(
			({condition}) =>
				condition !== 'gone' &&
				(action === 'destroy' || isAtRest(condition) === (action === 'start')),
		);
	if (rows.length === 0) return;
	const row = chance.pick(rows);
	const {id} = row.instance;
	if (action === 'destroy') truth.asked.set(id, 'console');
	if (action === 'stop') truth.stopped.add(id);
	const [outcome] = await actOnAll(action, [row], {client: async () => client, fleet});
	const ending = outcome?.ending.kind ?? 'none';
	world().tell(`${person.name}: the console's ${action} of ${id}: ${ending}`);
	count(`console ${action}, ${ending}`);
	if (ending === 'gone' && truth.isThere(id)) lie(person, `destroyed ${id}, and it is there`);
}

/** The wish of a console that was killed before its answer, or a new one; undefined where that is there already. */
function nextWish({wishes, name, truth}: Person, {fleet}: Opened): Wish | undefined {
	const left = wishes.find(one => one.name.startsWith(`${name}-c`) && one.stage === 'typed');
	if (left === undefined) {
		const wish = wishOf(`${name}-c${wishes.length + 1}`);
		wishes.push(wish);
		return wish;
	}
	const {rows, checkedAt} = fleet.state.get();
	if (checkedAt === undefined) return undefined;
	// What was told of, or seen and destroyed since, was there, too, also by another label.
	const wasThere = [...truth.made.values()].some(
		({id, wish, goneAt}) => wish === left.name && (goneAt !== undefined || truth.told.has(id)),
	);
	const isThere = wasThere || rows.some(({instance}) => instance.label === left.name);
	left.stage = isThere ? 'answered' : 'typed again';
	return isThere ? undefined : left;
}

/** Rents by the form, where nothing else is asked than the price. */
async function rent(person: Person, opened: Opened): Promise<void> {
	const {chance, name} = person;
	const {client} = opened;
	const {offers} = await client.offers.search({limit: 20});
	const wish = offers.length === 0 ? undefined : nextWish(person, opened);
	if (wish === undefined) return;
	const label = wish.name;
	world().tell(`${name}: the console rents ${label}`);
	const order = {image: 'ubuntu:24.04', disk: 10, label};
	const agreed = {image: order.image, diskGb: order.disk, pricing: 'on-demand', label} as const;
	const outcome = await rentOnce(client, chance.pick(offers), order, {
		agreed,
		mayRent: () => undefined,
	}).catch(refusedBy);
	wish.stage = 'answered';
	world().tell(`${name}: the console's rent of ${label}: ${outcome.outcome}`);
	count(`console rent, ${outcome.outcome}`);
	if (outcome.outcome !== 'created') return;
	wish.id = outcome.id;
	await client.pendingRents.markReported(outcome.pending);
}

function refusedBy(error: unknown): {readonly outcome: 'refused'} {
	if (error instanceof MarketError) return {outcome: 'refused'};
	throw error;
}

const kinds = weighted(weights);

/** A life at a console, until it is left. */
async function sit(person: Person, lastsMs: number, meanMs: number): Promise<void> {
	const opened = openConsole(person);
	const until = world().now() + lastsMs;
	while (world().now() < until) {
		await pause(person.chance.wait(meanMs));
		const kind = person.chance.pick(kinds);
		opened.fleet.touch();
		if (kind === 'refresh') await opened.fleet.refresh().catch(() => undefined);
		else if (!world().may(`${kind}, by console`, person.name)) continue;
		else if (kind === 'rent') await rent(person, opened).catch(refusedBy);
		else await act(person, kind, opened);
	}
	await opened.close();
	count('console left');
	await pause(PATIENCE_MS);
	const left = world()
		.waiting()
		.filter(({owner}) => owner === here().name).length;
	if (left > 0) lie(person, `leaves ${left} timers and requests`);
}

/** Milliseconds in which calls that are under way come to their end. */
const PATIENCE_MS = 120_000;

const MEAN_LIFE_MS = 600_000;
const MEAN_PAUSE_MS = 60_000;

/** @param heads Machine of whoever sits there: it is left, and not begun again, when that ends */
export function keepConsole(person: Person, heads: Machine, meanMs: number): void {
	const {name, machine} = person;
	if (!world().may('console', name)) return;
	let process: Process | undefined;
	const chair = world().begin(heads, `${name}: chair`, async () => new Promise(() => undefined));
	chair.onEnd.push(() => process?.isAlive === true && world().end(process));
	const begin = () => {
		if (!chair.isAlive) return;
		const title = `${name}: console ${world().numberOf(`console of ${name}`)}`;
		const chance = world().chance(title);
		const lastsMs = chance.wait(MEAN_LIFE_MS);
		const begun = world().begin(machine, title, async () =>
			sit({...person, chance}, lastsMs, meanMs),
		);
		process = begun;
		begun.onEnd.push(() => void world().outside(chance.wait(MEAN_PAUSE_MS), begin));
		if (person.kills === 0 || chance.happens(0.5)) return;
		world().outside(chance.wait(MEAN_LIFE_MS), () => {
			if (!begun.isAlive || !befall('console killed', name, {machine: machine.name})) return;
			world().tell(`${name}: the console is killed`);
			world().end(begun);
		});
	};
	begin();
}
