import {expect, test} from 'vitest';
import {timeLeft} from '../../../source/market/base/contract-end.ts';
import {openInstanceLists} from '../../helpers/fleet/instance-lists.ts';
import {TEST_END, TEST_NOW} from '../../helpers/market/market.ts';

const running = {actual: 'running', reported: 'running', running_since: TEST_NOW} as const;
const access = {
	ssh_host: 'ssh2281.example.org',
	ssh_port: 41_234,
	public_ipaddr: '203.0.113.7 ',
	machine_dir_ssh_port: 40_011,
	ports: {'8080/tcp': [{HostIp: '0.0.0.0', HostPort: '40012'}]},
};

test('a new instance has every field that clients need, and null for what nobody knows yet', async () => {
	await using lists = await openInstanceLists();
	const record = await lists.show((await lists.add({actual: null})).id);
	expect(record).toMatchObject({
		actual_status: null,
		intended_status: 'running',
		cur_state: 'running',
		next_state: 'running',
		status_msg: null,
		label: null,
		extra_env: [],
		image_uuid: 'ubuntu:24.04',
		image_args: [],
		image_runtype: 'ssh ssh_direc ssh_proxy',
		start_date: TEST_NOW,
		end_date: TEST_END,
		duration: timeLeft(TEST_END, TEST_NOW),
		uptime_mins: null,
		ssh_port: 20_067,
		ssh_idx: '',
		machine_dir_ssh_port: -1,
		local_ipaddrs: '',
		client_run_time: 1,
		cpu_util: 0,
		min_bid: 0,
		direct_port_start: -1,
		direct_port_end: -1,
		gpu_util: null,
		mem_usage: null,
		disk_usage: -1,
		disk_util: -1,
		volume_info: [],
		time_remaining: '',
	});
	expect(record).not.toHaveProperty('ports');
});

test('an instance that runs shows how it is reached, what it uses and for how long it runs', async () => {
	await using lists = await openInstanceLists();
	const usage = {gpu_util: 91.5, gpu_temp: 66, cpu_util: 3, mem_usage: 1.5, disk_usage: 7};
	const {id} = await lists.add({
		...running,
		access: JSON.stringify(access),
		usage: JSON.stringify({...usage, mem_limit: 64, vmem_usage: 20, disk_util: 0.25}),
	});
	lists.clock.pass(90);
	expect(await lists.show(id)).toMatchObject({
		...usage,
		mem_limit: 64,
		vmem_usage: 20,
		disk_util: 0.25,
		uptime_mins: 80 / 60,
		duration: timeLeft(TEST_END, TEST_NOW + 90),
		ssh_host: 'ssh2281.example.org',
		ssh_port: 41_234,
		ssh_idx: '2281',
		machine_dir_ssh_port: 40_011,
		public_ipaddr: '203.0.113.7',
		ports: {
			'22/tcp': [{HostIp: '0.0.0.0', HostPort: '40011'}],
			'8080/tcp': [{HostIp: '0.0.0.0', HostPort: '40012'}],
		},
	});
});

test('the time that an instance has left ends with its contract, not with its offer', async () => {
	await using lists = await openInstanceLists([{end_date: TEST_NOW + 5}]);
	const {id} = await lists.add({end_date: TEST_NOW + 60});
	const times = async () => {
		const {start_date, end_date, duration} = await lists.show(id);
		return [start_date, end_date, duration];
	};
	// As of the minute, which began 40 seconds ago.
	expect(await times()).toEqual([TEST_NOW, TEST_NOW + 60, 100]);
	lists.clock.pass(59.5);
	expect(await times()).toEqual([TEST_NOW, TEST_NOW + 60, 40]);
	lists.clock.pass(1000);
	expect(await times()).toEqual([TEST_NOW, TEST_NOW + 60, 0]);
});

test('an instance that stands still has no ports, and uses nothing but its disk', async () => {
	await using lists = await openInstanceLists();
	const usage = JSON.stringify({gpu_util: 91.5, mem_usage: 1.5, mem_limit: 64, disk_usage: 7});
	const {id} = await lists.add({actual: 'exited', access: JSON.stringify(access), usage});
	const record = await lists.show(id);
	expect(record).toMatchObject({gpu_util: null, mem_usage: null, mem_limit: 64, disk_usage: 7});
	expect(record).toMatchObject({ssh_host: 'ssh2281.example.org'});
	expect(record).not.toHaveProperty('ports');
});

test('what a host names as the port for SSH stands, and no proxy has to have a number', async () => {
	await using lists = await openInstanceLists([{public_ipaddr: '198.51.100.1'}]);
	const ports = {'22/tcp': [{HostIp: '0.0.0.0', HostPort: '5000'}]};
	const said = {ssh_host: 'proxy.example.org', ssh_port: 1, ports};
	const {id} = await lists.add({...running, access: JSON.stringify(said)});
	expect(await lists.show(id)).toMatchObject({
		ssh_idx: '',
		machine_dir_ssh_port: -1,
		public_ipaddr: '198.51.100.1',
		ports,
	});
});

test('figures and texts that clients count on are never null, whatever its machine says', async () => {
	await using lists = await openInstanceLists([
		{mobo_name: null, disk_name: null, geolocation: null, verification: null, pcie_bw: null},
	]);
	const record = await lists.show((await lists.add({actual: null})).id);
	expect(record).toMatchObject({
		mobo_name: '',
		disk_name: '',
		geolocation: '',
		verification: '',
		pcie_bw: 0,
	});
});

test('what it was made with is shown, but neither credentials nor keys', async () => {
	await using lists = await openInstanceLists();
	const {id} = await lists.add({
		template_id: 3,
		template_hash: 'abc',
		template_name: 'T',
		label: 'mine',
		handover: 'KEY-OF-ITS-OWN',
		settings: {
			launch: {mode: 'jupyter', sshDirect: true, jupyterDirect: true},
			env: [
				['DOG', 'CAT'],
				['-p 70001:70001', '1'],
			],
			args: ['a', 'b c'],
			onstart: 'echo hi',
			image_login: '-u me -p PASSWORD ghcr.io',
			jupyter_token: 'f'.repeat(64),
		},
	});
	const record = await lists.show(id);
	expect(record).toMatchObject({
		template_id: 3,
		template_hash_id: 'abc',
		template_name: 'T',
		label: 'mine',
		extra_env: [
			['DOG', 'CAT'],
			['-p 70001:70001', '1'],
		],
		image_args: ['a', 'b c'],
		image_runtype: 'jupyter_direc ssh_direc ssh_proxy',
		onstart: 'echo hi',
		jupyter_token: 'f'.repeat(64),
	});
	expect(JSON.stringify(record)).not.toMatch(/PASSWORD|KEY-OF-ITS-OWN/);
});

test('the hardware of an instance is that of its offer, and its disk is what it was given', async () => {
	await using lists = await openInstanceLists([
		{},
		{
			gpu_name: 'H100 SXM',
			num_gpus: 4,
			gpu_ram: 81_559,
			gpu_total_ram: 326_236,
			geolocation: 'Texas, US',
			reliability: 0.995,
			static_ip: 1,
			external: null,
			disk_space: 500,
			direct_port_count: null,
		},
	]);
	expect(await lists.show((await lists.add({ask_id: 2, disk_gb: 32.5})).id)).toMatchObject({
		machine_id: 7,
		gpu_name: 'H100 SXM',
		num_gpus: 4,
		gpu_ram: 81_559,
		gpu_totalram: 326_236,
		geolocation: 'Texas, US',
		country_code: 'US',
		reliability2: 0.995,
		static_ip: true,
		external: null,
		disk_space: 32.5,
		direct_port_count: -1,
	});
});

test('an instance costs what it was rented for, and at present what it uses of that', async () => {
	await using lists = await openInstanceLists([
		{gpu_total_ram: 1000, dlperf: 22.229, total_flops: null},
	]);
	const rented = {up_micros: 10_000, down_micros: 20_000};
	const diskHour = (0.149_333 * 10) / 720;
	const total = 1 + diskHour;
	expect(diskHour).toBeCloseTo(0.002_074_07, 8);
	const {id} = await lists.add({...rented, ...running});
	expect(await lists.show(id)).toMatchObject({
		dph_base: 1,
		storage_cost: 0.149_333,
		storage_total_cost: diskHour,
		dph_total: total,
		vram_costperhour: total / 1000,
		dlperf_per_dphtotal: 22.229 / total,
		flops_per_dphtotal: 0,
		inet_up_cost: 0.01,
		inet_down_cost: 0.02,
		internet_up_cost_per_tb: 10.24,
		internet_down_cost_per_tb: 20.48,
		search: {gpuCostPerHour: 1, totalHour: total},
		instance: {gpuCostPerHour: 1, totalHour: total, discountedTotalPerHour: total},
	});
	const loading = await lists.add({actual: 'loading'});
	expect(await lists.show(loading.id)).toMatchObject({
		search: {gpuCostPerHour: 1, diskHour},
		instance: {gpuCostPerHour: 0, diskHour, totalHour: diskHour},
	});
	const offline = await lists.add({actual: 'offline', contact: 'lost'});
	expect(await lists.show(offline.id)).toMatchObject({
		instance: {gpuCostPerHour: 0, diskHour: 0, totalHour: 0},
	});
});

test('only a bid has a least bid: its own while it wins, and otherwise what would win', async () => {
	await using lists = await openInstanceLists([{min_bid_micros: 700_000}]);
	const bid = {is_bid: 1, gpu_micros: 500_000} as const;
	const outbid = {current: 'stopped', next: 'stopped', actual: 'exited'};
	expect(await lists.show((await lists.add()).id)).toMatchObject({is_bid: false, min_bid: 0});
	expect(await lists.show((await lists.add(bid)).id)).toMatchObject({is_bid: true, min_bid: 0.5});
	expect(await lists.show((await lists.add({...bid, ...outbid})).id)).toMatchObject({
		min_bid: 0.7,
		dph_base: 0.5,
	});
});
