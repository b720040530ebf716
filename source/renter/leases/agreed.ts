/**
 * File of the leases that were agreed here, by instance and start: a label may be edited elsewhere, and
 * lose its lease.
 */
import {mkdirSync} from 'node:fs';
import {dirname} from 'node:path';
import {fieldsOf, listOf} from '../../contract/grammar/json.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {hasStopped, isSameStart} from '../../client/nouns/instance-list.ts';
import {withLockNow} from '../../client/files/file-lock.ts';
import {replaceFileNow} from '../../client/files/files.ts';
import {readKeptJson, serviceFile, serviceId, type KeptService} from '../files/kept-file.ts';
import {
	dueAct,
	endlessLease,
	hasEnd,
	type Lease,
	leaseKey,
	readLabel,
	writeLabel,
} from '../words/lease.ts';

type Agreed = {
	readonly id: number;
	readonly startDate: number;
	readonly label: string;
	/**
	 * Milliseconds by which the service's clock was ahead of this machine's; undefined for a lease
	 * from elsewhere.
	 */
	readonly skewMs?: number | undefined;
};

/** Leases from one read of the file. */
export type KnownLeases = {
	/** The lease that was agreed, if the label has no readable one. */
	readonly lost: (instance: Instance) => Lease | undefined;
	/**
	 * Milliseconds by which a deadline is later than requested, because the service's clock was
	 * wrong then and is right now; negative if earlier.
	 */
	readonly movedMs: (instance: Instance, skewMs: number) => number | undefined;
};

export type AgreedLeases = {
	/** The lease that was agreed, if the label has no readable one. */
	readonly lost: (instance: Instance) => Lease | undefined;
	/** The same for many instances, from one read of the file. */
	readonly known: () => KnownLeases;
	/**
	 * Stores the lease that is being written; undefined deletes it. @param skewMs as in `Agreed`
	 */
	readonly agree: (instance: Instance, lease: Lease | undefined, skewMs?: number) => void;
	/** The leases of all instances that no complete list has shown to be gone. */
	readonly open: () => ReadonlyArray<{readonly id: number; readonly lease: Lease}>;
	readonly isAgreed: (instance: Instance) => boolean;
	/**
	 * Stores the leases in all labels of a complete list, and deletes those of destroyed instances.
	 * A deadline that had passed when first seen is not stored.
	 *
	 * @param date the service's time, in milliseconds
	 * @returns leases that differed from the agreed ones in two consecutive lists
	 */
	readonly note: (instances: readonly Instance[], date: number) => readonly ChangedLease[];
};

export type ChangedLease = {
	readonly instance: Instance;
	readonly before: Lease;
	readonly after: Lease;
};

export function openAgreedLeases(state: string, of: KeptService): AgreedLeases {
	const service = serviceId(of);
	const file = serviceFile(state, 'agreed', of);

	/** Leases of the last list that differed from the agreed ones. */
	let shown: ReadonlyMap<number, string> = new Map();

	function read(): ReadonlyMap<number, Agreed> {
		const {service: written, agreed: rows} = fieldsOf(readKeptJson(file));
		const agreed = written === service ? listOf(rows).flatMap(readAgreed) : [];
		return new Map(agreed.map(one => [one.id, one]));
	}

	const textOf = (agreed: Iterable<Agreed>) => JSON.stringify({service, agreed: [...agreed]});

	/** Changes what the file says at that moment: the console, a guard and commands write it. */
	function change(make: (before: ReadonlyMap<number, Agreed>) => readonly Agreed[]): void {
		const isChange = (before: ReadonlyMap<number, Agreed>) =>
			textOf(make(before)) !== textOf(before.values());
		// Most lists change nothing, and need no lock.
		if (!isChange(read())) return;
		try {
			mkdirSync(dirname(file), {recursive: true, mode: 0o700});
			withLockNow(file, () => replaceFileNow(file, textOf(make(read()))));
		} catch {
			// Without the file, an instance whose label loses its lease has no end.
		}
	}

	return {
		lost: instance => lostOf(read(), instance),
		known() {
			const all = read();
			return {
				lost: instance => lostOf(all, instance),
				movedMs: (instance, skewMs) => movedMsOf(keptOf(all, instance), instance, skewMs),
			};
		},
		agree(instance, lease, skewMs) {
			const next = agreedOf(instance, lease).map(one => ({...one, skewMs}));
			change(before => [...[...before.values()].filter(({id}) => id !== instance.id), ...next]);
		},
		open: () =>
			[...read().values()].flatMap(({id, label}) => {
				const {lease} = readLabel(label);
				return lease === undefined ? [] : [{id, lease}];
			}),
		isAgreed(instance) {
			const [inLabel] = agreedOf(instance, readLabel(instance.label).lease);
			return inLabel !== undefined && keptOf(read(), instance)?.label === inLabel.label;
		},
		note(instances, date) {
			let noted: readonly Noted[] = [];
			change(before => {
				noted = instances.map(instance => noteOne(before, instance, {date, shown}));
				return noted.flatMap(({agreed}) => agreed ?? []);
			});
			shown = new Map(noted.flatMap(({differs}) => (differs === undefined ? [] : [differs])));
			return noted.flatMap(({changed}) => changed ?? []);
		},
	};
}

type Noted = {
	readonly agreed: Agreed | undefined;
	/** Id and label of an instance whose lease differs from the agreed one. */
	readonly differs?: readonly [id: number, label: string];
	readonly changed?: ChangedLease;
};

type Noting = {
	readonly date: number;
	readonly shown: ReadonlyMap<number, string>;
};

function noteOne(
	before: ReadonlyMap<number, Agreed>,
	instance: Instance,
	{date, shown}: Noting,
): Noted {
	const {id} = instance;
	if (!hasPlainStart(instance)) return {agreed: before.get(id)};
	const kept = keptOf(before, instance);
	const {lease} = readLabel(instance.label);
	const [inLabel] = agreedOf(instance, lease);
	if (lease === undefined || inLabel === undefined || inLabel.label === kept?.label) {
		return {agreed: kept ?? inLabel};
	}
	const inTime = isTimely(instance, lease, date) ? inLabel : undefined;
	if (kept === undefined) return {agreed: inTime};
	const differs = [id, inLabel.label] as const;
	// A list may be older than the lease that was agreed in the meantime.
	if (shown.get(id) !== inLabel.label) return {agreed: kept, differs};
	const changed = {instance, before: readLabel(kept.label).lease ?? endlessLease, after: lease};
	return {agreed: inTime ?? kept, differs, changed};
}

function keptOf(all: ReadonlyMap<number, Agreed>, {id, start_date: start}: Instance) {
	const kept = all.get(id);
	return isSameStart(kept?.startDate, start) ? kept : undefined;
}

/** Latest plausible date: a larger number is in milliseconds, or no date. */
const LATEST_SECONDS = 1e11;

/** False if the start cannot tell whether this is the instance of the agreement. */
function hasPlainStart({start_date: start}: Instance): boolean {
	return typeof start === 'number' && start > 0 && start < LATEST_SECONDS;
}

function lostOf(all: ReadonlyMap<number, Agreed>, instance: Instance): Lease | undefined {
	const {lease, isUnknown} = readLabel(instance.label);
	const kept = keptOf(all, instance);
	if (kept === undefined || (lease !== undefined && !isUnknown)) return undefined;
	return readLabel(kept.label).lease;
}

/** Clock skew in milliseconds from which a deadline is shown with the clock that counts. */
export const APART_MS = 60_000;

function movedMsOf(
	kept: Agreed | undefined,
	{label}: Instance,
	skewMs: number,
): number | undefined {
	const {lease} = readLabel(label);
	if (kept?.skewMs === undefined || lease?.endsAt === undefined) return undefined;
	if (leaseKey(lease) !== leaseKey(readLabel(kept.label).lease ?? endlessLease)) return undefined;
	const isRightNow = Math.abs(skewMs) < APART_MS && Math.abs(kept.skewMs) >= APART_MS;
	return isRightNow ? kept.skewMs - skewMs : undefined;
}

/** True unless the lease's next act was due before a moment. @param date in milliseconds */
export function isTimely(instance: Instance, lease: Lease, date: number): boolean {
	return (dueAct(lease, hasStopped(instance))?.at ?? Infinity) > date;
}

/** The lease to store; one that ends nothing needs none. */
function agreedOf({id, start_date: start}: Instance, lease: Lease | undefined): readonly Agreed[] {
	if (lease === undefined || !hasEnd(lease) || typeof start !== 'number') return [];
	const label = writeLabel('', lease);
	return label === undefined ? [] : [{id, startDate: start, label}];
}

function readAgreed(value: unknown): readonly Agreed[] {
	const {id, startDate, label, skewMs} = fieldsOf(value);
	const isAgreed =
		typeof id === 'number' && typeof startDate === 'number' && typeof label === 'string';
	if (!isAgreed) return [];
	return [{id, startDate, label, ...(typeof skewMs === 'number' && {skewMs})}];
}
