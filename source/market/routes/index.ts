import type {Endpoint} from '../../contract/grammar/endpoint.ts';
import type {Contract, Noun} from '../../contract/index.ts';
import type {Services} from '../services.ts';
import type {Handler} from './handler.ts';
import * as account from './account.ts';
import * as accountHistory from './account-history.ts';
import * as apiKeys from './api-keys.ts';
import * as billing from './billing.ts';
import * as copies from './copies.ts';
import * as creation from './creation.ts';
import * as gpuMarket from './gpu-market.ts';
import * as hosts from './hosts.ts';
import * as instanceActions from './instance-actions.ts';
import * as instances from './instances.ts';
import * as instanceSsh from './instance-ssh.ts';
import * as instanceTasks from './instance-tasks.ts';
import * as leases from './leases.ts';
import * as machineUpkeep from './machine-upkeep.ts';
import * as machines from './machines.ts';
import * as notifications from './notifications.ts';
import * as offers from './offers.ts';
import * as operator from './operator.ts';
import * as payments from './payments.ts';
import * as people from './people.ts';
import * as priceIncreases from './price-increases.ts';
import * as scheduledJobs from './scheduled-jobs.ts';
import * as secrets from './secrets.ts';
import * as sshKeys from './ssh-keys.ts';
import * as teams from './teams.ts';
import * as templates from './templates.ts';
import * as unsupported from './unsupported.ts';
import * as volumes from './volumes.ts';

/** Handlers of every endpoint of the contract: a missing one does not compile. */
export type Handlers = {
	readonly [Name in Noun]: {
		readonly [Call in keyof Contract[Name]]: Contract[Name][Call] extends infer Value extends
			Endpoint
			? Handler<Value, Services>
			: never;
	};
};

export const handlers: Handlers = {
	account: {...account, ...accountHistory, ...people},
	apiKeys,
	billing,
	copies,
	gpuMarket,
	hosts,
	instances: {
		...creation,
		...instances,
		...instanceActions,
		...instanceTasks,
		...instanceSsh,
		...leases,
		...priceIncreases,
	},
	machines: {...machines, ...machineUpkeep},
	notifications,
	offers,
	operator,
	payments,
	scheduledJobs,
	secrets,
	sshKeys,
	teams,
	templates,
	unsupported,
	volumes,
};
