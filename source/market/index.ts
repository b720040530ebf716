import type {Endpoint} from '../contract/grammar/endpoint.ts';
import type {Contract, Noun} from '../contract/index.ts';
import type {Services} from './services.ts';
import type {Handler} from './http/handler.ts';
import * as account from './accounts/calls.ts';
import * as accountHistory from './accounts/history-calls.ts';
import * as apiKeys from './api-keys/calls.ts';
import * as billing from './billing/calls.ts';
import * as copies from './copies/calls.ts';
import * as creation from './renting/calls.ts';
import * as gpuMarket from './gpu-market/calls.ts';
import * as hosts from './hosts/calls.ts';
import * as instanceActions from './instances/actions-calls.ts';
import * as instances from './instances/calls.ts';
import * as instanceSsh from './ssh-keys/instance-ssh-calls.ts';
import * as instanceTasks from './tasks/calls.ts';
import * as leases from './leases/calls.ts';
import * as machineUpkeep from './machines/upkeep-calls.ts';
import * as machines from './machines/calls.ts';
import * as notifications from './notifications/calls.ts';
import * as offers from './offers/calls.ts';
import * as operator from './operator/calls.ts';
import * as payments from './accounts/payments-calls.ts';
import * as people from './accounts/people-calls.ts';
import * as priceIncreases from './price-increases/calls.ts';
import * as scheduledJobs from './scheduled-jobs/calls.ts';
import * as secrets from './secrets/calls.ts';
import * as sshKeys from './ssh-keys/calls.ts';
import * as teams from './teams/calls.ts';
import * as templates from './templates/calls.ts';
import * as unsupported from './http/unsupported-calls.ts';
import * as volumes from './volumes/calls.ts';

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
