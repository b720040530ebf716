import * as account from './nouns/account.ts';
import * as apiKeys from './nouns/api-keys.ts';
import {benchmarks} from './nouns/benchmarks.ts';
import * as billing from './nouns/billing.ts';
import * as copies from './nouns/copies.ts';
import * as creation from './nouns/creation.ts';
import * as gpuMarket from './nouns/gpu-market.ts';
import * as hosts from './nouns/hosts.ts';
import * as instanceActions from './nouns/instance-actions.ts';
import * as instances from './nouns/instances.ts';
import * as instanceTasks from './nouns/instance-tasks.ts';
import * as leases from './nouns/leases.ts';
import * as defaultJobs from './nouns/default-jobs.ts';
import * as machineUpkeep from './nouns/machine-upkeep.ts';
import * as machines from './nouns/machines.ts';
import * as notifications from './nouns/notifications.ts';
import * as offers from './nouns/offers.ts';
import * as operator from './nouns/operator.ts';
import * as people from './nouns/people.ts';
import * as priceIncreases from './nouns/price-increases.ts';
import * as relays from './nouns/relays.ts';
import * as scheduledJobs from './nouns/scheduled-jobs.ts';
import * as secrets from './nouns/secrets.ts';
import * as sshKeys from './nouns/ssh-keys.ts';
import * as teams from './nouns/teams.ts';
import * as templates from './nouns/templates.ts';
import * as unsupported from './nouns/unsupported.ts';
import * as volumes from './nouns/volumes.ts';

/** Every endpoint of the service, by noun. The client and the market are typed by this table. */
export const contract = {
	account: {
		current: account.current,
		create: people.create,
		change: people.change,
		subaccounts: people.subaccounts,
		transfer: people.transfer,
		changes: account.changes,
		addresses: account.addresses,
	},
	apiKeys: {
		list: apiKeys.list,
		create: apiKeys.create,
		show: apiKeys.show,
		delete: apiKeys.delete,
		reset: apiKeys.reset,
	},
	billing: {
		invoices: billing.invoices,
		latestInvoices: billing.latestInvoices,
		charges: billing.charges,
		userInvoices: billing.userInvoices,
		contracts: billing.contracts,
	},
	copies: {start: copies.start, cancel: copies.cancel},
	gpuMarket: {
		current: gpuMarket.current,
		history: gpuMarket.history,
		locations: gpuMarket.locations,
		benchmarks,
	},
	hosts: {
		publish: hosts.publish,
		list: hosts.list,
		withdraw: hosts.withdraw,
		heartbeat: hosts.heartbeat,
		disconnect: hosts.disconnect,
		takeWork: hosts.takeWork,
		report: hosts.report,
		answer: hosts.answer,
		reportCopy: copies.report,
		reportCopyDoor: copies.reportDoor,
	},
	instances: {
		list: instances.list,
		page: instances.page,
		// Listed before calls with an id at the same position of the path.
		filters: instances.filters,
		startMany: instanceActions.startMany,
		priceIncreases: priceIncreases.priceIncreases,
		acceptPriceIncrease: priceIncreases.acceptPriceIncrease,
		rejectPriceIncrease: priceIncreases.rejectPriceIncrease,
		show: instances.show,
		createMany: creation.createMany,
		create: creation.create,
		launch: creation.launch,
		change: instanceActions.change,
		changeMany: instanceActions.changeMany,
		destroy: instanceActions.destroy,
		destroyMany: instanceActions.destroyMany,
		reboot: instanceActions.reboot,
		recycle: instanceActions.recycle,
		rebuild: instanceActions.rebuild,
		logs: instanceTasks.logs,
		execute: instanceTasks.execute,
		takeSnapshot: instanceTasks.takeSnapshot,
		sshKeys: sshKeys.sshKeys,
		attachSshKey: sshKeys.attachSshKey,
		detachSshKey: sshKeys.detachSshKey,
		changeBid: instanceActions.changeBid,
		prepay: instanceActions.prepay,
		deposit: instanceActions.deposit,
		setLease: leases.setLease,
		removeLease: leases.removeLease,
	},
	machines: {
		list: machines.list,
		// Listed before calls with an id at the same position of the path.
		offer: machines.offer,
		setDefaultJob: defaultJobs.setDefaultJob,
		defragment: machineUpkeep.defragment,
		maintenance: machineUpkeep.maintenance,
		show: machines.show,
		unlist: machines.unlist,
		setFloor: machines.setFloor,
		deleteDefaultJob: defaultJobs.deleteDefaultJob,
		delete: machineUpkeep.delete,
		announceMaintenance: machineUpkeep.announceMaintenance,
		cancelMaintenance: machineUpkeep.cancelMaintenance,
		cleanUp: machineUpkeep.cleanUp,
		reports: machineUpkeep.reports,
		report: machineUpkeep.report,
		test: machineUpkeep.test,
		tests: machineUpkeep.tests,
		earnings: machines.earnings,
	},
	notifications: {
		kinds: notifications.kinds,
		preferences: notifications.showPreferences,
		changePreferences: notifications.changePreferences,
		webhooks: notifications.listWebhooks,
		createWebhook: notifications.createWebhook,
		changeWebhook: notifications.changeWebhook,
		deleteWebhook: notifications.deleteWebhook,
		rotateSecret: notifications.rotateSecret,
		testWebhook: notifications.testWebhook,
	},
	offers: {search: offers.search, gpuNames: gpuMarket.gpuNames},
	operator: {
		accounts: operator.accounts,
		addAccount: operator.addAccount,
		closeAccount: operator.closeAccount,
		giveCredit: operator.giveCredit,
		payOut: operator.payOut,
		keys: operator.keys,
		addKey: operator.addKey,
		deleteKey: operator.deleteKey,
		invite: operator.invite,
		balance: operator.balance,
		machines: operator.machines,
		machine: operator.machine,
		markMachine: operator.markMachine,
		relays: relays.list,
		addRelay: relays.add,
		changeRelay: relays.change,
		removeRelay: relays.remove,
	},
	payments: {receive: account.receive},
	relays: {ports: relays.ports, agent: relays.agent},
	scheduledJobs: {
		list: scheduledJobs.list,
		create: scheduledJobs.create,
		change: scheduledJobs.changeJob,
		delete: scheduledJobs.deleteJob,
	},
	secrets: {
		list: secrets.list,
		create: secrets.create,
		update: secrets.update,
		delete: secrets.delete,
	},
	sshKeys: {
		list: sshKeys.list,
		create: sshKeys.create,
		update: sshKeys.update,
		delete: sshKeys.delete,
	},
	teams: {
		create: teams.create,
		delete: teams.delete,
		members: teams.members,
		removeMember: teams.removeMember,
		invite: teams.invite,
		invitations: teams.invitations,
		join: teams.join,
		addRole: teams.addRole,
		roles: teams.roles,
		showRole: teams.showRole,
		changeRole: teams.changeRole,
		deleteRole: teams.deleteRole,
	},
	templates: {
		search: templates.search,
		create: templates.create,
		edit: templates.edit,
		delete: templates.delete,
	},
	unsupported: {
		startCloudCopy: unsupported.startCloudCopy,
		cancelCloudCopy: unsupported.cancelCloudCopy,
		cloudConnections: unsupported.cloudConnections,
		twoStep: unsupported.twoStep,
		endpointJobs: unsupported.endpointJobs,
		networkRoom: unsupported.networkRoom,
	},
	volumes: {
		search: volumes.search,
		list: volumes.list,
		create: volumes.create,
		copy: volumes.copy,
		offerRoom: volumes.offerRoom,
		unlistRoom: volumes.unlistRoom,
		delete: volumes.delete,
	},
} as const;

export type Contract = typeof contract;
export type Noun = keyof Contract;
