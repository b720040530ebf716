import {expect, test} from 'vitest';
import {planContainer} from '../../../source/host/container/container-plan.ts';
import {workOf} from '../../helpers/host.ts';

const around = {
	isPodman: false,
	gpus: 'nvidia',
	address: '127.0.0.1',
	serviceUrl: undefined,
	ports: new Map([
		['22/tcp', 4000],
		['80/tcp', 4001],
	]),
	labels: {own: '1'},
	volumes: [{name: 'home', path: '/root'}],
	sharedMemoryBytes: 1024,
	limitsDisk: true,
} as const;

test('the door needs no port inside; what is mapped is told and led to', () => {
	const plan = planContainer(workOf({env: [['A', 'b c']]}), around);
	expect(plan).toMatchObject({
		ExposedPorts: {'80/tcp': {}},
		HostConfig: {
			PortBindings: {'80/tcp': [{HostIp: '127.0.0.1', HostPort: '4001'}]},
			StorageOpt: {size: '16G'},
		},
	});
	const {Env} = plan;
	expect(Env).toEqual(
		expect.arrayContaining([
			'A=b c',
			'CONTAINER_ID=7',
			'CONTAINER_API_KEY=key',
			'VAST_TCP_PORT_22=4000',
			'VAST_TCP_PORT_80=4001',
			'DATA_DIRECTORY=/workspace',
		]),
	);
});

test('an image runs its own program with what it is given, or its usual one', () => {
	const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
	const given = planContainer(workOf({launch, args: ['--port', '1'], user: 'me'}), around);
	expect(given).toMatchObject({Cmd: ['--port', '1'], User: 'me'});
	expect(given).not.toHaveProperty('Entrypoint');
	const usual = planContainer(workOf({launch}), around);
	expect(usual).not.toHaveProperty('Cmd');
	expect(usual).not.toHaveProperty('User');
});

test('what is run at the start is a word, and no part of a script', () => {
	const onstart = `echo "$HOME" 'x'; exit`;
	const {Cmd, Entrypoint} = planContainer(workOf({onstart}), around);
	expect(Cmd).toEqual([onstart, '', '/root']);
	expect(JSON.stringify(Entrypoint)).not.toContain('exit;');
	const jupyter = {mode: 'jupyter', sshDirect: false, jupyterDirect: true} as const;
	const lab = {launch: jupyter, use_jupyter_lab: true, jupyter_dir: '/data'};
	expect(planContainer(workOf(lab), around)).toMatchObject({Cmd: ['', 'lab', '/data']});
});

test.each([
	['nvidia', false, {DeviceRequests: [{Driver: 'nvidia', DeviceIDs: ['1', '3']}]}],
	[
		'nvidia',
		true,
		{DeviceRequests: [{Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=1', 'nvidia.com/gpu=3']}]},
	],
	[
		'amd',
		false,
		{
			Devices: [
				{PathOnHost: '/dev/kfd'},
				{PathOnHost: '/dev/dri/renderD129'},
				{PathOnHost: '/dev/dri/renderD131'},
			],
		},
	],
] as const)(
	'an instance has the %s GPUs that it rents, and no others (Podman: %s)',
	(gpus, isPodman, expected) => {
		const plan = planContainer(workOf({gpu_ids: [1, 3]}), {...around, gpus, isPodman});
		expect(plan['HostConfig']).toMatchObject(expected);
	},
);

test('a machine without GPUs hands none on', () => {
	const plan = planContainer(workOf({gpu_ids: [0]}), {...around, gpus: 'none'});
	expect(plan['HostConfig']).not.toHaveProperty('DeviceRequests');
	expect(plan['HostConfig']).not.toHaveProperty('Devices');
});

test('a name that is none for a machine is not used as one', () => {
	expect(planContainer(workOf({env: [['-h', 'mine']]}), around)).toMatchObject({Hostname: 'mine'});
	const odd = planContainer(workOf({env: [['-h', 'a b;c']]}), around);
	expect(odd).toMatchObject({Hostname: 'instance-7'});
});
