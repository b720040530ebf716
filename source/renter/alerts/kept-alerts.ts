/** Alerts that stay until acknowledged: one per event, stored in a file across restarts. */
import {fieldsOf, isRecord, listOf} from '../../contract/grammar/json.ts';
import {openSharedWriter} from '../../client/files/shared-file.ts';
import {readKeptJson, stampOf} from '../files/kept-file.ts';
import {count} from '../text/format.ts';
import {createStore, type Readable} from '../state/store.ts';
import {clustersOf, printable} from '../text/text-width.ts';
import {alertKinds, type Alert, type Event} from '../words/alert.ts';
import {DAY_MS, HOUR_MS} from '../../contract/rules/durations.ts';

export type KeptAlert = Alert & {
	readonly key: string;
	/** The alert is not acknowledged yet. */
	readonly isNew: boolean;
	/** The guard has not sent it elsewhere yet. */
	readonly isUntold?: boolean | undefined;
};

export type KeptAlerts = readonly KeptAlert[];

/** The same event again within this time is no second alert. */
const SAME_MS = HOUR_MS;
/** Time for which an acknowledged alert is remembered, to recognise its event. */
const REMEMBERED_MS = DAY_MS;
const MOST_KEPT = 200;
const MOST_CHARACTERS = 400;

/** Alert of an event; its title is the first sentence. */
export function alertOfEvent(event: Event, profile: string, now: number): KeptAlert {
	const {kind, about, state, instance, offer} = event;
	const at = new Date(now).toISOString();
	const text = lineOf(event.text);
	const title = /^.*?(?=[.!?](?:\s|$))/u.exec(text)?.[0] ?? text;
	const key = lineOf(`${about} ${state}`);
	return {
		id: lineOf(`${profile} ${key} ${at}`),
		key,
		kind,
		at,
		title,
		text,
		profile,
		instance,
		offer,
		// A running instance is news, but needs no attention.
		isNew: kind !== 'running',
	};
}

/** An alert that another machine may also send, in its stored form. */
export function keptAlert(alert: Alert): KeptAlert {
	const {kind, instance, id} = alert;
	const key = kind === 'lease-ended' ? `${kind} ${instance}` : id;
	return {...alert, title: lineOf(alert.title), text: lineOf(alert.text), key, isNew: true};
}

export function alertLine({title, text}: Pick<Alert, 'title' | 'text'>): string {
	return text.startsWith(title) ? text : `${title}. ${text}`;
}

/** "2 alerts" while some are not acknowledged; else empty. */
export function alertCountText(kept: KeptAlerts): string {
	const amount = kept.filter(({isNew}) => isNew).length;
	return amount === 0 ? '' : `${count(amount)} ${amount === 1 ? 'alert' : 'alerts'}`;
}

function lineOf(text: string): string {
	return clustersOf(printable(text)).slice(0, MOST_CHARACTERS).join('');
}

/** Adds an alert; the same list where its event is known. */
export function addAlert(kept: KeptAlerts, alert: KeptAlert, now: number): KeptAlerts {
	return kept.some(other => isSame(other, alert)) ? kept : bounded([alert, ...kept], now);
}

function isSame(one: KeptAlert, other: KeptAlert): boolean {
	const apart = Math.abs(Date.parse(one.at) - Date.parse(other.at));
	return one.id === other.id || (one.key === other.key && apart < SAME_MS);
}

/** The newest first; acknowledged alerts are dropped before new ones. */
function bounded(kept: KeptAlerts, now: number): KeptAlerts {
	const remembered = kept.filter(
		({isNew, at}) => isNew || Math.abs(now - Date.parse(at)) < REMEMBERED_MS,
	);
	const newest = remembered.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
	if (newest.length <= MOST_KEPT) return newest;
	const stay = new Set(
		newest.toSorted((a, b) => Number(b.isNew) - Number(a.isNew)).slice(0, MOST_KEPT),
	);
	return newest.filter(alert => stay.has(alert));
}

/**
 * Alerts of two processes as one list: each event once, acknowledged if either process has it so.
 */
export function merged(mine: KeptAlerts, theirs: KeptAlerts, now: number): KeptAlerts {
	const both = mine.map(alert => {
		const other = theirs.find(one => one.id === alert.id);
		if (other === undefined) return alert;
		const isNew = alert.isNew && other.isNew;
		const isUntold = alert.isUntold === true && other.isUntold === true;
		const isUnchanged = isNew === alert.isNew && isUntold === (alert.isUntold === true);
		return isUnchanged ? alert : {...alert, isNew, isUntold};
	});
	const others = theirs.filter(alert => !mine.some(one => isSame(one, alert)));
	const isEqual = others.length === 0 && both.every((alert, at) => alert === mine[at]);
	return isEqual ? mine : bounded([...both, ...others], now);
}

export function acknowledged(kept: KeptAlerts, ids: ReadonlySet<string>): KeptAlerts {
	const isAny = kept.some(({id, isNew}) => isNew && ids.has(id));
	return isAny ? kept.map(one => (ids.has(one.id) ? {...one, isNew: false} : one)) : kept;
}

/** Alerts of a parsed file, without unreadable ones. */
export function readAlerts(json: unknown): KeptAlerts {
	return listOf(fieldsOf(json)['alerts'])
		.slice(0, MOST_KEPT)
		.flatMap(value => readAlert(value) ?? []);
}

function readAlert(value: unknown): KeptAlert | undefined {
	if (!isRecord(value)) return undefined;
	const {id, key, at, title, text, profile, instance, offer, isNew} = value;
	const kind = alertKinds.find(one => one === value['kind']);
	if (kind === undefined || ![id, key, at, title, text].every(isText)) return undefined;
	if (!Number.isFinite(Date.parse(String(at)))) return undefined;
	return {
		id: lineOf(String(id)),
		key: lineOf(String(key)),
		kind,
		at: String(at),
		title: lineOf(String(title)),
		text: lineOf(String(text)),
		profile: isText(profile) ? lineOf(profile) : undefined,
		instance: Number.isSafeInteger(instance) ? Number(instance) : undefined,
		offer: Number.isSafeInteger(offer) ? Number(offer) : undefined,
		isNew: isNew === true,
		...(value['isUntold'] === true && {isUntold: true}),
		...endIn(value['ends']),
	};
}

function endIn(value: unknown): Pick<Alert, 'ends'> {
	if (!isRecord(value)) return {};
	const {name, at} = value;
	const isEnd = isText(name) && isText(at) && Number.isFinite(Date.parse(at));
	return isEnd ? {ends: {name: lineOf(name), at}} : {};
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

export type AlertStore = Readable<KeptAlerts> & {
	/** Keeps an alert; false if its event is known already. */
	readonly add: (alert: KeptAlert) => boolean;
	readonly acknowledge: (ids: Iterable<string>) => void;
	/** Notes that an alert was sent elsewhere. */
	readonly markSent: (id: string) => void;
	/** Reads alerts that another process has written since. */
	readonly refresh: () => void;
	/** Waits until everything is in the file. Never fails. */
	readonly settle: () => Promise<void>;
};

/** @param file Their file; undefined to keep them only while the program runs */
export function openKeptAlerts(file?: string, now: () => number = Date.now): AlertStore {
	let readAt = '';
	const store = createStore<KeptAlerts>(bounded(read(), now()));
	let written: Promise<void> = Promise.resolve();
	const refresh = () => store.set(merged(store.get(), read(), now()));
	const write =
		file === undefined
			? undefined
			: openSharedWriter(file, () => {
					refresh();
					return JSON.stringify({alerts: store.get()});
				});

	/** Alerts of the file; none if the file is unchanged. */
	function read(): KeptAlerts {
		if (file === undefined) return [];
		const stamp = stampOf(file);
		if (stamp === readAt) return [];
		readAt = stamp;
		return readAlerts(readKeptJson(file));
	}

	function save(next: KeptAlerts): void {
		store.set(next);
		// A failed write must not remove an alert from the screen.
		written = (write?.() ?? written).catch(() => undefined);
	}

	return {
		get: store.get,
		subscribe: store.subscribe,
		refresh,
		add(alert) {
			refresh();
			const next = addAlert(store.get(), alert, now());
			if (next === store.get()) return false;
			save(next);
			return true;
		},
		acknowledge(ids) {
			const next = acknowledged(store.get(), new Set(ids));
			if (next !== store.get()) save(next);
		},
		markSent(id) {
			save(store.get().map(one => (one.id === id ? {...one, isUntold: false} : one)));
		},
		settle: async () => written,
	};
}
