/** The contract over HTTP: request → caller → parts → handler → reply. */
import {Hono, type Context as Call, type HonoRequest} from 'hono';
import {routePath} from 'hono/route';
import type {HttpBindings} from '@hono/node-server';
import {
	USUAL_BODY,
	isReading,
	type Endpoint,
	type Schema,
} from '../../contract/grammar/endpoint.ts';
import type {RefusalReason} from '../../contract/grammar/errors.ts';
import {contract} from '../../contract/index.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {answerTo, refusalResponse, respond, endpointRefusal} from '../http/answers.ts';
import type {Log} from '../base/log.ts';
import type {Database} from '../database/database.ts';
import {
	authenticate,
	guardCall,
	refuseChanged,
	secretFor,
	verifySignature,
	type Credentials,
} from '../api-keys/auth.ts';
import {answerWithHistory, type SentFields} from './call-history.ts';
import {requestId} from '../http/call-log.ts';
import {networkOf} from '../../contract/rules/network.ts';
import {callerAddress} from '../http/caller-address.ts';
import {refuseUncounted} from '../api-keys/counted.ts';
import {createConcurrencyLimits, type ConcurrencyLimits} from '../http/limits.ts';
import type {Answered} from './metrics.ts';
import {createPacing} from './pacing.ts';
import {notHere, Refusal} from '../base/refusal.ts';
import {parseObject, readBody} from '../http/request-body.ts';
import {answerResult, RESULT_ROUTE} from '../tasks/results.ts';
import {forms, type EndpointRoute, type DeclaredParts} from './forms.ts';
import type {MarketServices} from './services.ts';
import {hasAccount} from '../ledger/accounts-store.ts';
import type {ApiKey} from '../base/api-key.ts';
import type {RelayRow} from '../database/relay-tables.ts';
import {authenticateRelay} from '../relay/auth.ts';
import {JsonReply} from '../base/json-reply.ts';

/** Socket of a request; empty in calls without one. */
type Surroundings = {readonly Bindings: Partial<HttpBindings>};

export type ExtraPath = {
	readonly path: string;
	/** @param call makes a call of the contract from the same address */
	readonly answer: (
		request: Request,
		call: (request: Request) => Promise<Response>,
	) => Promise<Response>;
};

type AppOptions = {
	/** @default none */
	readonly beside?: ExtraPath | undefined;
	/** @default 0 */
	readonly rateScale?: number;
	/**
	 * Trusted proxies, whose word on a caller's address counts.
	 *
	 * @default []
	 */
	readonly trustedProxies?: readonly string[];
};

export function createApp(
	services: MarketServices,
	log: Log,
	{rateScale = 0, trustedProxies = [], beside}: AppOptions = {},
): Hono<Surroundings> {
	const {metrics} = services;
	const pacing = createPacing(services, rateScale);
	const polls = createConcurrencyLimits(MOST_POLLS);
	// Strict routing is off, so that a trailing slash makes no difference and needs no redirect.
	const app = new Hono<Surroundings>({strict: false});
	app.use(async (context, next) => {
		const startedAt = performance.now();
		await next();
		metrics?.answered(answeredOf(context, startedAt));
	});
	for (const [path, formsHere] of Map.groupBy(forms, form => form.path)) {
		const methods = new Map(formsHere.map(form => [form.method, form]));
		app.all(path, async ({req, env}) => {
			const form = methods.get(req.method === 'HEAD' ? 'GET' : req.method);
			if (form === undefined) return answerOtherMethod(req, [...methods.keys()]);
			const id = req.param('id');
			// Against Hono's types, tests call without a socket.
			const socket = env?.incoming?.socket.remoteAddress;
			const forwarded = req.header('x-forwarded-for');
			const address = callerAddress({socket, forwarded}, trustedProxies);
			const network = networkOf(address);
			try {
				const {caller, relay} = await callerOf(form, req, services).catch(
					async (error: unknown) => {
						if (error instanceof Refusal) await pacing.unknown(network);
						throw error;
					},
				);
				await pacing.known(form.endpoint, caller, network);
				const call = {form, req, caller, address};
				return await answerWithHistory(call, services, async keep => {
					if (caller !== undefined) await pacing.permitted(caller, form.endpoint, id);
					const parts = await partsOf(form, req, services, keep);
					await refuseUncounted(services.database, caller, {...form, parts});
					const database = databaseFor(form.endpoint, caller, req, services.database);
					const confirmCaller = async () =>
						caller && refuseChanged(services.database, caller, credentialsOf(req));
					const about = {caller, confirmCaller, relay, ...contextOf(req)};
					const context = {...services, database, ...about};
					const handle = async () => form.handle(parts, context);
					return respond(
						200,
						polled.has(form.endpoint) ? await within(polls, network, handle) : await handle(),
					);
				});
			} catch (error) {
				throw endpointRefusal(error, form.endpoint, id);
			}
		});
	}
	let document: JsonReply | undefined;
	app.get('/openapi.json', async () => {
		const {openApi} = await import('../../contract/openapi.ts');
		document ??= new JsonReply(JSON.stringify(openApi(contract)));
		return respond(200, document);
	});
	if (beside !== undefined) addBeside(app, beside, services);
	app.get(RESULT_ROUTE, async ({req}) => answerResult(req.param('token'), services));
	app.get('/healthz', () => respond(200, {success: true}));
	app.get('/readyz', async () => {
		await hasAccount(services.database, 'renter');
		return respond(200, {success: true});
	});
	app.notFound(({req}) =>
		refusalResponse(
			notHere(req.path) ?? new Refusal('noSuchPath', 'There is nothing at this path.'),
		),
	);
	app.onError((error, {req}) =>
		answerTo(error, `${req.method} ${req.path}`, log, requestId(req.raw)),
	);
	return app;
}

/** A path whose replies are made from calls, which count as its caller's. */
function addBeside(
	app: Hono<Surroundings>,
	{path, answer}: ExtraPath,
	{clock}: Pick<MarketServices, 'clock'>,
): void {
	app.all(path, async ({req, env}) =>
		answer(req.raw, async request => {
			const forwarded = req.header('x-forwarded-for');
			if (forwarded !== undefined) request.headers.set('x-forwarded-for', forwarded);
			const answered = await app.fetch(request, env);
			// Callers without a socket, too, read the market's time from it.
			answered.headers.set('date', new Date(clock.now() * 1000).toUTCString());
			return answered;
		}),
	);
}

/** Metrics entry of a call, by its route, which has no ids. */
function answeredOf(call: Call, startedAt: number): Answered {
	const {req, res, error} = call;
	return {
		method: req.method,
		path: routePath(call, -1),
		outcome: error instanceof Refusal ? error.reason : error === undefined ? 'ok' : 'failed',
		status: res.status,
		seconds: (performance.now() - startedAt) / 1000,
	};
}

const polled: ReadonlySet<Endpoint> = new Set<Endpoint>([
	contract.hosts.takeWork,
	contract.relays.ports,
]);

/** The most long polls for work of an address. */
const MOST_POLLS = 1000;

async function within<Reply>(
	crowds: ConcurrencyLimits,
	network: string,
	handle: () => Promise<Reply>,
): Promise<Reply> {
	const leave = crowds.enter(network);
	if (leave === undefined) {
		throw new Refusal('tooManyRequests', 'Too many calls of this address wait for work.', {
			headers: {'retry-after': '10'},
		});
	}
	try {
		return await handle();
	} finally {
		leave();
	}
}

function answerOtherMethod({method, path}: HonoRequest, known: readonly string[]): Response {
	const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
	if (method === 'OPTIONS') return new Response(null, {status: 204, headers: {allow}});
	const wrong = new Refusal('wrongMethod', `This path takes ${allow}.`, {headers: {allow}});
	return refusalResponse(notHere(path) ?? wrong);
}

async function callerOf(
	{endpoint: {permission, keyless}}: EndpointRoute,
	request: HonoRequest,
	{database}: MarketServices,
): Promise<{readonly caller?: ApiKey; readonly relay?: RelayRow}> {
	if (permission === undefined) return {};
	const credentials = credentialsOf(request);
	if (permission === 'relay') return {relay: await authenticateRelay(database, credentials)};
	const hasNone = credentials.header === undefined && credentials.query === undefined;
	return keyless && hasNone ? {} : {caller: await authenticate(database, credentials)};
}

/** Calls of agents, thousands every second, which make no rights. */
const ofAgents: ReadonlySet<Endpoint> = new Set<Endpoint>(Object.values(contract.hosts));

function databaseFor(
	endpoint: Endpoint,
	caller: ApiKey | undefined,
	request: HonoRequest,
	database: Database,
): Database {
	if (caller === undefined || isReading(endpoint) || ofAgents.has(endpoint)) return database;
	return guardCall(database, caller, credentialsOf(request));
}

function contextOf(request: HonoRequest) {
	return {
		signal: request.raw.signal,
		origin: new URL(request.url).origin,
		known: request.header('if-none-match'),
		secretOf: (purpose: string) => secretFor(credentialsOf(request), purpose),
	};
}

function credentialsOf(request: HonoRequest): Credentials {
	return {header: request.header('authorization'), query: request.query('api_key')};
}

/** @param keep Takes the body as it was sent */
async function partsOf(
	form: EndpointRoute,
	request: HonoRequest,
	services: MarketServices,
	keep: (sent: SentFields) => void,
): Promise<DeclaredParts> {
	const {params, query, body, unfit = 'badArguments'} = form.endpoint;
	const sent = body && (await bodyOf(form, request, services));
	if (sent !== undefined) keep(sent);
	return {
		...(params && {params: decode(params, request.param(), unfit)}),
		...(query && {query: decode(query, request.query(), unfit)}),
		...(body && {body: decode(body, sent, unfit)}),
	};
}

async function bodyOf(
	{bodyIn, endpoint}: EndpointRoute,
	request: HonoRequest,
	{clock, paymentSecret: secret}: MarketServices,
): Promise<SentFields> {
	// Two reasons refuse a body that is no JSON object: the one of searches, and the usual one.
	const reason = endpoint.unfit === 'badRequest' ? 'badRequest' : 'badArguments';
	if (bodyIn === 'q of query')
		return parseObject(request.query('q') ?? '{}', 'q', {reason, mostNames: USUAL_BODY.names});
	const {bytes, names} = USUAL_BODY;
	const {mostBytes = bytes, mostNames = names} = endpoint;
	const header = (name: string) => request.header(name);
	const verify = (text: string) => verifySignature({secret, header, text, now: clock.now()});
	const verified = endpoint.signed && verify;
	const body = await readBody(request.raw, {reason, mostBytes, mostNames, verify: verified});
	// The body of a reading call may be in `q`, in any of its forms.
	if (endpoint.onlyReads !== true) return body;
	const {q, ...beside} = body;
	if (q === undefined || q === null) return beside;
	const asked = typeof q === 'string' ? parseObject(q, 'q', {reason, mostNames}) : q;
	if (!isRecord(asked)) throw new Refusal(reason, 'q must be a JSON object.');
	return {...beside, ...asked};
}

function decode(schema: Schema, value: unknown, unfit: RefusalReason): unknown {
	const decoded = schema.safeParse(value);
	if (decoded.success) return decoded.data;
	const [issue] = decoded.error.issues;
	const place = issue?.path.join('.') ?? '';
	throw new Refusal(unfit, place === '' ? `${issue?.message}` : `${place}: ${issue?.message}`);
}
