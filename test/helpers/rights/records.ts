/** The records that a call names: by its path, or by its body and query. */
import type {Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {validRequests, type ValidRequest} from '../../hostile/fuzz/valid-requests.ts';

/** Records of one account, by what they are: numbers, or a name. */
export type Records = Readonly<Record<Kind, number>>;

export const kinds = [
	'account',
	'apiKey',
	/** An instance that is stopped, and has a bid. */
	'bid',
	'copy',
	'hosted',
	/** An account with nothing. */
	'idle',
	'instance',
	'job',
	'machine',
	'member',
	'offer',
	'priceIncrease',
	'relay',
	'rentedMachine',
	'role',
	'sshKey',
	'task',
	'template',
	'volume',
	'webhook',
] as const;
export type Kind = (typeof kinds)[number];

/** Kinds of what `{id}` names, by the first part of a path that is theirs. */
const paths: ReadonlyArray<readonly [part: string, kind: Kind]> = [
	['/report/', 'rentedMachine'],
	['/bid_price/', 'bid'],
	['/operator/relays/', 'relay'],
	['/operator/accounts/{id}/$', 'idle'],
	['/machines/', 'machine'],
	['/apikeys/', 'apiKey'],
	['/v0/ssh/', 'sshKey'],
	['/operator/accounts/', 'account'],
	['/members/', 'member'],
	['/hosts/tasks/', 'task'],
	['/hosts/copies/', 'copy'],
	['/asks/', 'offer'],
	['/webhooks/', 'webhook'],
	['/schedule_job/', 'job'],
	['/instances/', 'instance'],
];

const params: Readonly<Record<string, Kind>> = {
	ssh_key_id: 'sshKey',
	key_id: 'apiKey',
	user_id: 'account',
	role: 'role',
};

/** Whatever has no owner: the word of an invitation belongs to whoever has it. */
const ownerless = new Set(['token']);

type Part = (of: Records) => ValidRequest;

/** Parts of requests that name records, for calls that do so beside their path. */
const parts: Readonly<Record<string, Part>> = {
	'account.create': () => ({body: {captcha: undefined}}),
	'billing.invoices': () => firstPage,
	'billing.charges': () => ({query: {after_token: undefined}}),
	'instances.page': () => ({query: {after_token: undefined}}),
	'secrets.create': () => ({body: {key: 'B'}}),
	'teams.create': () => ({body: {team_name: 'another'}}),
	'teams.addRole': () => ({body: {name: 'another'}}),
	'account.transfer': of => ({body: {recipient: of.account}}),
	'apiKeys.reset': of => ({body: {id: of.apiKey}}),
	'copies.start': of => ({body: {src_id: `C.${of.instance}`, dst_id: `V.${of.volume}`}}),
	'copies.cancel': of => ({body: {dst_id: `C.${of.instance}`}}),
	'hosts.heartbeat': of => ({body: {machines: [of.machine]}}),
	'hosts.disconnect': of => ({body: {machines: [of.machine]}}),
	'hosts.takeWork': of => ({query: {machines: String(of.machine)}}),
	'hosts.report': of => ({
		body: {reports: [{instance_id: of.hosted, boot: 1, status: 'running', status_msg: 'new'}]},
	}),
	'instances.startMany': of => ({body: {IDs: [of.bid]}}),
	'instances.changeMany': of => ({body: {ids: [of.instance], state: 'stopped'}}),
	'instances.destroyMany': of => ({body: {instance_ids: [of.instance]}}),
	'instances.createMany': of => ({body: {ids: [of.offer], ...mounted(of)}}),
	'instances.create': mountedIn,
	'instances.launch': of => ({body: {...mounted(of), q: {machine_id: {eq: of.machine}}}}),
	'instances.acceptPriceIncrease': of => ({body: {pending_price_increase_id: of.priceIncrease}}),
	'instances.rejectPriceIncrease': of => ({body: {pending_price_increase_id: of.priceIncrease}}),
	'machines.offer': of => ({body: {machine: of.machine}}),
	'machines.setDefaultJob': of => ({body: {machine: of.machine}}),
	'machines.defragment': of => ({body: {machine_ids: [of.machine]}}),
	'machines.maintenance': of => ({query: {machine_ids: `[${of.machine}]`}}),
	'payments.receive': of => ({body: {user_id: of.account}}),
	'scheduledJobs.create': of => ({
		body: {
			api_endpoint: `/api/v0/instances/command/${of.instance}/`,
			request_body: {command: 'ls'},
			instance_id: of.instance,
		},
	}),
	'templates.edit': of => ({body: {hash_id: `hash-${of.template}`}}),
	'templates.delete': of => ({body: {template_id: of.template}}),
	'unsupported.startCloudCopy': of => ({body: {instance_id: String(of.instance)}}),
	'unsupported.cancelCloudCopy': of => ({body: {dst_id: String(of.instance)}}),
	'volumes.create': of => ({body: {id: of.offer}}),
	'volumes.copy': of => ({body: {src_id: of.volume, dst_id: of.offer}}),
	'volumes.delete': of => ({body: {id: of.volume}}),
	'volumes.offerRoom': of => ({body: {machine: of.machine}}),
	'volumes.unlistRoom': of => ({body: {id: of.offer}}),
};

function mounted({volume}: Records) {
	const volume_info = {create_new: false, volume_id: volume, mount_path: '/data'};
	return {volume_info, price: null};
}

function mountedIn(of: Records): ValidRequest {
	return {body: mounted(of)};
}

const firstPage = {query: {after_token: undefined, select_filters: '{"when":{"gte":0}}'}};

/** Names by which a field of a request is taken to name a record. */
const NAMING = /^(?:id|ids|IDs|reports|machines?|machid|recipient|.*_ids?)$/;

/** Fields of such names that are no records of an account. */
const harmless = new Set(['payments.receive id', 'machines.earnings machid']);

export type Operation = {
	readonly name: string;
	readonly endpoint: Endpoint;
	readonly request: ValidRequest;
	/** True if it names records of an account. */
	readonly isNaming: boolean;
};

/** @throws Error where a call has parts of which nothing here says what they name */
export function operationOf(noun: string, word: string, endpoint: Endpoint): Operation {
	const name = `${noun}.${word}`;
	const all: Readonly<Record<string, Readonly<Record<string, ValidRequest>>>> = validRequests;
	const request = all[noun]?.[word] ?? {};
	const fields = Object.keys({...request.query, ...request.body});
	const naming = fields.filter(field => NAMING.test(field) && !harmless.has(`${name} ${field}`));
	if (naming.length > 0 && parts[name] === undefined) {
		throw new Error(
			`test/helpers/rights/records.ts must say what ${naming.join()} of ${name} names`,
		);
	}
	const mounts = request.body?.['volume_info'] !== undefined;
	const named = namesIn(endpoint.path).filter(param => !ownerless.has(param));
	return {name, endpoint, request, isNaming: named.length > 0 || naming.length > 0 || mounts};
}

function namesIn(path: string): readonly string[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param);
}

function kindOf(param: string, path: string): Kind {
	const kind = params[param] ?? paths.find(([part]) => `${path}$`.includes(part))?.[1];
	if (kind === undefined) {
		throw new Error(`test/helpers/rights/records.ts must say what ${param} of ${path} names`);
	}
	return kind;
}

/** Parts of a call before they are written. */
export type Named = {
	readonly params: Readonly<Record<string, unknown>>;
	readonly query: Readonly<Record<string, unknown>>;
	readonly body: Readonly<Record<string, unknown>> | undefined;
};

/** Parts of a call, naming these records. */
export function partsFor({name, endpoint, request}: Operation, of: Records, word: string): Named {
	const {query = {}, body = {}} = parts[name]?.(of) ?? {};
	const named = namesIn(endpoint.path).map(
		param =>
			[param, ownerless.has(param) ? word : String(of[kindOf(param, endpoint.path)])] as const,
	);
	return {
		params: Object.fromEntries(named),
		query: {...request.query, ...query},
		body: request.body && {...request.body, ...body},
	};
}

/** A value as an address has it. */
function wordOf(value: unknown): string {
	return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

/** A call of these parts as it is sent. */
export function written({endpoint: {method, path}}: Operation, named: Named) {
	const {query, body} = named;
	const filled = namesIn(path).reduce<string>(
		(text, param) =>
			text.replace(`{${param}}`, () => encodeURIComponent(wordOf(named.params[param]))),
		path,
	);
	const asked = new URLSearchParams(
		Object.entries(query)
			.filter(([, value]) => value !== undefined)
			.map(([key, value]) => [key, wordOf(value)]),
	);
	return {
		path: `${filled}?${asked.toString()}`,
		method,
		...(body !== undefined && method !== 'GET' && {body: JSON.stringify(body)}),
	};
}

/** Path, query and body of a call, naming these records. */
export function requestFor(operation: Operation, of: Records, word: string) {
	return written(operation, partsFor(operation, of, word));
}
