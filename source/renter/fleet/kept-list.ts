/** The last list of each service in short form, for searches from another profile. */
import {fieldsOf, isRecord, listOf} from '../../contract/grammar/json.ts';
import {openFileWriter} from '../../client/files/files.ts';
import {readKeptJson, serviceFile, serviceId, type KeptService} from '../files/kept-file.ts';
import type {Readable} from '../state/store.ts';
import {formatGpus} from '../text/format.ts';
import {shownLabel} from '../words/lease.ts';
import type {FleetState} from './fleet-state.ts';

type KeptInstance = {
	readonly id: number;
	readonly label: string;
	readonly state: string;
	readonly gpus: string;
	/** Dollars an hour at most; undefined if that is unknown. */
	readonly perHour: number | undefined;
};

type KeptList = {
	/** Milliseconds since 1970 on this machine's clock. */
	readonly at: number;
	readonly instances: readonly KeptInstance[];
};

export type KeptLists = {
	/** Keeps what the fleet shows until the returned function is called. */
	readonly follow: (fleet: {readonly state: Readable<FleetState>}) => () => void;
	/** The last list of a service; undefined if none was kept. */
	readonly of: (service: KeptService) => KeptList | undefined;
};

/** Write interval: a changed list is written at once, an unchanged one for its age. */
const EVERY_MS = 60_000;
const MOST_INSTANCES = 500;
const LONGEST_TEXT = 100;

export function openKeptLists(folder: string, own: KeptService): KeptLists {
	const fileOf = (service: KeptService) => serviceFile(folder, 'list', service);
	const write = openFileWriter(fileOf(own));
	let kept = {text: '', at: Number.NEGATIVE_INFINITY};

	function keep({rows, checkedAt: at, error}: FleetState): void {
		if (at === undefined || error !== undefined) return;
		const there = rows.filter(({condition}) => condition !== 'gone').slice(0, MOST_INSTANCES);
		const instances = there.map(({instance, condition, rate}) => ({
			id: instance.id,
			label: shownLabel(instance.label).slice(0, LONGEST_TEXT),
			state: condition,
			gpus: formatGpus(instance).slice(0, LONGEST_TEXT),
			perHour: rate.atMost,
		}));
		const text = JSON.stringify(instances);
		if (text === kept.text && Math.abs(at - kept.at) < EVERY_MS) return;
		kept = {text, at};
		// Without the file, its instances are not found from elsewhere.
		write(() => JSON.stringify({service: serviceId(own), at, instances})).catch(() => undefined);
	}

	return {
		follow({state}) {
			return state.subscribe(() => keep(state.get()));
		},
		of(service) {
			const {service: of, at, instances} = fieldsOf(readKeptJson(fileOf(service)));
			if (of !== serviceId(service) || typeof at !== 'number') return undefined;
			return {at, instances: listOf(instances).slice(0, MOST_INSTANCES).flatMap(readInstance)};
		},
	};
}

function readInstance(value: unknown): readonly KeptInstance[] {
	if (!isRecord(value)) return [];
	const {id, label, state, gpus, perHour} = value;
	const texts = [label, state, gpus].map(text => (typeof text === 'string' ? text : ''));
	if (typeof id !== 'number' || !Number.isSafeInteger(id)) return [];
	const [name = '', word = '', of = ''] = texts.map(text => text.slice(0, LONGEST_TEXT));
	const rate = typeof perHour === 'number' && perHour >= 0 ? perHour : undefined;
	return [{id, label: name, state: word, gpus: of, perHour: rate}];
}

/** Disabled: nothing is stored. */
export const noKeptLists: KeptLists = {follow: () => () => {}, of: () => undefined};
