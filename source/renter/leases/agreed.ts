/**
 * File of the leases that were agreed here, by instance and start: a label may be edited elsewhere, and
 * lose its lease.
 */
import {fieldsOf, listOf} from '../../contract/grammar/json.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {isSameStart} from '../../client/nouns/instance-list.ts';
import {replaceFileNow} from '../../client/files/files.ts';
import {readKeptJson, serviceFile, serviceId, type KeptService} from '../files/kept-file.ts';
import {hasEnd, type Lease, readLabel, writeLabel} from '../words/lease.ts';

type Agreed = {readonly id: number; readonly startDate: number; readonly label: string};

export type AgreedLeases = {
	/** The lease that was agreed, if the label has no readable one. */
	readonly lost: (instance: Instance) => Lease | undefined;
	/** The lost leases of many instances, by one reading of the file. */
	readonly losses: () => (instance: Instance) => Lease | undefined;
	/** Keeps the lease that is being written; undefined forgets it. */
	readonly agree: (instance: Instance, lease: Lease | undefined) => void;
	/** Keeps the leases in all labels of a whole list, and forgets instances that are gone. */
	readonly note: (instances: readonly Instance[]) => void;
};

export function openAgreedLeases(state: string, of: KeptService): AgreedLeases {
	const service = serviceId(of);
	const file = serviceFile(state, 'agreed', of);

	function read(): ReadonlyMap<number, Agreed> {
		const {service: written, agreed: rows} = fieldsOf(readKeptJson(file));
		const agreed = written === service ? listOf(rows).flatMap(readAgreed) : [];
		return new Map(agreed.map(one => [one.id, one]));
	}

	function write(before: ReadonlyMap<number, Agreed>, next: readonly Agreed[]): void {
		const text = JSON.stringify({service, agreed: next});
		if (text === JSON.stringify({service, agreed: [...before.values()]})) return;
		try {
			replaceFileNow(file, text);
		} catch {
			// Without the file, an instance whose label loses its lease has no end.
		}
	}

	return {
		lost: instance => lostOf(read(), instance),
		losses() {
			const all = read();
			return instance => lostOf(all, instance);
		},
		agree(instance, lease) {
			const before = read();
			const others = [...before.values()].filter(({id}) => id !== instance.id);
			write(before, [...others, ...agreedOf(instance, lease)]);
		},
		note(instances) {
			const before = read();
			const next = instances.flatMap(instance => {
				const kept = before.get(instance.id);
				const isSame = isSameStart(kept?.startDate, instance.start_date);
				const said = agreedOf(instance, readLabel(instance.label).lease);
				return said.length > 0 || kept === undefined || !isSame ? said : [kept];
			});
			write(before, next);
		},
	};
}

function lostOf(all: ReadonlyMap<number, Agreed>, instance: Instance): Lease | undefined {
	const {lease, isUnknown} = readLabel(instance.label);
	const kept = all.get(instance.id);
	if (kept === undefined || !isSameStart(kept.startDate, instance.start_date)) return undefined;
	if (lease !== undefined && !isUnknown) return undefined;
	return readLabel(kept.label).lease;
}

/** A lease that ends nothing needs no keeping. */
function agreedOf({id, start_date: start}: Instance, lease: Lease | undefined): readonly Agreed[] {
	if (lease === undefined || !hasEnd(lease) || typeof start !== 'number') return [];
	const label = writeLabel('', lease);
	return label === undefined ? [] : [{id, startDate: start, label}];
}

function readAgreed(value: unknown): readonly Agreed[] {
	const {id, startDate, label} = fieldsOf(value);
	const isAgreed =
		typeof id === 'number' && typeof startDate === 'number' && typeof label === 'string';
	return isAgreed ? [{id, startDate, label}] : [];
}
