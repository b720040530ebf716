/** The GPUs of instances without a container: the rented ones and, in a sandbox, no others. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
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
import type {LocalInside} from '../inside/inside.ts';

export type GivenGpus = {
	readonly devices: readonly string[];
	/**
	 * Values of the variables that select the visible GPUs, for programs that would use all of
	 * them.
	 */
	readonly visible: readonly string[];
};

/**
 * Devices of an instance's GPUs at their present numbers.
 *
 * @throws CannotStart if one of them is not on the machine.
 */
export async function givenGpus(
	machine: MachineGpus,
	{gpu_ids: places = []}: Work,
): Promise<GivenGpus> {
	const {kind, names} = machine;
	const numbers = await numbersOf(machine, places);
	if (kind !== 'nvidia') return {devices: devicesOf(kind, numbers), visible: numbers.map(String)};
	const minors = new Map([...(await minorsOf(machine))].map(([minor, name]) => [name, minor]));
	const rented = places.map(index => names[index]);
	const files = numbers.map((number, at) => minors.get(rented[at] ?? '') ?? number);
	return {
		devices: devicesOf(kind, files),
		visible: numbers.map((number, at) => rented[at] ?? String(number)),
	};
}

async function minorsOf({minors = namesByMinor, list}: MachineGpus) {
	const known = await minors();
	// Without minor numbers from the driver, they equal the tool's indexes.
	return known.size > 0 ? known : list();
}

const run = promisify(execFile);

const CHECK_TIMEOUT_MS = 20_000;

/** Major and minor numbers of the devices of GPUs, in hexadecimal, a line each. */
const LIST_DEVICES =
	'for one in /dev/nvidia[0-9]*; do [ -c "$one" ] && stat -c %t:%T "$one"; done; true';

/**
 * Checks a sandbox's GPUs before a program of the renter runs in it.
 *
 * @throws CannotStart if rented GPUs are missing, or there are others.
 */
export async function checkGpusInside(
	machine: MachineGpus,
	inside: LocalInside,
	{gpu_ids: places = []}: Work,
): Promise<void> {
	const rented = places.flatMap(index => machine.names[index] ?? []);
	if (inside.isolation !== 'sandbox' || machine.kind !== 'nvidia' || rented.length === 0) return;
	const {file, args, cwd, env, release} = inside.launch(LIST_DEVICES);
	const looking = run(file, [...args], {cwd, env, timeout: CHECK_TIMEOUT_MS});
	const {stdout} = await looking.finally(release);
	const devices = [...stdout.matchAll(/^([\da-f]+):([\da-f]+)$/gm)].map(
		([, major = '', minor = '']) => ({
			major: Number.parseInt(major, 16),
			minor: Number.parseInt(minor, 16),
		}),
	);
	const gpus = devices.filter(({major}) => major === NVIDIA_MAJOR);
	if (gpus.length === 0) throw noGpuReportedError('the sandbox');
	const minors = await minorsOf(machine);
	const present = gpus.map(({minor}) => minors.get(minor) ?? 'an unknown GPU');
	compareGpus(rented, present, 'the sandbox');
}
