/** One request that is as it should be for every endpoint: what hostile ones are made from. */
import type {Contract} from '../../../source/contract/index.ts';
import {testAsk, testFacts} from '../../helpers/hosts.ts';

export type ValidRequest = {
	readonly query?: Readonly<Record<string, unknown>>;
	readonly body?: Readonly<Record<string, unknown>>;
};

type Requests = {
	readonly [Noun in keyof Contract]: {readonly [Name in keyof Contract[Noun]]: ValidRequest};
};

const SSH_KEY =
	'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGr3nhD3tU7LhQkYsJTJ4Xw0G8PlNZMvDgKkJ7nS3YbV me@here';

const copy = {src_id: '1', src_path: '/root/x', dst_id: 2, dst_path: '/root/y'};
const order = {
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

const search = {
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

const template = {
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

const page = {
	select_filters: JSON.stringify({id: {gte: 1}}),
	order_by: JSON.stringify([{col: 'id', dir: 'desc'}]),
	select_cols: JSON.stringify(['id']),
	limit: '5',
	after_token: 'WyJ7fSIsMV0',
};

const records = {
	select_filters: JSON.stringify({when: {gte: 0}, type: {in: ['gpu']}}),
	latest_first: 'true',
	limit: '5',
	after_token: 'x',
};

const rebooting = {api_endpoint: '/api/v0/instances/reboot/1/', request_method: 'PUT'};
const job = {...rebooting, request_body: {}, instance_id: 1, frequency: 'HOURLY'};

const report = {
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

export const validRequests: Requests = {
	account: {
		current: {},
		create: {
			body: {email: 'a@example.org', username: 'a', password: 'b', host_only: true, captcha: 'c'},
		},
		change: {body: {fullname: 'A', balance_threshold: 5, ssh_key: SSH_KEY}},
		subaccounts: {},
		transfer: {body: {recipient: 'a@example.org', amount: 0.01}},
	},
	apiKeys: {
		list: {},
		create: {body: {name: 'k', permissions: {api: {user_read: {}, misc: {'api.x': {}}}}}},
		show: {},
		delete: {body: {}},
		reset: {body: {id: 1}},
	},
	billing: {
		invoices: {query: records},
		charges: {query: {...records, select_filters: JSON.stringify({day: {gte: 0, lte: 99_999}})}},
		userInvoices: {query: {sdate: '0', edate: '1900000000', inc_charges: 'true'}},
		contracts: {body: {start_date: 0, end_date: 1_900_000_000}},
	},
	copies: {start: {body: copy}, cancel: {body: {dst_id: 'C.2'}}},
	gpuMarket: {
		current: {query: {verified: 'all', hosting_type: 'community', num_gpus: '8'}},
		history: {query: {gpu_name: 'RTX 4090,H100 SXM', start: '0', end: '1900000000', step: '60'}},
		locations: {},
	},
	hosts: {
		publish: {body: {name: 'rig', facts: testFacts, busy_gpus: [1], asks: [testAsk()]}},
		list: {},
		withdraw: {body: {}},
		heartbeat: {body: {machines: [1, 2, 3]}},
		disconnect: {body: {machines: [1]}},
		takeWork: {query: {after: '0', wait: '0', machines: '1,2'}},
		report: {body: {reports: [report]}},
		answer: {body: {text: 'said'}},
		reportCopy: {body: {message: 'Copying: 4%', ended: false}},
	},
	instances: {
		list: {},
		page: {query: page},
		filters: {},
		startMany: {body: {IDs: [1, '2']}},
		show: {},
		createMany: {body: {...order, ids: [1, 2]}},
		create: {body: order},
		launch: {body: {...order, q: search}},
		change: {body: {state: 'stopped', label: 'x'}},
		changeMany: {body: {state: 'running', ids: [1, 2]}},
		destroy: {body: {}},
		destroyMany: {body: {ids: [1, 2]}},
		reboot: {body: {}},
		recycle: {body: {}},
		rebuild: {body: {image: 'debian', env: '-e A=b', args: 'a b', onstart: 'true'}},
		logs: {body: {tail: '10', filter: 'x', daemon_logs: 'false'}},
		execute: {body: {command: 'ls -l /'}},
		sshKeys: {},
		attachSshKey: {body: {ssh_key: SSH_KEY}},
		detachSshKey: {body: {}},
		changeBid: {body: {price: 0.4}},
		prepay: {body: {amount: 1}},
		deposit: {},
		setLease: {body: {ends_at: 1_900_000_000, action: 'stop'}},
		removeLease: {},
		priceIncreases: {},
		acceptPriceIncrease: {body: {pending_price_increase_id: 1}},
		rejectPriceIncrease: {body: {pending_price_increase_id: 1}},
	},
	machines: {
		list: {},
		offer: {body: {machine: 1, price_gpu: 0.5, duration: '3 months', end_date: null}},
		show: {},
		unlist: {},
		setFloor: {body: {price: 0.1}},
		delete: {body: {}},
		defragment: {body: {machine_ids: [1]}},
		maintenance: {query: {machine_ids: '[1,2]'}},
		announceMaintenance: {body: {sdate: '2026-12-01T00:00:00Z', duration: 2}},
		cancelMaintenance: {body: {}},
		cleanUp: {body: {}},
		reports: {},
		test: {body: {}},
		tests: {},
		report: {body: {problem: 'slow', message: 'its disk is slow'}},
		earnings: {query: {sday: '20000.5', eday: '20001', machid: 'null'}},
	},
	notifications: {
		kinds: {},
		preferences: {},
		changePreferences: {
			body: {notification_preferences: {client: {outbid: {email: true, webhooks: false}}}},
		},
		webhooks: {},
		createWebhook: {
			body: {webhook_url: 'https://hooks.invalid/', event_types: ['client:outbid'], name: 'x'},
		},
		changeWebhook: {body: {name: null}},
		deleteWebhook: {},
		rotateSecret: {},
		testWebhook: {},
	},
	operator: {
		accounts: {query: {after: '1'}},
		addAccount: {body: {kind: 'renter', email: 'me@example.org', username: 'me'}},
		closeAccount: {},
		giveCredit: {body: {amount: 5, description: 'more', reference: 'one'}},
		payOut: {body: {amount: 5, description: 'bank', to_credit: false}},
		keys: {},
		addKey: {body: {name: 'laptop'}},
		deleteKey: {},
		invite: {body: {email: 'you@example.org', kind: 'both', days: 3}},
		balance: {},
		machines: {query: {after: '1'}},
		machine: {},
		markMachine: {body: {verification: 'verified', quarantined: false, why: 'seen'}},
	},
	payments: {receive: {body: {id: 'a', user_id: 1, amount: 5, currency: 'usd'}}},
	offers: {search: {body: search}, gpuNames: {}},
	scheduledJobs: {list: {}, create: {body: job}, change: {body: {request_body: {}}}, delete: {}},
	secrets: {
		list: {},
		create: {body: {key: 'A', value: 'b'}},
		update: {body: {key: 'A', value: 'c'}},
		delete: {body: {key: 'A'}},
	},
	sshKeys: {
		list: {},
		create: {body: {ssh_key: SSH_KEY}},
		update: {body: {ssh_key: SSH_KEY}},
		delete: {body: {}},
	},
	teams: {
		create: {body: {team_name: 'lab', transfer_credit: 1}},
		delete: {},
		members: {},
		removeMember: {},
		invite: {query: {email: 'a@example.org', role: 'member'}, body: {}},
		join: {},
		addRole: {body: {name: 'viewer', permissions: {api: {instance_read: {}}}}},
		roles: {},
		showRole: {},
		changeRole: {body: {name: 'viewer', permissions: {api: {instance_read: {}}}}},
		deleteRole: {},
	},
	templates: {
		search: {query: {select_filters: page.select_filters, order_by: page.order_by}},
		create: {body: template},
		edit: {body: {...template, hash_id: 'abc'}},
		delete: {body: {template_id: 1}},
	},
	volumes: {
		search: {body: {disk_space: {gte: 10}, limit: 3, order: [['score', 'desc']]}},
		list: {},
		create: {body: {id: 1, size: 10, name: 'v'}},
		delete: {body: {id: 1}},
		offerRoom: {body: {machine: 1, size: 20, price_disk: 0.1, end_date: 1_900_000_000}},
		unlistRoom: {body: {id: 1}},
	},
};
