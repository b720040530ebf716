import {expect, test} from 'vitest';
import {printSettings} from '../../../source/market/lifecycle/instance-rules.ts';
import {
	type InstanceWork,
	printTask,
	taskOf,
	volumeWorkOf,
	workOf,
} from '../../../source/market/hosts/rules.ts';
import {newInstance} from '../../../source/market/lifecycle/rules.ts';
import {testSettings} from '../../helpers/market/instances.ts';

const settings = {
	...testSettings,
	launch: {mode: 'jupyter', sshDirect: true, jupyterDirect: true},
	env: [
		['TOKEN', 'own'],
		['-p 80:80', '1'],
	],
	args: ['a', 'b c'],
	onstart: 'date',
	user: 'me',
	image_login: '-u me -p x',
	jupyter_dir: '/',
	force: true,
	extra_filters: {gpu_ram: {gte: 1}},
} as const;

const instance: InstanceWork = {
	row: {
		...newInstance('running', 'heard'),
		id: 7,
		account_id: 1,
		ask_id: 2,
		machine_id: 3,
		host_account_id: 4,
		label: 'mine',
		created_at: 0,
		end_date: 1,
		destroyed_at: null,
		capped_by: null,
		settings: printSettings(settings),
		image: 'pytorch/pytorch',
		template_id: null,
		template_hash: null,
		template_name: null,
		is_bid: 0,
		gpu_mask: 0b1010,
		disk_gb: 20.5,
		gpu_micros: 0,
		storage_micros: 0,
		up_micros: 0,
		down_micros: 0,
		waiting_since: null,
		running_since: null,
		billed_until: 0,
		revision: 9,
		handover: 'own key',
		access: null,
		usage: null,
		bytes_up: 0,
		bytes_down: 0,
		deposit_micros: 0,
		deposit_rate: 0,
		deposit_months: 0,
		discount_micros: 0,
		default_job: 0,
		mark: null,
		order_hash: null,
		relay: null,
		relay_port: null,
		relay_id: null,
		bytes_at: 0,
		serial: 'of it',
	},
	wanted: 'running',
	machineGpus: 4,
	secrets: [
		['OTHER', 'x'],
		['TOKEN', 'of the account'],
	],
	publicKeys: ['ssh-ed25519 A'],
	mounts: [{volume_id: 5, path: '/data', size_gb: 30, serial: 'of the volume'}],
};

test('a host is told all that it has to know of an instance, and no more', () => {
	expect(workOf(instance)).toEqual({
		instance_id: 7,
		machine_id: 3,
		wanted: 'running',
		boot: 1,
		container: 1,
		serial: 'of it',
		label: 'mine',
		image: 'pytorch/pytorch',
		launch: settings.launch,
		env: [
			['OTHER', 'x'],
			['TOKEN', 'own'],
			['-p 80:80', '1'],
		],
		api_key: 'own key',
		onstart: 'date',
		args: ['a', 'b c'],
		user: 'me',
		image_login: '-u me -p x',
		jupyter_dir: '/',
		use_jupyter_lab: false,
		jupyter_token: 'token',
		python_utf8: false,
		lang_utf8: false,
		vm: false,
		disk: 20.5,
		gpu_ids: [1, 3],
		ssh_port: 20_469,
		public_keys: ['ssh-ed25519 A'],
		mounts: [{volume_id: 5, mount_path: '/data', size: 30, serial: 'of the volume'}],
	});
});

test('of an instance that shall be gone nothing is told but that', () => {
	const common = {instance_id: 7, machine_id: 3, boot: 1, container: 1};
	expect(workOf({...instance, wanted: 'gone'})).toEqual({...common, wanted: 'gone'});
});

test('an instance of a machine without GPUs has none', () => {
	const row = {...instance.row, gpu_mask: 1};
	expect(workOf({...instance, row, machineGpus: 0}).gpu_ids).toEqual([]);
	expect(workOf({...instance, row, machineGpus: 1}).gpu_ids).toEqual([0]);
});

test('a volume is kept until it is destroyed', () => {
	const volume = {
		id: 5,
		account_id: 1,
		ask_id: 2,
		machine_id: 3,
		host_account_id: 4,
		label: null,
		size_gb: 30,
		storage_micros: 0,
		created_at: 0,
		end_date: 1,
		destroyed_at: null,
		billed_until: 0,
		revision: 1,
		message: null,
		clone_of: null,
		agreed_micros: null,
		wish: null,
		serial: null,
	};
	const work = {volume_id: 5, machine_id: 3, size: 30};
	expect(volumeWorkOf(volume)).toEqual({...work, wanted: 'kept'});
	expect(volumeWorkOf({...volume, serial: 'own'})).toMatchObject({serial: 'own'});
	expect(volumeWorkOf({...volume, destroyed_at: 1})).toEqual({...work, wanted: 'gone'});
});

test('a task is read as it was asked', () => {
	const request = printTask({kind: 'logs', tail: 5, daemon_logs: true});
	const task = {id: 1, instance_id: 7, kind: 'logs', tail: 5, daemon_logs: true};
	expect(taskOf({id: 1, instance_id: 7, request})).toEqual(task);
});
