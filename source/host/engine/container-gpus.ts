/** Checks that containers have their rented GPUs and no others. */
import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Work} from '../../contract/nouns/host-work.ts';
import {
	devicesOf,
	compareGpus,
	namesByMinor,
	noGpuReportedError,
	numbersOf,
	NVIDIA_MAJOR,
	type MachineGpus,
} from '../machine/machine-gpus.ts';
import type {FoundContainer} from './container-calls.ts';
import type {GpuDevices} from './container-plan.ts';
import type {Engine} from './engine.ts';
import {readCommandOutput} from './exec.ts';

/**
 * Device requests to an engine for an instance's GPUs.
 *
 * @throws CannotStart if one of them is not on the machine.
 */
export async function devicesFor(
	machine: MachineGpus,
	{gpu_ids: ids = []}: Work,
): Promise<GpuDevices> {
	const {kind, names} = machine;
	if (ids.length === 0) return {kind: 'none'};
	const numbers = await numbersOf(machine, ids);
	if (kind === 'nvidia') return {kind, names: ids.map(id => names[id] ?? String(id))};
	return {kind, devices: devicesOf(kind, numbers)};
}

/**
 * Compares a running container's GPUs with the rented ones: by its devices, seen from outside, and
 * by the maker's tool, which engines put inside.
 *
 * @throws CannotStart if rented GPUs are missing, or there are others.
 */
export async function checkGpus(
	engine: Engine,
	{id, pid}: FoundContainer,
	gpus: GpuDevices,
): Promise<void> {
	if (gpus.kind !== 'nvidia' || !gpus.names.every(name => name.startsWith('GPU-'))) return;
	const reported = [await gpusByDevice(pid), await gpusByTool(engine, id)].filter(
		seen => seen !== undefined,
	);
	if (reported.length === 0) throw noGpuReportedError('the container');
	for (const seen of reported) compareGpus(gpus.names, seen, 'the container');
}

const CHECK_TIMEOUT_MS = 20_000;

/** Output of the tool inside; undefined if missing. */
async function gpusByTool(
	engine: Engine,
	container: string,
): Promise<readonly string[] | undefined> {
	const command = {container, words: ['nvidia-smi', '-L']};
	const output = await readCommandOutput(engine, command, CHECK_TIMEOUT_MS).catch(() => '');
	const names = [...output.matchAll(/UUID: (GPU-[\w-]+)/g)].map(([, name = '']) => name);
	return names.length === 0 ? undefined : names;
}

/** The GPUs whose devices a process can access; undefined if the driver does not name them. */
async function gpusByDevice(pid: number | undefined): Promise<readonly string[] | undefined> {
	const names = await namesByMinor();
	if (pid === undefined || names.size === 0) return undefined;
	const folder = `/proc/${pid}/root/dev`;
	const files = (await readdir(folder).catch(() => [])).filter(name => /^nvidia\d+$/.test(name));
	const devices = await Promise.all(files.map(async name => lstat(join(folder, name))));
	return devices
		.filter(device => device.isCharacterDevice() && device.rdev >> 8 === NVIDIA_MAJOR)
		.map(device => names.get(device.rdev & 0xff) ?? 'an unknown GPU');
}
