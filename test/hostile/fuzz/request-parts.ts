/** Bodies and queries of valid requests that are longer than a line. */
export const SSH_KEY =
	'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGr3nhD3tU7LhQkYsJTJ4Xw0G8PlNZMvDgKkJ7nS3YbV me@here';

export const copy = {src_id: '1', src_path: '/root/x', dst_id: 2, dst_path: '/root/y'};
export const order = {
	image: 'ubuntu:24.04',
	label: 'one',
	disk: 10,
	runtype: 'ssh_direct',
	env: {A: 'b', '-p 8080:80': '1'},
	onstart: 'true',
	args: ['a', 'b'],
	target_state: 'running',
	price: 0.5,
	volume_info: {create_new: true, volume_id: 1, size: 10, mount_path: '/data', name: 'v'},
	cancel_unavail: true,
	extra_filters: {num_gpus: {gte: 1}},
};

export const search = {
	num_gpus: {gte: 1, lte: '8'},
	gpu_name: {in: ['RTX 4090', 'RTX 3090']},
	geolocation: {notin: ['US', 'Washington, US']},
	driver_version: {gte: '535.86.05'},
	verified: {eq: true},
	order: [['dph_total', 'asc']],
	limit: 5,
	type: 'bid',
	allocated_storage: 40,
	select_cols: ['id', 'gpu_name'],
};

export const template = {
	name: 'T',
	image: 'ubuntu',
	env: '-e A=b -p 8080:80',
	onstart: 'true',
	runtype: 'ssh',
	readme: 'long',
	extra_filters: {num_gpus: {gte: 1}},
	recommended_disk_space: '12',
	private: false,
};

export const page = {
	select_filters: JSON.stringify({id: {gte: 1}}),
	order_by: JSON.stringify([{col: 'id', dir: 'desc'}]),
	select_cols: JSON.stringify(['id']),
	limit: '5',
	after_token: 'WyJ7fSIsMV0',
};

export const records = {
	select_filters: JSON.stringify({when: {gte: 0}, type: {in: ['gpu']}}),
	latest_first: 'true',
	limit: '5',
	after_token: 'x',
};

const rebooting = {api_endpoint: '/api/v0/instances/reboot/1/', request_method: 'PUT'};
export const job = {...rebooting, request_body: {}, instance_id: 1, frequency: 'HOURLY'};

export const report = {
	instance_id: 1,
	boot: 1,
	status: 'running',
	status_msg: 'ok',
	access: {
		ssh_host: 'ssh1.example.org',
		ssh_port: 22,
		ports: {'22/tcp': [{HostIp: '0.0.0.0', HostPort: '4022'}]},
	},
	usage: {gpu_util: 5, gpu_temp: 40, disk_usage: 3},
	traffic: {up: 1000, down: 2000},
};
