/**
 * File of observed instances: since when they have been in their condition, and usual boot times.
 */
import {fieldsOf, isRecord, listOf} from '../../contract/grammar/json.ts';
import {openFileWriter} from '../../client/files/files.ts';
import {readKeptJson, serviceFile, serviceId, type KeptService} from '../files/kept-file.ts';
import type {BootTimes, FleetState} from './fleet-state.ts';
import type {PolledSpan, Moment} from '../instance/times.ts';
import {newObservation, type Observation, type StatePhase} from '../instance/observations.ts';

type Recalled = {
	readonly remembered: ReadonlyMap<number, Observation>;
	readonly boots: BootTimes;
	readonly lastTemplate: string | undefined;
};

export type FleetMemory = {
	readonly recall: () => Recalled;
	/** Writes the observations if they changed. Never fails. */
	readonly remember: (state: FleetState) => Promise<void>;
};

const EVIDENCE_MS = 60_000;

const nothingKept = {steady: '', at: Number.NEGATIVE_INFINITY};

const nothing: Recalled = {remembered: new Map(), boots: {}, lastTemplate: undefined};

/** Keeps the observations of a service in a file of its own, in the given folder. */
export function openFleetMemory(folder: string, of: KeptService): FleetMemory {
	const file = serviceFile(folder, 'fleet', of);
	const service = serviceId(of);
	const write = openFileWriter(file);
	let recalled: Recalled | undefined;
	let kept = nothingKept;

	function unlisted(rows: FleetState['rows'], incomplete: FleetState['incomplete']) {
		if (incomplete === undefined) return [];
		const listed = new Set(rows.map(({instance}) => instance.id));
		const known = [...(recalled?.remembered.values() ?? [])];
		return known.filter(({id}) => !listed.has(id));
	}

	return {
		recall: () => (recalled ??= readFleet(file, service)),
		async remember({rows, boots, lastTemplate, incomplete, checkedAt: at = 0}) {
			const observations = [...rows.map(row => row.observation), ...unlisted(rows, incomplete)].map(
				one => ({
					...one,
					use: undefined,
					useSpans: undefined,
				}),
			);
			// Every poll adds to the evidence: that alone is written once a minute.
			const bare = observations.map(one => ({...one, state: undefined, boot: undefined}));
			const steady = JSON.stringify([bare, boots, lastTemplate]);
			if (steady === kept.steady && Math.abs(at - kept.at) < EVIDENCE_MS) return;
			kept = {steady, at};
			const text = JSON.stringify({service, seen: observations, boots, lastTemplate});
			try {
				await write(() => text);
			} catch {
				// Without the file, ages count from the start of rentty.
				kept = nothingKept;
			}
		},
	};
}

function readFleet(file: string, service: string): Recalled {
	const json = readKeptJson(file);
	if (!isRecord(json) || json['service'] !== service) return nothing;
	const observations = listOf(json['seen']).flatMap(readObservation);
	const {boots, lastTemplate} = json;
	return {
		remembered: new Map(observations.map(one => [one.id, one])),
		boots: readBoots(boots),
		lastTemplate: typeof lastTemplate === 'string' ? lastTemplate : undefined,
	};
}

function readObservation(value: unknown): readonly Observation[] {
	if (!isRecord(value) || !isNumber(value['id']) || !Array.isArray(value['phases'])) return [];
	const phases = value['phases'].flatMap(readPhase);
	if (phases.length === 0) return [];
	const time = (name: string) => (isNumber(value[name]) ? value[name] : undefined);
	return [
		{
			...newObservation(value['id'], time('firstSeenAt') ?? phases[0]?.since ?? 0),
			phases,
			state: readSpan(value['state']),
			boot: readSpan(value['boot']),
			intent: typeof value['intent'] === 'string' ? value['intent'] : undefined,
			hasRun: value['hasRun'] === true,
			setbacks: time('setbacks') ?? 0,
			idleSince: time('idleSince'),
			destroyedAt: time('destroyedAt'),
			sshAnsweredAt: time('sshAnsweredAt'),
			sshSilentSince: time('sshSilentSince'),
		},
	];
}

function readSpan(value: unknown): PolledSpan | undefined {
	if (!isRecord(value) || !isNumber(value['looks'])) return undefined;
	const [from, until] = [readMoment(value['from']), readMoment(value['until'])];
	const watchedMs = isNumber(value['watchedMs']) ? value['watchedMs'] : 0;
	return from && until ? {looks: value['looks'], from, until, watchedMs} : undefined;
}

function readMoment(value: unknown): Moment | undefined {
	if (!isRecord(value) || !isNumber(value['now']) || !isNumber(value['localNow'])) return undefined;
	return {now: value['now'], localNow: value['localNow']};
}

function readPhase(value: unknown): readonly StatePhase[] {
	if (!isRecord(value) || !isNumber(value['since'])) return [];
	const {status, since} = value;
	if (status !== null && typeof status !== 'string') return [];
	return [value['isOlder'] === true ? {status, since, isOlder: true} : {status, since}];
}

function readBoots(value: unknown): BootTimes {
	const times = Object.entries(fieldsOf(value)).flatMap(([name, boots]) =>
		Array.isArray(boots) ? [[name, boots.filter(isNumber)] as const] : [],
	);
	return Object.fromEntries(times);
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}
