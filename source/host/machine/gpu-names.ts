/**
 * Stable names of GPUs: their numbers change when one is taken out, or is missing at a start. The
 * market knows them by their places in a list that is kept in a file.
 */
import {readFile} from 'node:fs/promises';
import {replaceFile} from '../../client/files/files.ts';
import {readCsv} from './nvidia.ts';
import type {Detected} from './detect.ts';
import type {GpuKind} from './devices.ts';
import {uniqueIds} from './rocm.ts';
import {runTool, type RunTool} from './run-tool.ts';

/** The GPUs that are there now: their lasting names, by the numbers that their tool has for them. */
export type PresentGpus = ReadonlyMap<number, string>;

export type ListGpus = () => Promise<PresentGpus>;

export function listing(kind: GpuKind, run: RunTool = runTool): ListGpus {
	if (kind === 'none') return async () => new Map();
	return async () => (kind === 'nvidia' ? listNvidia(run) : uniqueIds(run));
}

async function listNvidia(run: RunTool): Promise<PresentGpus> {
	const said = await run('nvidia-smi', ['--query-gpu=index,uuid', '--format=csv']);
	const named = readCsv(said ?? '').map(
		row => [Number(row.get('index')), row.get('uuid') ?? ''] as const,
	);
	return new Map(named.filter(([, name]) => name.startsWith('GPU-')));
}

/**
 * Answers the names of all GPUs that the machine ever offered, by the places that the market knows;
 * none where GPUs have no lasting names.
 */
export async function keepGpuNames(
	file: string,
	{facts}: Pick<Detected, 'facts'>,
	present: PresentGpus,
): Promise<readonly string[]> {
	const known = await readNames(file);
	const inOrder = [...present].toSorted(([one], [other]) => one - other).map(([, name]) => name);
	const offered = inOrder.slice(0, facts.num_gpus);
	const names = [...known, ...offered.filter(name => !known.includes(name))];
	if (names.length === known.length) return names;
	await replaceFile(file, JSON.stringify(names));
	return names;
}

/** @throws SyntaxError where it cannot be read: what the market knows by places must not be made up. */
async function readNames(file: string): Promise<readonly string[]> {
	const text = await readFile(file, 'utf8').catch(() => '[]');
	const names: unknown = JSON.parse(text);
	return Array.isArray(names) ? names.filter(name => typeof name === 'string') : [];
}

/** Facts of a machine, with its GPUs at the places that the market knows. */
export function byPlaces(
	found: Detected,
	present: PresentGpus,
	names: readonly string[],
): Detected {
	const placeOf = (number: number) => names.indexOf(present.get(number) ?? '');
	const lost = lostPlaces(names, present);
	const busy = found.busyGpus.map(placeOf).filter(place => place >= 0);
	return {
		facts: {...found.facts, num_gpus: names.length},
		busyGpus: [...busy, ...lost],
		lostGpus: lost,
	};
}

export function lostPlaces(names: readonly string[], present: PresentGpus): readonly number[] {
	const there = new Set(present.values());
	return names.flatMap((name, place) => (there.has(name) ? [] : [place]));
}

/** Loads of GPUs, by the places that the market knows. */
export function loadsByPlace<Load>(
	loads: ReadonlyMap<number, Load>,
	present: PresentGpus,
	names: readonly string[],
): ReadonlyMap<number, Load> {
	if (names.length === 0) return loads;
	const placed = [...loads].map(([number, load]) => {
		return [names.indexOf(present.get(number) ?? ''), load] as const;
	});
	return new Map(placed.filter(([place]) => place >= 0));
}
