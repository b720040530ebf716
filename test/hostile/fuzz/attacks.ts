/** Hostile requests, each made from one that is as it should be. The same number makes the same request. */
import type {Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {contract} from '../../../source/contract/index.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {createRandom, type SeedRandom} from '../../../source/market/seed/parts.ts';
import {validRequests, type ValidRequest} from './valid-requests.ts';

export type Attack = {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
};

type Target = {readonly endpoint: Endpoint; readonly valid: ValidRequest};

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
const requests: Readonly<Record<string, Readonly<Record<string, ValidRequest>>>> = validRequests;

const targets: readonly Target[] = Object.entries(byNoun).flatMap(([noun, endpoints]) =>
	Object.entries(endpoints).map(([name, endpoint]) => ({
		endpoint,
		valid: requests[noun]?.[name] ?? {},
	})),
);

const oddNumbers = [
	0,
	-0,
	-1,
	0.1,
	1e15,
	1e21,
	1e308,
	-1e308,
	5e-324,
	2 ** 53,
	-(2 ** 53),
	2 ** 31,
];

const oddTexts = [
	'',
	' ',
	'NaN',
	'Infinity',
	'-0',
	'1e400',
	'0x10',
	'-1',
	'1.',
	'٣',
	'\0',
	'\uD800',
	'\u202E',
	'\u001B[2J',
	'\r\nSet-Cookie: a=b',
	'../../etc/passwd',
	"' or 1=1 --",
	'"; drop table accounts; --',
	'%00',
	'__proto__',
	'{"a":1}',
	'[]',
	'null',
	'ssh-rsa AAAA',
	'RTX 4090',
	'US',
];

const longTexts = [
	'1'.repeat(300),
	'9'.repeat(60_000),
	'a'.repeat(60_000),
	'🧨'.repeat(5000),
	' '.repeat(30_000),
	'-e '.repeat(9000),
	'"'.repeat(30_000),
	'\\'.repeat(30_000),
	','.repeat(30_000),
	'[{"a":'.repeat(40),
];

/** Values that nobody means. */
const hostileValues: readonly unknown[] = [
	...oddNumbers,
	...oddTexts,
	...longTexts,
	null,
	true,
	false,
	[],
	{},
	[[]],
	[null],
	{eq: null},
	{in: []},
	{eq: {}},
	{constructor: {prototype: {isAdmin: true}}, toString: 1, hasOwnProperty: 1},
	Array.from({length: 900}, (_, at) => at),
	Array.from({length: 900}, (_, at) => `x${at}`),
	Object.fromEntries(Array.from({length: 900}, (_, at) => [`k${at}`, at])),
];

const hostileIds = [
	'0',
	'1',
	'2',
	'3',
	'7',
	'-1',
	'1.5',
	'999999999999999',
	'1e9',
	'x',
	'%00',
	'..',
	'%2e%2e',
	'%F0%9F%92%A9',
	'\u202E',
	'1'.repeat(4000),
];

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'];

/** Makes the attack of a number. */
export function attackOf(seed: number, number: number, key: string): Attack {
	const random = createRandom(seed * 1_000_003 + number);
	const {endpoint, valid} = random.pick(targets);
	const {query = {}, body} = valid;
	const asked = random.chance(0.5) ? query : mutated(query, random);
	return {
		method: random.chance(0.96) ? endpoint.method : random.pick(methods),
		path: pathOf(endpoint.path, random) + queryOf(isRecord(asked) ? asked : {}, random),
		headers: headersOf(random, key),
		body: endpoint.method === 'GET' ? undefined : bodyOf(body ?? {}, random),
	};
}

function pathOf(path: string, random: SeedRandom): string {
	const filled = path.replaceAll(/\{\w+\}/g, () => encodeAscii(random.pick(hostileIds)));
	return random.chance(0.97)
		? filled
		: random.pick([
				`/${filled}`,
				`${filled}/x`,
				filled.slice(0, -1),
				'/results/x',
				'/openapi.json',
				`${filled}%`,
			]);
}

function encodeAscii(text: string): string {
	return text.replaceAll(/[^!-~]/gu, encodeURIComponent);
}

function queryOf(query: Readonly<Record<string, unknown>>, random: SeedRandom): string {
	const pairs = Object.entries(query).map(([name, value]) => {
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(text.slice(0, 1500).toWellFormed())}`;
	});
	if (random.chance(0.03))
		pairs.push(random.pick(['api_key=x', 'q={"a":', 'q=[]', '%', '&&&===', '__proto__=1']));
	return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function headersOf(random: SeedRandom, key: string): Readonly<Record<string, string>> {
	const usual = {authorization: `Bearer ${key}`, 'content-type': 'application/json'};
	if (random.chance(0.94)) return usual;
	return random.pick<Readonly<Record<string, string>>>([
		{},
		{...usual, authorization: 'Bearer x'},
		{...usual, authorization: `Bearer ${'x'.repeat(8000)}`},
		{...usual, authorization: `bearer ${' '.repeat(4000)}${key}`},
		{...usual, 'content-type': 'text/plain'},
		{...usual, 'content-type': `application/json;${' ;'.repeat(3000)}`},
		{...usual, 'x-forwarded-for': '1,'.repeat(4000)},
		{...usual, cookie: 'a=b;'.repeat(2000), 'accept-encoding': 'x'.repeat(500)},
		{...usual, ...Object.fromEntries(Array.from({length: 150}, (_, at) => [`x-${at}`, 'y']))},
	]);
}

function bodyOf(valid: unknown, random: SeedRandom): string {
	let value: unknown = structuredClone(valid);
	for (let times = random.whole(0, 3); times > 0; times--) value = mutated(value, random);
	const text = JSON.stringify(value) ?? '';
	return random.chance(0.9) ? text : brokenText(text, random);
}

/** A value in which something is replaced, taken out, added or wrapped, at any depth. */
function mutated(value: unknown, random: SeedRandom): unknown {
	if (random.chance(0.25)) return random.pick(hostileValues);
	if (Array.isArray(value)) {
		const items: readonly unknown[] = value;
		const at = random.whole(0, Math.max(0, items.length - 1));
		return random.chance(0.2)
			? [...items, ...items]
			: items.map((item, index) => (index === at ? mutated(item, random) : item));
	}
	if (!isRecord(value)) return random.chance(0.3) ? [value] : random.pick(hostileValues);
	const names = Object.keys(value);
	const name =
		names.length === 0 || random.chance(0.1)
			? random.pick(['__proto__', 'id', 'x', 'type', 'env', ''])
			: random.pick(names);
	if (random.chance(0.1))
		return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
	return Object.fromEntries([...Object.entries(value), [name, mutated(value[name], random)]]);
}

/** What is no JSON, or not the JSON that it looks like. */
function brokenText(text: string, random: SeedRandom): string {
	const at = random.whole(0, text.length);
	const sign = random.pick([
		'"',
		'\\',
		'{',
		'[',
		':',
		',',
		'\0',
		'e',
		'\u{1F600}',
		'\uD800',
		' '.repeat(1000),
	]);
	return random.pick([
		text.slice(0, at),
		text.slice(0, at) + sign + text.slice(at),
		`{"__proto__":{"a":1},${text.slice(1)}`,
		text.replace('{', `{${'"a":1,'.repeat(random.whole(1, 1500))}`),
		'['.repeat(random.whole(1, 60_000)),
		`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`,
		text + text,
		'\uFEFF' + text,
		`"${'\\u0000'.repeat(5000)}"`,
	]);
}
