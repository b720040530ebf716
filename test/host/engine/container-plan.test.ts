import {expect, test} from 'vitest';
import {
	planContainer,
	type GpuDevices,
	dockerBody,
	podmanBody,
} from '../../../source/host/engine/container-plan.ts';
import {CAPABILITIES} from '../../../source/host/engine/isolation-support.ts';
import {workOf} from '../../helpers/host/host.ts';

const GB = 1024 ** 3;

const around = {
	gpus: {kind: 'none'},
	address: '127.0.0.1',
	serviceUrl: undefined,
	ports: new Map([
		['22/tcp', 4000],
		['80/tcp', 4001],
	]),
	labels: {own: '1'},
	volumes: [{name: 'home', path: '/root'}],
	pipes: ['/host/instances/7/pipes'],
	machine: {gpus: 4, processors: 16, memoryBytes: 64 * GB},
	limits: {memory: true, swap: true, processors: true, processes: true},
	limitsDisk: true,
	network: 'its-own',
	nameServers: ['192.0.2.53'],
} as const;

test('the door needs no port inside; what is mapped is told and led to', () => {
	const plan = planContainer(workOf({env: [['A', 'b c']]}), around);
	expect(dockerBody(plan)).toMatchObject({
		ExposedPorts: {'80/tcp': {}},
		HostConfig: {
			PortBindings: {'80/tcp': [{HostIp: '127.0.0.1', HostPort: '4001'}]},
			StorageOpt: {size: '16G'},
		},
	});
	const mapped = {container_port: 80, host_port: 4001, host_ip: '127.0.0.1', protocol: 'tcp'};
	expect(podmanBody('one', plan, 1024)).toMatchObject({
		portmappings: [mapped],
		storage_opts: {size: '16G'},
	});
	expect(plan.env).toMatchObject({
		A: 'b c',
		CONTAINER_ID: '7',
		CONTAINER_API_KEY: 'key',
		VAST_TCP_PORT_22: '4000',
		VAST_TCP_PORT_80: '4001',
		DATA_DIRECTORY: '/workspace',
	});
});

test('what carries its commands is mounted so that nothing inside changes it', () => {
	const plan = planContainer(workOf(), around);
	const place = {Source: '/host/instances/7/pipes', Target: '/run/rentty', ReadOnly: true};
	expect(dockerBody(plan)).toMatchObject({
		HostConfig: {Mounts: [{Source: 'home'}, {...place, Type: 'bind'}]},
	});
	const own = {source: '/host/instances/7/pipes', destination: '/run/rentty', type: 'bind'};
	expect(podmanBody('one', plan, 1024)).toMatchObject({
		mounts: [{...own, options: ['ro', 'nosuid', 'nodev', 'noexec']}],
	});
});

test('a container is limited to its share of the machine, and has a network of its own', () => {
	const plan = planContainer(workOf({gpu_ids: [2]}), around);
	const memory = 16 * GB;
	expect(dockerBody(plan)['HostConfig']).toMatchObject({
		Memory: memory,
		MemorySwap: memory,
		NanoCpus: 4e9,
		PidsLimit: 2048,
		ShmSize: memory / 2,
		CapDrop: ['ALL'],
		CapAdd: CAPABILITIES,
		SecurityOpt: ['no-new-privileges'],
		NetworkMode: 'its-own',
		Dns: ['192.0.2.53'],
	});
	expect(podmanBody('one', plan, 1024)).toMatchObject({
		resource_limits: {
			memory: {limit: memory, swap: memory},
			cpu: {quota: 400_000, period: 100_000},
			pids: {limit: 2048},
		},
		shm_size: memory / 2,
		cap_drop: ['ALL'],
		no_new_privileges: true,
		networks: {'its-own': {}},
	});
});

test('an engine is not asked for limits that it does not have', () => {
	const limits = {memory: false, swap: false, processors: false, processes: false};
	const plan = planContainer(workOf(), {...around, limits, limitsDisk: false});
	expect(JSON.stringify(dockerBody(plan))).not.toMatch(
		/"(?:Memory|MemorySwap|NanoCpus|PidsLimit|StorageOpt)"/,
	);
	expect(podmanBody('one', plan, 1024)['resource_limits']).toEqual({});
});

test('an image runs its own program with what it is given, or its usual one', () => {
	const launch = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;
	const given = planContainer(workOf({launch, args: ['--port', '1'], user: 'me'}), around);
	expect(given.program).toEqual({words: ['--port', '1'], user: 'me'});
	expect(planContainer(workOf({launch}), around).program).toEqual({});
});

test('what is run at the start is a word, and no part of a script', () => {
	const onstart = `echo "$HOME" 'x'; exit`;
	const {words, entrypoint} = planContainer(workOf({onstart}), around).program;
	expect(words).toEqual([onstart, '', '/root']);
	expect(JSON.stringify(entrypoint)).not.toContain('exit;');
	const jupyter = {mode: 'jupyter', sshDirect: false, jupyterDirect: true} as const;
	const lab = {launch: jupyter, use_jupyter_lab: true, jupyter_dir: '/data'};
	expect(planContainer(workOf(lab), around).program.words).toEqual(['', 'lab', '/data']);
});

function asked(gpus: GpuDevices) {
	const plan = planContainer(workOf(), {...around, gpus});
	return [dockerBody(plan)['HostConfig'], podmanBody('one', plan, 1024)['devices']];
}

test('engines are asked for the GPUs of an instance by names that stay, and for no others', () => {
	const names = ['GPU-1f', 'GPU-3a'];
	expect(asked({kind: 'nvidia', names})).toMatchObject([
		{DeviceRequests: [{Driver: 'nvidia', DeviceIDs: names}]},
		[{path: 'nvidia.com/gpu=GPU-1f'}, {path: 'nvidia.com/gpu=GPU-3a'}],
	]);
	const devices = ['/dev/kfd', '/dev/dri/renderD129'];
	expect(asked({kind: 'amd', devices})).toMatchObject([
		{Devices: [{PathOnHost: '/dev/kfd'}, {PathOnHost: '/dev/dri/renderD129'}]},
		[{path: '/dev/kfd'}, {path: '/dev/dri/renderD129'}],
	]);
	const [docker, podman] = asked({kind: 'none'});
	expect(docker).not.toHaveProperty('DeviceRequests');
	expect(podman).toEqual([]);
});

function named(name: string): string {
	return planContainer(workOf({env: [['-h', name]]}), around).hostName;
}

test('a name that is none for a machine is not used as one', () => {
	expect(named('mine')).toBe('mine');
	expect(named('a b;c')).toBe('instance-7');
});
