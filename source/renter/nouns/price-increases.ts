/** Price increases that wait for the renter's answer, in words; and an alert for each. */
import type {Client} from '../../client/client.ts';
import type {PriceIncrease} from '../../contract/nouns/price-increases.ts';
import {statusOf} from '../../contract/rules/thrown.ts';
import type {Alert, Notify} from '../words/alert.ts';
import type {AlertStore} from '../alerts/kept-alerts.ts';
import type {Fleet} from '../fleet/fleet.ts';
import {isoDay, MISSING, money} from '../text/format.ts';
import {shownLabel} from '../words/lease.ts';
import type {Polling} from '../state/polling.ts';
import type {Timers} from '../state/timers.ts';
import {HOUR} from '../../contract/rules/durations.ts';

const MONTH_SECONDS = 720 * HOUR;

const prices = [
	{name: 'gpu_costpersec', noun: 'GPU', per: '/h', times: HOUR},
	{name: 'disk_ram_costpersec', noun: 'disk', per: '/GB a month', times: MONTH_SECONDS},
	{name: 'bwu_cost', noun: 'traffic out', per: '/GB', times: 1},
	{name: 'bwd_cost', noun: 'traffic in', per: '/GB', times: 1},
] as const;

/** Prices that increase: `GPU $0.50 to $0.90/h, disk $0.10 to $0.36/GB a month`. */
export function increaseText(increase: PriceIncrease): string {
	const changes = prices.flatMap(({name, noun, per, times}) => {
		const [before, after] = [increase[`old_${name}`], increase[`new_${name}`]];
		if (typeof after !== 'number') return [];
		const from = typeof before === 'number' ? money(before * times) : MISSING;
		return [`${noun} ${from} to ${money(after * times)}${per}`];
	});
	const fee = increase.new_platform_fee;
	const fees = typeof fee === 'number' ? [`fee to ${(fee * 100).toFixed(1)} %`] : [];
	return [...changes, ...fees].join(', ') || 'the service does not say what';
}

/**
 * Days until which an instance keeps its price, and until which it is rented if the increase is
 * accepted.
 */
export function increaseDays(increase: PriceIncrease): {
	readonly kept: string;
	readonly until: string;
} {
	return {kept: dayOf(increase.contract_end_date), until: dayOf(increase.ask_end_date)};
}

function dayOf(at: number | null | undefined): string {
	return typeof at === 'number' ? isoDay(at) : MISSING;
}

const EVERY_MS = 900_000;

type Following = {
	readonly client: () => Promise<Client>;
	readonly fleet: Pick<Fleet, 'state'>;
	readonly notify: Pick<Notify, 'alert'>;
	readonly alerts: Pick<AlertStore, 'get' | 'acknowledge'>;
	readonly polling: Pick<Polling, 'start'>;
	readonly timers: Timers;
	/** Name of the service. */
	readonly profile: string;
};

/** Polls increases while instances are rented, and announces each until it is answered. */
export function followIncreases(following: Following): () => void {
	const {client, fleet, notify, alerts, polling, timers, profile} = following;
	let isServed = true;
	let isAny = false;

	async function ask(): Promise<void> {
		try {
			const {pending_price_increases: increases} = await (
				await client()
			).instances.priceIncreases();
			const announced = increases.map(increase =>
				alertOf(increase, nameOf(increase), profile, timers.now()),
			);
			for (const alert of announced) notify.alert(alert, `${alert.title}. A lists alerts.`);
			const ids = new Set(announced.map(({id}) => id));
			const open = alerts.get().filter(one => one.kind === 'price-rise' && one.isNew);
			alerts.acknowledge(open.flatMap(({id}) => (ids.has(id) ? [] : [id])));
		} catch (error) {
			// The service has no price increases, or the key may not read them.
			if ([401, 403, 404, 405, 410].includes(statusOf(error) ?? 0)) isServed = false;
			throw error;
		}
	}

	function nameOf({contract_id: id}: PriceIncrease): string {
		const row = fleet.state.get().rows.find(({instance}) => instance.id === id);
		const label = shownLabel(row?.instance.label);
		return label === '' ? `Instance ${id}` : `${label} (${id})`;
	}

	const poller = polling.start({
		ask,
		mostMs: EVERY_MS,
		dueAt(lastAt) {
			if (!isServed || !isAny) return undefined;
			return Number.isFinite(lastAt) ? lastAt + EVERY_MS : timers.now();
		},
	});
	const unsubscribe = fleet.state.subscribe(() => {
		const before = isAny;
		isAny = fleet.state.get().rows.length > 0;
		if (isAny !== before) poller.plan();
	});
	return () => {
		unsubscribe();
		poller.close();
	};
}

function alertOf(increase: PriceIncrease, name: string, profile: string, now: number): Alert {
	const {pending_price_increase_id: number, contract_id: instance} = increase;
	const title = `${name} is to cost more: ${increaseText(increase)}`;
	const {kept} = increaseDays(increase);
	return {
		id: alertId(profile, number),
		kind: 'price-rise',
		at: new Date(now).toISOString(),
		title,
		text: `It keeps its price until ${kept}, and ends then unless that is accepted: rentty increases.`,
		profile,
		instance,
	};
}

function alertId(profile: string | undefined, number: number): string {
	return `price-rise ${profile ?? ''} ${number}`;
}

export function increaseAlerts(alerts: readonly Alert[], number: number): readonly string[] {
	const theirs = alerts.filter(
		({kind, id, profile}) => kind === 'price-rise' && id === alertId(profile, number),
	);
	return theirs.map(({id}) => id);
}
