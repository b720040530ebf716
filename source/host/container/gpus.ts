/** The GPUs of containers: that they are there, and those of nobody else. */
import {lstat, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Work} from '../../contract/host-work.ts';
import {devicesOf} from '../machine/devices.ts';
import type {GpuKind} from '../machine/devices.ts';
import type {ListGpus, PresentGpus} from '../machine/gpu-names.ts';
import {CannotStart} from './cannot-start.ts';
import type {Found} from './container-calls.ts';
import type {GpuDevices} from './container-plan.ts';
import type {Engine} from './engine.ts';
import {saidBy} from './exec.ts';

export type MachineGpus = {
	readonly kind: GpuKind;
	/** Their lasting names, by the places that the market knows; empty where they have none. */
	readonly names: readonly string[];
	readonly list: ListGpus;
	/** Told which places have no GPU any longer, or have one again. */
	readonly onLost: (places: readonly number[]) => Promise<void>;
};

export const noGpus: MachineGpus = {
	kind: 'none',
	names: [],
	list: async () => new Map(),
	onLost: async () => undefined,
};

/**
 * What an engine is asked for so that an instance has its GPUs.
 *
 * @throws CannotStart where one of them is not on the machine.
 */
export async function devicesFor(
	machine: MachineGpus,
	{gpu_ids: ids = []}: Work,
): Promise<GpuDevices> {
	const {kind, names} = machine;
	if (ids.length === 0) return {kind: 'none'};
	if (kind === 'none') throw new CannotStart('The GPUs of the machine are gone');
	const present = await machine.list();
	if (present.size === 0 && names.length > 0) throw new Error('its GPUs do not answer');
	const lost = ids.find(id => id < names.length && !has(present, names[id]));
	if (lost !== undefined) throw new CannotStart(lostSentence(names[lost] ?? ''));
	if (kind === 'nvidia') return {kind, names: ids.map(id => names[id] ?? String(id))};
	const numbers = ids.map(id => numberOf(present, names[id]) ?? id);
	return {kind, devices: devicesOf(kind, numbers)};
}

function has(present: PresentGpus, name: string | undefined): boolean {
	return numberOf(present, name) !== undefined;
}

function numberOf(present: PresentGpus, name: string | undefined): number | undefined {
	return [...present].find(([, other]) => other === name)?.[0];
}

export function lostSentence(name: string): string {
	return `Its GPU ${name} is gone from the machine. It was stopped, and its files are kept.`;
}

/**
 * Looks inside a container that runs: from outside, at the devices that it has, and with the tool of
 * the GPUs' maker, which engines bring along.
 *
 * @throws CannotStart where its GPUs are not there, or others are.
 */
export async function checkGpus(engine: Engine, {id, pid}: Found, gpus: GpuDevices): Promise<void> {
	if (gpus.kind !== 'nvidia' || !gpus.names.every(name => name.startsWith('GPU-'))) return;
	const looks = [await devicesSeen(pid), await toolSays(engine, id)].filter(
		seen => seen !== undefined,
	);
	if (looks.length === 0) {
		throw new CannotStart(
			`${NOT_THERE}: nothing in the container tells of GPUs. It costs nothing.`,
		);
	}
	for (const seen of looks) {
		const missing = gpus.names.find(name => !seen.includes(name));
		if (missing !== undefined) {
			throw new CannotStart(`${NOT_THERE}: ${missing} is not in the container. It costs nothing.`);
		}
		const strange = seen.find(name => !gpus.names.includes(name));
		if (strange !== undefined) {
			throw new CannotStart(
				'It was given a GPU that it has not rented, and was stopped. It costs nothing.',
			);
		}
	}
}

const NOT_THERE = 'It does not have the GPUs that it has rented';

const LONGEST_LOOK_MS = 20_000;

/** Undefined where there is no such tool. */
async function toolSays(engine: Engine, container: string): Promise<readonly string[] | undefined> {
	const command = {container, words: ['nvidia-smi', '-L']};
	const said = await saidBy(engine, command, LONGEST_LOOK_MS).catch(() => '');
	const names = [...said.matchAll(/UUID: (GPU-[\w-]+)/g)].map(([, name = '']) => name);
	return names.length === 0 ? undefined : names;
}

const DRIVER = '/proc/driver/nvidia/gpus';
const MAJOR = 195;

/** The GPUs whose devices a process sees; undefined where the driver does not name them. */
async function devicesSeen(pid: number | undefined): Promise<readonly string[] | undefined> {
	const names = await namesByMinor();
	if (pid === undefined || names.size === 0) return undefined;
	const folder = `/proc/${pid}/root/dev`;
	const files = (await readdir(folder).catch(() => [])).filter(name => /^nvidia\d+$/.test(name));
	const devices = await Promise.all(files.map(async name => lstat(join(folder, name))));
	return devices
		.filter(device => device.isCharacterDevice() && device.rdev >> 8 === MAJOR)
		.map(device => names.get(device.rdev & 0xff) ?? 'an unknown GPU');
}

async function namesByMinor(): Promise<ReadonlyMap<number, string>> {
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
