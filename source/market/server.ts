/** The contract over HTTP: request → caller → parts → handler → reply. */
import {Hono} from 'hono';
import type {HonoRequest} from 'hono';
import type {Schema} from '../contract/endpoint.ts';
import {isRecord} from '../contract/json.ts';
import {answerTo, refuse, respond} from './answers.ts';
import type {Log} from './answers.ts';
import {authenticate, authorize} from './auth.ts';
import {Refusal} from './refusal.ts';
import {parseObject, readBody} from './request-body.ts';
import {forms} from './routes/forms.ts';
import type {Form, Parts} from './routes/forms.ts';
import type {Services} from './routes/handler.ts';

/** The whole service, without a socket. */
export function createApp(services: Services, log: Log): Hono {
	// Not strict: a path with a trailing slash is the same path, and nobody is redirected.
	const app = new Hono({strict: false});
	for (const [path, formsHere] of Map.groupBy(forms, form => form.path)) {
		const methods = new Map(formsHere.map(form => [form.method, form]));
		app.all(path, async ({req}) => {
			const form = methods.get(req.method === 'HEAD' ? 'GET' : req.method);
			if (form === undefined) return answerOtherMethod(req.method, [...methods.keys()]);
			return respond(200, await call(form, req, services));
		});
	}
	app.notFound(() => refuse(new Refusal('noSuchPath', 'There is nothing at this path.')));
	app.onError((error, {req}) => answerTo(error, `${req.method} ${req.path}`, log));
	return app;
}

function answerOtherMethod(method: string, known: readonly string[]): Response {
	const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
	if (method === 'OPTIONS') return new Response(null, {status: 204, headers: {allow}});
	return refuse(new Refusal('wrongMethod', `This path takes ${allow}.`, {headers: {allow}}));
}

async function call(form: Form, request: HonoRequest, services: Services): Promise<unknown> {
	const caller = await callerOf(form, request, services);
	return form.handle(await partsOf(form, request), {...services, caller});
}

async function callerOf(
	{endpoint: {permission}}: Form,
	request: HonoRequest,
	{database}: Services,
) {
	if (permission === undefined) return undefined;
	const header = request.header('authorization');
	const key = await authenticate(database, {header, query: request.query('api_key')});
	authorize(key, permission);
	return key;
}

async function partsOf(form: Form, request: HonoRequest): Promise<Parts> {
	const {params, query, body} = form.endpoint;
	return {
		...(params && {params: decode(params, request.param())}),
		...(query && {query: decode(query, request.query())}),
		...(body && {body: decode(body, await bodyOf(form, request))}),
	};
}

async function bodyOf({bodyIn}: Form, request: HonoRequest): Promise<unknown> {
	if (bodyIn === 'q of query') return parseObject(request.query('q') ?? '{}', 'q');
	const body = await readBody(request.raw);
	if (bodyIn === undefined) return body;
	const {q = {}, ...beside} = body;
	if (!isRecord(q)) throw new Refusal('badRequest', 'q must be a JSON object.');
	return {...beside, ...q};
}

function decode(schema: Schema, value: unknown): unknown {
	const decoded = schema.safeParse(value);
	if (decoded.success) return decoded.data;
	const [issue] = decoded.error.issues;
	const place = issue?.path.join('.') ?? '';
	throw new Refusal(
		'badRequest',
		place === '' ? `${issue?.message}` : `${place}: ${issue?.message}`,
	);
}
