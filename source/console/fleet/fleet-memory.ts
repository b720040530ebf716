/** What was seen of instances, kept in a file: since when they are what they are, and usual boots. */
import {isRecord} from '../../contract/json.ts';
import {readKeptJson, serviceFile, serviceId, writeKept} from '../kept-file.ts';
import type {KeptService} from '../kept-file.ts';
import type {BootTimes} from './boot-times.ts';
import type {FleetState} from './fleet-state.ts';
import type {Observation, Phase} from './observations.ts';

export type Recalled = {
	readonly remembered: ReadonlyMap<number, Observation>;
	readonly boots: BootTimes;
};

export type FleetMemory = {
	/** What was kept of this service. */
	readonly recall: () => Recalled;
	/** Keeps what is known, where it is not what was kept before. Never fails. */
	readonly remember: (state: FleetState) => Promise<void>;
};

const nothing: Recalled = {remembered: new Map(), boots: {}};

/** Keeps what is seen of a service in a file of its own, in the folder that is given. */
export function openFleetMemory(folder: string, of: KeptService): FleetMemory {
	const file = serviceFile(folder, 'fleet', of);
	const service = serviceId(of);
	let recalled: Recalled | undefined;
	let kept = '';
	return {
		recall: () => (recalled ??= readFleet(file, service)),
		async remember({rows, boots}) {
			// Without what every look changes.
			const seen = rows.map(row => ({...row.seen, use: undefined, looks: undefined}));
			const text = JSON.stringify({service, seen, boots});
			if (text === kept) return;
			kept = text;
			try {
				await writeKept(file, text);
			} catch {
				// It is a help and no more: ages are then counted from when rentty started.
			}
		},
	};
}

function readFleet(file: string, service: string): Recalled {
	const json = readKeptJson(file);
	if (!isRecord(json) || json['service'] !== service) return nothing;
	const seen = Array.isArray(json['seen']) ? json['seen'].flatMap(readObservation) : [];
	return {remembered: new Map(seen.map(one => [one.id, one])), boots: readBoots(json['boots'])};
}

function readObservation(value: unknown): readonly Observation[] {
	if (!isRecord(value) || !isNumber(value['id']) || !Array.isArray(value['phases'])) return [];
	const phases = value['phases'].flatMap(readPhase);
	if (phases.length === 0) return [];
	const time = (name: string) => (isNumber(value[name]) ? value[name] : undefined);
	return [
		{
			id: value['id'],
			phases,
			looks: 0,
			missed: 0,
			hasRun: value['hasRun'] === true,
			setbacks: time('setbacks') ?? 0,
			idleSince: time('idleSince'),
			use: [],
			destroyedAt: time('destroyedAt'),
			sshAnsweredAt: time('sshAnsweredAt'),
			sshSilentSince: time('sshSilentSince'),
		},
	];
}

function readPhase(value: unknown): readonly Phase[] {
	if (!isRecord(value) || !isNumber(value['since'])) return [];
	const {status, since} = value;
	if (status !== null && typeof status !== 'string') return [];
	return [value['isOlder'] === true ? {status, since, isOlder: true} : {status, since}];
}

function readBoots(value: unknown): BootTimes {
	if (!isRecord(value)) return {};
	const times = Object.entries(value).flatMap(([name, boots]) =>
		Array.isArray(boots) ? [[name, boots.filter(isNumber)] as const] : [],
	);
	return Object.fromEntries(times);
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}
