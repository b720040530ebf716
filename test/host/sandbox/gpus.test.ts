import {existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {devicesOf} from '../../../source/host/machine/machine-gpus.ts';
import {findProgram} from '../../../source/host/base/programs.ts';
import {instanceEnv} from '../../../source/host/sandbox/instance-env.ts';
import {sandboxInside} from '../../../source/host/sandbox/choose-inside.ts';
import {startChild, type InsidePlan} from '../../../source/host/inside/inside.ts';
import {workOf} from '../../helpers/host/host.ts';
import {noSandbox} from '../../helpers/host/local-host.ts';
import {openFolder} from '../../helpers/folder.ts';

const tools = {
	shell: '/bin/sh',
	bwrap: findProgram('bwrap') ?? 'bwrap',
};

test('a sandbox has the devices of the GPUs that were rented', () => {
	const devices = devicesOf('nvidia', [2]);
	const plan: InsidePlan = {folder: '/', hostName: 'one', env: {}, mounts: [], devices};
	const {args, release} = sandboxInside(plan, tools).launch('true');
	release?.();
	const bound = args.flatMap((word, index) => (word === '--dev-bind-try' ? args[index + 2] : []));
	expect(bound).toEqual(devices);
	expect(bound).toContain('/dev/nvidia2');
});

/** A device that every machine has and no sandbox by itself. */
const DEVICE = '/dev/kmsg';

test.skipIf(noSandbox !== undefined || !existsSync(DEVICE))(
	'a device is seen inside of the sandbox that it was given to, and in no other',
	async () => {
		using folder = openFolder();
		const plan: InsidePlan = {folder: folder.path, hostName: 'one', env: {}, mounts: []};
		const isSeen = async (devices: readonly string[]) => {
			const child = startChild(sandboxInside({...plan, devices}, tools).launch(`ls ${DEVICE}`));
			return (await child.ended).code === 0;
		};
		expect([await isSeen([DEVICE]), await isSeen([])]).toEqual([true, false]);
	},
);

test('without isolation, programs are told which GPUs to use', () => {
	const work = workOf({gpu_ids: [1, 3]});
	expect(instanceEnv(work, '127.0.0.1', {visibleGpus: ['1', '3']})).toMatchObject({
		GPU_COUNT: '2',
		CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
		CUDA_VISIBLE_DEVICES: '1,3',
		HIP_VISIBLE_DEVICES: '1,3',
	});
	expect(instanceEnv(work, '127.0.0.1')).not.toHaveProperty('CUDA_VISIBLE_DEVICES');
});
