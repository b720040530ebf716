/** The GPUs of a machine, of which instances are given some by their lasting names. */
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {CannotStart} from '../retry.ts';
import type {GpuKind} from './devices.ts';
import type {ListGpus} from './gpu-names.ts';

export type MachineGpus = {
	readonly kind: GpuKind;
	/** Their lasting names, by the places that the market knows; empty where they have none. */
	readonly names: readonly string[];
	readonly list: ListGpus;
	/** Told which places have no GPU any longer, or have one again. */
	readonly onLost: (places: readonly number[]) => Promise<void>;
	/**
	 * Driver's device names by minor number.
	 * @default namesByMinor
	 */
	readonly minors?: () => Promise<ReadonlyMap<number, string>>;
};

export const noGpus: MachineGpus = {
	kind: 'none',
	names: [],
	list: async () => new Map(),
	onLost: async () => undefined,
};

/**
 * The numbers that GPUs have at present, by the places that the market knows.
 *
 * @throws CannotStart where one of them is not on the machine.
 */
export async function numbersOf(
	{kind, names, list}: MachineGpus,
	places: readonly number[],
): Promise<readonly number[]> {
	if (places.length === 0) return [];
	if (kind === 'none') throw new CannotStart('The GPUs of the machine are gone');
	const present = await list();
	if (present.size === 0 && names.length > 0) throw new Error('its GPUs do not answer');
	const numbers = new Map([...present].map(([number, name]) => [name, number]));
	return places.map(place => {
		const name = names[place];
		// GPUs without lasting names are known by their numbers alone.
		if (name === undefined) return place;
		const number = numbers.get(name);
		if (number === undefined) throw new CannotStart(lostSentence(name));
		return number;
	});
}

export function lostSentence(name: string): string {
	return `Its GPU ${name} is gone from the machine. It was stopped, and its files are kept.`;
}

const NOT_THERE = 'It does not have the GPUs that it has rented';

/**
 * Compares the GPUs that are seen in an instance with those that it rents.
 *
 * @param inside What they are looked for in, such as "the container".
 * @throws CannotStart where its GPUs are not there, or others are.
 */
export function compareGpus(rented: readonly string[], seen: readonly string[], inside: string) {
	const missing = rented.find(name => !seen.includes(name));
	if (missing !== undefined) {
		throw new CannotStart(`${NOT_THERE}: ${missing} is not in ${inside}. It costs nothing.`);
	}
	if (seen.some(name => !rented.includes(name))) {
		throw new CannotStart(
			'It was given a GPU that it has not rented, and was stopped. It costs nothing.',
		);
	}
}

/** Error for an image in which no program reports GPUs. */
export function nothingSeen(inside: string): CannotStart {
	return new CannotStart(`${NOT_THERE}: nothing in ${inside} tells of GPUs. It costs nothing.`);
}

/** The major number of the devices of NVIDIA's GPUs. */
export const NVIDIA_MAJOR = 195;

const DRIVER = '/proc/driver/nvidia/gpus';

/** The GPUs of NVIDIA's driver by the minor numbers of their devices; none where it does not name them. */
export async function namesByMinor(): Promise<ReadonlyMap<number, string>> {
	const folders = await readdir(DRIVER).catch(() => []);
	const texts = await Promise.all(
		folders.map(async name => readFile(join(DRIVER, name, 'information'), 'utf8').catch(() => '')),
	);
	return new Map(
		texts.flatMap(text => {
			const name = /^GPU UUID:\s*(GPU-[\w-]+)/m.exec(text)?.[1];
			const minor = /^Device Minor:\s*(\d+)/m.exec(text)?.[1];
			return name === undefined || minor === undefined ? [] : [[Number(minor), name] as const];
		}),
	);
}
