/** Handlers of all endpoints, and all methods and paths of each. */
import type {Endpoint, Alias} from '../../contract/grammar/endpoint.ts';
import {type Contract, type Noun, contract} from '../../contract/index.ts';
import type {MarketServices} from './services.ts';
import type {Handler} from '../http/handler.ts';
import * as account from '../accounts/calls.ts';
import * as apiKeys from '../api-keys/calls.ts';
import * as billing from '../billing/calls.ts';
import * as copies from '../copies/calls.ts';
import * as creation from '../renting/calls.ts';
import * as gpuMarket from '../gpu-market/calls.ts';
import * as hosts from '../hosts/calls.ts';
import * as instanceActions from '../instances/actions-calls.ts';
import * as instances from '../instances/calls.ts';
import * as instanceSsh from '../ssh-keys/instance-ssh-calls.ts';
import * as instanceTasks from '../tasks/calls.ts';
import * as leases from '../leases/calls.ts';
import * as machines from '../machines/calls.ts';
import * as notifications from '../notifications/calls.ts';
import * as offers from '../offers/calls.ts';
import * as operator from '../operator/calls.ts';
import * as payments from '../accounts/payments-calls.ts';
import * as people from '../accounts/people-calls.ts';
import * as priceIncreases from '../price-increases/calls.ts';
import * as relays from '../relay/calls.ts';
import * as scheduledJobs from '../scheduled-jobs/calls.ts';
import * as secrets from '../secrets/calls.ts';
import * as sshKeys from '../ssh-keys/calls.ts';
import * as teams from '../teams/calls.ts';
import * as templates from '../templates/calls.ts';
import * as unsupported from '../http/unsupported-calls.ts';
import * as volumes from '../volumes/calls.ts';
import type {ApiKey} from '../base/api-key.ts';
import type {RelayRow} from '../database/relay-tables.ts';

/** Handlers of every endpoint of the contract: a missing one does not compile. */
type Handlers = {
	readonly [Name in Noun]: {
		readonly [Call in keyof Contract[Name]]: Contract[Name][Call] extends infer Value extends
			Endpoint
			? Handler<Value, MarketServices>
			: never;
	};
};

const handlers: Handlers = {
	account: {...account, ...people},
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
	machines,
	notifications,
	offers,
	operator,
	payments,
	relays,
	scheduledJobs,
	secrets,
	sshKeys,
	teams,
	templates,
	unsupported,
	volumes,
};

export type DeclaredParts = {
	readonly params?: unknown;
	readonly query?: unknown;
	readonly body?: unknown;
};

export type EndpointRoute = {
	readonly endpoint: Endpoint;
	readonly method: string;
	/** Path in Hono's form, without a trailing slash. */
	readonly path: string;
	readonly bodyIn: Alias['bodyIn'];
	readonly handle: (
		parts: DeclaredParts,
		context: MarketServices & {
			readonly caller: ApiKey | undefined;
			readonly confirmCaller: () => Promise<void>;
			readonly relay: RelayRow | undefined;
			readonly signal: AbortSignal;
			readonly origin: string;
			readonly known: string | undefined;
		},
	) => unknown;
};

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;

export const forms: readonly EndpointRoute[] = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints).flatMap(([name, endpoint]) => formsOf(endpoint, handlerOf(noun, name))),
);

function formsOf(endpoint: Endpoint, handle: EndpointRoute['handle']): readonly EndpointRoute[] {
	const written: readonly Alias[] = [
		{method: endpoint.method, path: endpoint.path},
		...(endpoint.aliases ?? []),
	];
	return written.map(({method, path, bodyIn}) => ({
		endpoint,
		method,
		path: path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1'),
		bodyIn,
		handle,
	}));
}

function handlerOf(noun: string, name: string): EndpointRoute['handle'] {
	const handlersByNoun: Readonly<Record<string, Readonly<Record<string, unknown>>>> = handlers;
	// The type of `handlers` ties each handler to the endpoint whose types decode the request;
	// TypeScript cannot follow that through a table indexed by name.
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
	return handlersByNoun[noun]?.[name] as EndpointRoute['handle'];
}
