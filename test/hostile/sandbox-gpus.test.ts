/** GPUs that are billed are there in sandboxes, and those of others are not. */
import {spawnSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {afterAll, describe, expect, test} from 'vitest';
import type {MachineGpus} from '../../source/host/machine/machine-gpus.ts';
import {noProcesses, noSandbox, openLocalWorld} from '../helpers/host/local-host.ts';
import {workOf} from '../helpers/host/host.ts';
import {skipFor} from '../helpers/missing.ts';

const patient = {timeout: 50_000};
const waiting = {timeout: 30_000};

/** Devices as NVIDIA's driver makes them, far from the numbers of real ones. */
const files = [240, 241, 242].map(number => `/dev/nvidia${number}`);

/** The last is not the GPU that it is named for. */
const minorNumbers = ['240', '241', '241'];

function makeDevices(): string | undefined {
	const made = files.map((file, at) =>
		spawnSync('mknod', [file, 'c', '195', minorNumbers[at] ?? '']),
	);
	return made.every(({status}) => status === 0) ? undefined : 'no devices can be made here';
}

afterAll(() => {
	for (const file of files) rmSync(file, {force: true});
});

const left = skipFor(noProcesses ?? noSandbox ?? makeDevices());

const names = ['GPU-aa', 'GPU-bb', 'GPU-cc', 'GPU-dd'];

/** A machine whose tool numbers some of them so, and whose driver has these minor numbers for them. */
function machineWith(
	found: readonly string[],
	minors: ReadonlyArray<readonly [minor: number, name: string]>,
) {
	const losses: Array<readonly number[]> = [];
	const present = new Map(found.map((name, number) => [number, name]));
	const gpus: MachineGpus = {
		kind: 'nvidia',
		names,
		list: async () => present,
		onUnfit: async ({lost}) => void losses.push(lost),
		minors: async () => new Map(minors),
	};
	return {gpus, present, losses};
}

const usual = [
	[240, 'GPU-aa'],
	[241, 'GPU-bb'],
	[249, 'GPU-cc'],
] as const;

const SHOWING = 'ls /dev | grep ^nvidia > seen; sleep 600';

describe.skipIf(left !== undefined)(`GPUs of sandboxes${left ? ` (${left})` : ''}`, patient, () => {
	test('an instance sees the devices of the GPUs that it rents, whatever their numbers are by now', async () => {
		const {gpus} = machineWith(['GPU-cc', 'GPU-bb', 'GPU-aa'], usual);
		await using world = await openLocalWorld({kind: 'sandbox', gpus});
		await world.runtime.start(workOf({gpu_ids: [1], onstart: SHOWING}));
		expect(world.last()?.status).toBe('running');
		expect(await world.reads('seen')).toBe('nvidia241');
	});

	test.each([
		[2, 'has none', usual, 'nothing in the sandbox tells of GPUs. It costs nothing.'],
		[
			0,
			'has another one',
			[
				[242, 'GPU-aa'],
				[241, 'GPU-bb'],
			] as const,
			'GPU-aa is not in the sandbox. It costs nothing.',
		],
		[3, 'is to have one that is gone', usual, 'GPU-dd is gone from the machine'],
	])('GPU %i: an instance that %s fails, and never runs', async (id, _, minors, sentence) => {
		const {gpus} = machineWith(['GPU-aa', 'GPU-bb', 'GPU-cc'], minors);
		await using world = await openLocalWorld({kind: 'sandbox', gpus});
		await world.runtime.start(workOf({gpu_ids: [id], onstart: SHOWING}));
		expect(world.last()).toMatchObject({status: 'failed'});
		expect(world.last()?.status_msg).toContain(sentence);
		expect(world.reports.map(({status}) => status)).not.toContain('running');
	});

	test('a GPU that is lost is told to its renter and to the market, also at a start of the agent', async () => {
		const {gpus, present, losses} = machineWith(['GPU-aa', 'GPU-bb', 'GPU-cc', 'GPU-dd'], usual);
		await using world = await openLocalWorld({kind: 'sandbox', gpus});
		const work = workOf({gpu_ids: [0], onstart: SHOWING});
		await world.runtime.start(work);
		expect(world.last()?.status).toBe('running');
		present.delete(0);
		const sentence =
			'Its GPU GPU-aa is gone from the machine. It was stopped, and its files are kept.';
		await expect.poll(() => world.last()?.status_msg, waiting).toBe(sentence);
		await expect.poll(() => losses, waiting).toEqual([[0]]);
		await world.runtime.close();
		await using next = await openLocalWorld({kind: 'sandbox', gpus, folder: world.folder});
		await next.runtime.adopt([work]);
		expect(next.last()).toMatchObject({status: 'failed', status_msg: sentence});
	});
});
