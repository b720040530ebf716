/** Proxies in front of a market that say what is not so, and what reached them. */
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {MARK_VARIABLE} from '../../../source/contract/rules/env.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {openFaultProxy} from './fault-proxy.ts';
import {openFleetMarket} from '../fleet/fleet.ts';
import {type Exchange, type Fault, type SeenRequest, answered, rewritten} from './faults.ts';
import {rentDirectly} from '../market/instances.ts';
import {openRecordedService, recordedNames} from './recorded-services.ts';

/** Adds to an id wherever a record has one under a name. */
export function withOther(name: string, by: number) {
	return (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(withOther(name, by));
		if (!isRecord(value)) return value;
		const id = value[name];
		return {...value, ...(typeof id === 'number' && {[name]: id + by})};
	};
}

const inField = (field: string, change: (value: unknown) => unknown) => (body: unknown) =>
	isRecord(body) && field in body ? {...body, [field]: change(body[field])} : body;

/** Lies about the search for a record by its id; others find what they find. */
function ofSearchById(lie: Fault): Fault {
	return async (exchange: Exchange) => {
		const isById = /"id"|%22id%22/.test(exchange.request.body + exchange.request.path);
		await (isById ? lie : rewritten(body => body))(exchange);
	};
}

const other = (name: string) => withOther(name, 1);

/** Every answer to a question about one record is that of the record with the next id. */
const answersWithAnotherId: ReadonlyArray<readonly [path: RegExp, lie: Fault]> = [
	[/^\/api\/v0\/instances\/\d+\/$/, rewritten(inField('instances', other('id')))],
	[/^\/api\/v0\/bundles\/$/, ofSearchById(rewritten(inField('offers', other('id'))))],
	[/^\/api\/v0\/commands\/schedule_job\/\d+\/$/, rewritten(other('id'))],
	[/^\/api\/v0\/(?:accept|reject)-price-increase/, rewritten(other('pending_price_increase_id'))],
	[/^\/api\/v0\/template\/$/, rewritten(inField('template', other('id')))],
	[/^\/api\/v0\/commands\/reset_apikey\/$/, rewritten(other('id'))],
	[/^\/api\/v0\/template\/\?/, ofSearchById(rewritten(inField('templates', other('id'))))],
];

/** A proxy that answers each question by an id with another one. */
export async function openOtherIds(target: string) {
	const proxy = await openFaultProxy(target);
	for (const [path, lie] of answersWithAnotherId) proxy.next({path}, lie, Infinity);
	return proxy;
}

/** An order is answered with the number of another instance; where it `acts`, one is made all the same. */
export function answeringWith(id: number, acts = true): Fault {
	if (!acts) return answered({status: 200, body: {success: true, new_contract: id}});
	return rewritten(body => (isRecord(body) ? {...body, new_contract: id} : body));
}

/** An instance is made before the order that asks for it is carried out, or answered in another way. */
export function doubling(database: Database, then: Fault = rewritten(body => body)): Fault {
	return async exchange => {
		const order: unknown = JSON.parse(exchange.request.body);
		const env = isRecord(order) && isRecord(order['env']) ? order['env'] : {};
		const settings = {env: [[MARK_VARIABLE, String(env[MARK_VARIABLE])]] as const};
		await rentDirectly(database, {settings});
		await then(exchange);
	};
}

const reading =
	/^\/api\/v0\/(?:bundles|instances\/request_logs|contracts\/fetch|volumes\/search)\//;

/** What was to be changed, as it reached a service. */
export function writesOf(requests: readonly SeenRequest[]): readonly SeenRequest[] {
	return requests.filter(({method, path}) => method !== 'GET' && !reading.test(path));
}

/** Ids that a request names, in its path and in its body. */
export function idsOf({path, body}: SeenRequest): readonly number[] {
	const inPath = [...path.matchAll(/\/(\d+)(?=\/|$)/g)].map(([, id]) => Number(id));
	return [...inPath, ...idsIn(body === '' ? undefined : JSON.parse(body))];
}

function idsIn(value: unknown): readonly number[] {
	if (Array.isArray(value)) return value.flatMap(idsIn);
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		if (!/(?:^|_)ids?$/i.test(name)) return idsIn(inner);
		return (Array.isArray(inner) ? inner : [inner]).filter(id => typeof id === 'number');
	});
}

export const lyingNames = [...recordedNames, 'answers-with-another-id', 'doubles'] as const;

/** A service that says what is not so, with all that reaches it. */
export async function openLying(name: (typeof lyingNames)[number]) {
	if (name !== 'answers-with-another-id' && name !== 'doubles') {
		const {url, key, templateHash, ...service} = await openRecordedService(name);
		const {requests, ...proxy} = await openFaultProxy(url);
		return {key, templateHash, url: proxy.url, requests, ...closing(proxy, service)};
	}
	const market = await openFleetMarket();
	const {database, key, clock, seen} = market;
	const {requests, ...proxy} =
		name === 'doubles' ? await openFaultProxy(market.url) : await openOtherIds(market.url);
	if (name === 'doubles') proxy.next({method: 'PUT', path: '/api/v0/asks/'}, doubling(database), 9);
	const [template] = await database.selectFrom('templates').select('hash_id').execute();
	const templateHash = template?.hash_id ?? '';
	return {key, clock, seen, templateHash, url: proxy.url, requests, ...closing(proxy, market)};
}

function closing(...all: readonly AsyncDisposable[]): AsyncDisposable {
	return {
		async [Symbol.asyncDispose]() {
			for (const one of all) await one[Symbol.asyncDispose]();
		},
	};
}
