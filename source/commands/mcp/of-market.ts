/** Agents at a market: the tools that need no files, with the key of an account and the limits of its cap. */
import {createHmac} from 'node:crypto';
import {createMcpHandler, type AuthInfo} from '@modelcontextprotocol/server';
import {openClient, type Client} from '../../client/client.ts';
import {ApiError} from '../../client/exchange/errors.ts';
import type {Account} from '../../contract/nouns/account.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {requestMarkOf} from '../../contract/rules/env.ts';
import {leaseOf} from '../../renter/leases/held.ts';
import {defaultSettings} from '../../renter/settings/default-settings.ts';
import type {Context} from '../base/command.ts';
import {normalizeAgentName, type Agent} from './agent.ts';
import {files} from './files-tool.ts';
import {MOST_BYTES, no} from './http.ts';
import {run} from './instance-tools.ts';
import {AGENT_VARIABLE} from './rent-tools.ts';
import type {AgentRent, KnownRents} from './rents.ts';
import type {Tool} from './tool.ts';
import {createServerFor, readingTools, tools, type ToolServing} from './server.ts';

const PATH = '/mcp';

const SERVICE = 'market';

/** Makes a call of the API with the caller's key. */
type Call = (request: Request) => Promise<Response>;

/** Answers of a market at `/mcp`: nothing is kept between two requests. */
export function agentsOfMarket(version: string) {
	const asking = new WeakMap<AuthInfo, ToolServing>();
	const handler = createMcpHandler(
		({authInfo}) => {
			const serving = authInfo && asking.get(authInfo);
			if (serving === undefined) throw new Error('a request of nobody');
			return createServerFor(serving, new Set());
		},
		{maxRequestBodySize: MOST_BYTES},
	);
	return {
		path: PATH,
		async answer(request: Request, call: Call): Promise<Response> {
			const {origin, host} = new URL(request.url);
			const page = request.headers.get('origin');
			if (page !== null && (!URL.canParse(page) || new URL(page).host !== host)) {
				return no(403, 'The origin is another one.');
			}
			const [, key] =
				/^Bearer ([\x21-\x7E]+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
			if (key === undefined) return no(401, 'The API key is missing: it is the bearer token.');
			const client = openClient({
				url: origin,
				key,
				answerHere: call,
				paceScale: 0,
				environment: {},
				userAgent: 'rentty mcp',
			});
			// The handler passes it on to the maker of the server, and keeps no copy.
			const authInfo = {token: '', clientId: '', scopes: []};
			try {
				const account = await client.account.current();
				asking.set(authInfo, servingFor({client, key, account, version, signal: request.signal}));
			} catch (error) {
				if (error instanceof ApiError) return refusalOf(error);
				throw error;
			}
			return handler.fetch(request, {authInfo});
		},
	};
}

function refusalOf({isKeyRefused, status, retryAfterSeconds}: ApiError): Response {
	if (isKeyRefused) return no(401, 'The API key is not one of this market.');
	const response = no(status, 'The market does not answer this key.');
	if (retryAfterSeconds !== undefined) {
		response.headers.set('retry-after', String(Math.ceil(retryAfterSeconds)));
	}
	return response;
}

type Asking = {
	readonly client: Client;
	readonly key: string;
	readonly account: Account;
	readonly version: string;
	readonly signal: AbortSignal;
};

/** The machine of a market has no keys of the account's, and no folder for its files. */
const needsFiles: ReadonlySet<Tool> = new Set<Tool>([run, files]);

/** Without a cap a key would spend all: then it only reads. */
function servingFor({client, key, account, version, signal}: Asking): ToolServing {
	const cap = account.key_cap ?? undefined;
	const context = contextOf(client, version, signal);
	return {
		version,
		tools: (cap === undefined ? readingTools : tools).filter(tool => !needsFiles.has(tool)),
		note: undefined,
		secret: undefined,
		open: async (name): Promise<Agent> => ({
			context,
			client,
			name,
			service: SERVICE,
			isOfMarket: true,
			limits: {file: '', profile: SERVICE, limits: cap, problem: undefined},
			rents: listedRents(client, signal),
			// All processes of a market read each other's quotes, and no other key has made them.
			secret: createHmac('sha256', key).update('quotes').digest('hex'),
			person: undefined,
		}),
	};
}

/** Rents as the market lists them: what agents rented has their mark in its environment. */
function listedRents(client: Client, signal: AbortSignal): KnownRents {
	let listed: Promise<readonly AgentRent[]> | undefined;
	const read = async () => {
		listed ??= client.instances
			.list({signal})
			.then(({instances}) => instances.flatMap(instance => rentOf(instance) ?? []));
		return listed;
	};
	return {
		read,
		note: async () => undefined,
		decide: async (_, by) => by(await read()).result,
	};
}

function rentOf(instance: Instance): AgentRent | undefined {
	const {id, extra_env: env, dph_total: perHour, num_gpus: gpus, start_date: at} = instance;
	const agent = env?.find(([name]) => name === AGENT_VARIABLE)?.[1];
	if (agent === undefined) return undefined;
	return {
		token: requestMarkOf(env) ?? `instance ${id}`,
		service: SERVICE,
		agent: normalizeAgentName(agent),
		quote: '',
		perHour: perHour ?? 0,
		gpus: gpus ?? 0,
		at: at ?? 0,
		id,
		endsAt: leaseOf(instance).lease?.endsAt ?? Infinity,
		goneAt: undefined,
	};
}

/** A folder in which nothing can be read or made, even by root. */
const NOWHERE = '/dev/null/nothing';

const silent = () => undefined;

/**
 * The context of commands without a user: no words, no environment, and folders that cannot exist.
 */
function contextOf(client: Client, version: string, signal: AbortSignal): Context {
	const service = {url: undefined, name: SERVICE, keyFile: undefined, isReadOnly: false};
	const open = async () => ({client, close: async () => undefined});
	return {
		words: [],
		isGiven: () => false,
		textOf: silent,
		isJson: true,
		client: async () => client,
		changer: async () => client,
		service: () => service,
		serviceWords: ['--key-file'],
		serviceOf: () => ({...service, open}),
		settings: defaultSettings,
		settingsProblem: undefined,
		output: {
			isTerminal: false,
			line: silent,
			text: silent,
			log: silent,
			json: silent,
			say: silent,
			ask: undefined,
		},
		signal,
		now: Date.now,
		environment: {},
		folders: {settings: NOWHERE, data: NOWHERE, state: NOWHERE, cache: NOWHERE},
		version,
	};
}
