/** Hosts in rentty's experience: boots of instances, and prices. */
import {setImmediate as nextTurn} from 'node:timers/promises';
import {fieldsOf, isRecord, listOf} from '../../contract/grammar/json.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {openSharedWriter} from '../../client/files/shared-file.ts';
import {readKeptJson, stampOf} from '../files/kept-file.ts';
import {isoDay, MISSING} from '../text/format.ts';
import {DAY_MS} from '../../contract/rules/durations.ts';

/** The levels of a curve drawn in characters that every terminal has. */
const LEVELS = '_.-^';
const DAYS_IN_CURVE = 14;

/** Boots on a host, for a cell: "2 ok, 2:05", "1 stuck 11-02". */
export function historyInShort(host: HostRecord | undefined): string {
	if (host === undefined) return MISSING;
	const {boots, stuck} = host;
	const latest = boots.at(-1);
	const parts = [
		...(stuck.length > 0 ? [`${stuck.length} stuck ${monthAndDay(stuck.at(-1))}`] : []),
		...(latest === undefined ? [] : [`${boots.length} ok, ${minutes(latest.seconds)}`]),
	];
	return parts.length === 0 ? MISSING : parts.join(', ');
}

export function bootFacts({boots, stuck}: HostRecord) {
	const times = boots.slice(-3).map(({seconds}) => minutes(seconds));
	const good = [['boots', `${boots.length} ok: ${times.join(', ')}`] as const];
	const bad = [['stuck', `${stuck.length}, last ${dateOf(stuck.at(-1))}`] as const];
	return [...(stuck.length > 0 ? bad : []), ...(boots.length > 0 ? good : [])];
}

/** Duration of a boot: 1:50. */
function minutes(seconds: number): string {
	const whole = Math.round(seconds);
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function dateOf(boot: Boot | undefined): string {
	return isoDay((boot?.at ?? Number.NaN) / 1000);
}

function monthAndDay(boot: Boot | undefined): string {
	return dateOf(boot).replace(/^\d+-/, '');
}

/** The last price seen before today, and its age in days. */
export function lastEarlierPrice(
	prices: readonly DatedPrice[] | undefined,
	now: Date,
): {readonly dollars: number; readonly daysAgo: number} | undefined {
	const today = dayOf(now);
	const earlier = prices?.findLast(([day]) => day < today);
	return earlier === undefined ? undefined : {dollars: earlier[1], daysAgo: today - earlier[0]};
}

/**
 * Prices of some days as a line: a character a day, the lowest price at the bottom, blank for days
 * without one.
 */
export function curveOf(prices: readonly DatedPrice[], now: Date): string {
	const today = dayOf(now);
	const recent = prices.filter(([day]) => today - day < DAYS_IN_CURVE && day <= today);
	const dollars = recent.map(([, price]) => price);
	const [low, high] = [Math.min(...dollars), Math.max(...dollars)];
	const first = recent[0]?.[0];
	if (first === undefined) return '';
	const byDay = new Map(recent);
	return Array.from({length: today - first + 1}, (_, at) => {
		const price = byDay.get(first + at);
		if (price === undefined) return ' ';
		const share = high === low ? 0 : (price - low) / (high - low);
		return LEVELS.charAt(Math.round(share * (LEVELS.length - 1)));
	}).join('');
}

/** A moment in milliseconds since 1970, and how long a boot took, in seconds. */
type Boot = {readonly at: number; readonly seconds: number};

/** The price of one GPU for an hour, as it was seen on a day, counted from 1970. */
export type DatedPrice = readonly [day: number, dollars: number];

export type HostRecord = {
	/** Boots that succeeded, the latest last. */
	readonly boots: readonly Boot[];
	/** Boots that never ran, with the time waited for them. */
	readonly stuck: readonly Boot[];
	/** The prices of each kind of GPU, the latest last, at most one a day. */
	readonly prices: Readonly<Record<string, readonly DatedPrice[]>>;
};

export type HostHistory = {
	readonly of: (hostId: number | null | undefined) => HostRecord | undefined;
	/** Records the prices of offers, once a day for each host and kind of GPU. */
	readonly sawOffers: (offers: readonly Offer[], at: Date) => Promise<void>;
	readonly booted: (hostId: number, boot: Boot) => Promise<void>;
	readonly gotStuck: (hostId: number, boot: Boot) => Promise<void>;
};

/** Most prices kept of a kind of GPU, a day each: older ones say little. */
const MOST_PRICES = 14;
const MOST_BOOTS = 10;
/** Offers recorded before pressed keys are handled again. */
const OFFERS_AT_ONCE = 1000;
/** Most hosts stored: a market that invents hosts must not fill the disk. */
const MOST_HOSTS = 5000;

export const unknownHost: HostRecord = {boots: [], stuck: [], prices: {}};

/** The day of a moment, in UTC, by which prices are recorded. */
export function dayOf(at: Date): number {
	return Math.floor(at.getTime() / DAY_MS);
}

/** The prices of a kind of GPU; the service's name for it may be any text, such as `constructor`. */
export function datedPricesOf(host: HostRecord, gpu: string): readonly DatedPrice[] {
	return Object.hasOwn(host.prices, gpu) ? (host.prices[gpu] ?? []) : [];
}

/** A history for this run of the program alone. */
export function createHostHistory(hosts = new Map<number, HostRecord>()): HostHistory {
	return historyOf(
		() => hosts,
		async () => undefined,
	);
}

/** @param read called at first use of the history, not for the first frame */
function historyOf(read: () => Map<number, HostRecord>, save: () => Promise<void>): HostHistory {
	async function change(hostId: number, patch: (host: HostRecord) => Partial<HostRecord>) {
		const hosts = read();
		const host = hosts.get(hostId) ?? unknownHost;
		hosts.set(hostId, {...host, ...patch(host)});
		return save();
	}

	return {
		of: hostId => (typeof hostId === 'number' ? read().get(hostId) : undefined),
		async sawOffers(offers, at) {
			let isNew = false;
			for (let from = 0; from < offers.length; from += OFFERS_AT_ONCE) {
				// oxlint-disable-next-line no-await-in-loop -- so that keys that are pressed meanwhile come first
				await nextTurn();
				for (const offer of offers.slice(from, from + OFFERS_AT_ONCE)) {
					if (notePrice(read(), offer, dayOf(at))) isNew = true;
				}
			}
			if (isNew) await save();
		},
		booted: async (hostId, boot) =>
			change(hostId, ({boots}) => ({boots: [...boots, boot].slice(-MOST_BOOTS)})),
		gotStuck: async (hostId, boot) =>
			change(hostId, ({stuck}) => ({stuck: [...stuck, boot].slice(-MOST_BOOTS)})),
	};
}

/** Records the price of an offer unless one was recorded that day; true if it did. */
function notePrice(hosts: Map<number, HostRecord>, offer: Offer, day: number): boolean {
	const {host_id: hostId, gpu_name: gpu, num_gpus: gpus, dph_base: base} = offer;
	if (typeof hostId !== 'number' || typeof gpu !== 'string') return false;
	if (typeof base !== 'number' || typeof gpus !== 'number' || gpus < 1) return false;
	const host = hosts.get(hostId) ?? unknownHost;
	const before = datedPricesOf(host, gpu);
	if (hosts.size >= MOST_HOSTS && !hosts.has(hostId)) return false;
	if (before.at(-1)?.[0] === day) return false;
	const price: DatedPrice = [day, Number((base / gpus).toFixed(6))];
	const prices = {...host.prices, [gpu]: [...before, price].slice(-MOST_PRICES)};
	hosts.set(hostId, {...host, prices});
	return true;
}

/** Keeps the history in a file. A missing or broken file is a history without hosts. */
export function openHostHistory(file: string): HostHistory {
	let hosts: Map<number, HostRecord> | undefined;
	let readAt = '';
	function read(): Map<number, HostRecord> {
		if (hosts !== undefined) return hosts;
		readAt = stampOf(file);
		return (hosts = readHosts(file));
	}
	const makeText = () => {
		if (stampOf(file) !== readAt) addHosts(read(), readHosts(file));
		return fileText(read());
	};
	return historyOf(
		read,
		openSharedWriter(file, makeText, () => {
			readAt = stampOf(file);
		}),
	);
}

/** Adds what another window has seen of hosts. */
function addHosts(hosts: Map<number, HostRecord>, others: ReadonlyMap<number, HostRecord>): void {
	for (const [id, other] of others) {
		const host = hosts.get(id);
		if (host !== undefined) hosts.set(id, joinHosts(host, other));
		else if (hosts.size < MOST_HOSTS) hosts.set(id, other);
	}
}

function joinHosts(mine: HostRecord, theirs: HostRecord): HostRecord {
	const prices = Object.entries(theirs.prices).map(([gpu, dated]) => {
		const days = new Map([...datedPricesOf(mine, gpu), ...dated]);
		const inOrder = [...days].toSorted(([day], [other]) => day - other);
		return [gpu, inOrder.slice(-MOST_PRICES)] as const;
	});
	return {
		boots: joinBoots(mine.boots, theirs.boots),
		stuck: joinBoots(mine.stuck, theirs.stuck),
		prices: {...mine.prices, ...Object.fromEntries(prices)},
	};
}

function joinBoots(mine: readonly Boot[], theirs: readonly Boot[]): readonly Boot[] {
	const isOther = ({at, seconds}: Boot) =>
		!mine.some(boot => boot.at === at && boot.seconds === seconds);
	const all = [...theirs.filter(isOther), ...mine];
	return all.toSorted((a, b) => a.at - b.at).slice(-MOST_BOOTS);
}

function fileText(hosts: ReadonlyMap<number, HostRecord>): string {
	return JSON.stringify({hosts: Object.fromEntries(hosts)});
}

function readHosts(file: string): Map<number, HostRecord> {
	const {hosts} = fieldsOf(readKeptJson(file));
	return new Map(
		Object.entries(fieldsOf(hosts)).flatMap(([id, host]) =>
			isRecord(host) && /^\d+$/.test(id) ? [[Number(id), readHost(host)] as const] : [],
		),
	);
}

function readHost({boots, stuck, prices}: Readonly<Record<string, unknown>>): HostRecord {
	const kinds = Object.entries(fieldsOf(prices));
	return {
		boots: listOf(boots).filter(isBoot),
		stuck: listOf(stuck).filter(isBoot),
		prices: Object.fromEntries(kinds.map(([gpu, seen]) => [gpu, listOf(seen).filter(isPrice)])),
	};
}

function isBoot(value: unknown): value is Boot {
	return isRecord(value) && Number.isFinite(value['at']) && Number.isFinite(value['seconds']);
}

function isPrice(value: unknown): value is DatedPrice {
	return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
}
