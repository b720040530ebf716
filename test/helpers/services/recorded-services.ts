/** Services as others have built them, recorded in test/fixtures/services. */
import {readFileSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import * as z from 'zod/mini';
import {createRandom} from '../../../source/market/seed/parts.ts';
import {recordedAccount} from './recorded-account.ts';
import {createLag, type Sent} from '../fleet/lagging-instances.ts';
import {openToldService} from './told-service.ts';
import {TEST_NOW} from '../market/market.ts';

const answer = z.object({status: z.number(), body: z.unknown()});
const list = z.union([answer, z.object({pageOf: z.nullable(z.number())})]);
const rows = z.array(z.looseObject({}));

const recorded = z.object({
	about: z.string(),
	v0: list,
	v1: list,
	/** Each instance stands for so many, numbered one after the other. */
	repeat: z.optional(z.number()),
	/** Each record stands for so many whose fields have odd values. */
	odd: z.optional(z.number()),
	/** For so long the state of a container stays as it was after a start. */
	lagSeconds: z.optional(z.number()),
	/** From some answer on its clock is ahead. */
	jump: z.optional(z.object({afterAnswers: z.number(), seconds: z.number()})),
	/** Every label that is written is cut by somebody else. */
	editsLabels: z.optional(z.boolean()),
	/** Each record stands for so many of each of its fields, in which that field has an odd value. */
	oneOdd: z.optional(z.number()),
	/** Fields of the list in place of those that it has. */
	beside: z.optional(z.looseObject({})),
	instances: rows,
	offers: rows,
	templates: rows,
});

export const recordedNames = [
	'documented',
	'paged',
	'silent',
	'odd',
	'one-odd-field',
	'accepts-and-lags',
	'clock-jumps',
	'labels-edited',
] as const;

export type RecordedName = (typeof recordedNames)[number];

type Fields = Readonly<Record<string, unknown>>;

const FIRST = 4_711_001;

/** The first instance that is rented. */
const MADE = 5_000_001;

const ordered = z.object({
	env: z.optional(z.record(z.string(), z.string())),
	label: z.nullish(z.string()),
});

const many = z.object({instance_ids: z.array(z.number())});

const askPath = /^\/api\/v0\/asks\/\d+\/$/;

const actPath = /^\/api\/v0\/instances\/(?:(reboot|recycle)\/)?(\d+)\/$/;

/** The instances of a world, and what is done to them. */
function createRentals(all: readonly Fields[], lag: ReturnType<typeof createLag>) {
	let instances = all;
	return {
		shown: () => instances.map(one => lag.shown(one)),
		/** Makes an instance as the first one is, of an order. */
		rent(order: string, now: number) {
			const {env = {}, label = null} = ordered.parse(JSON.parse(order));
			const made = {extra_env: Object.entries(env), label, start_date: now};
			const id = MADE + instances.length;
			instances = [...instances, {...instances[0], ...made, id}];
			return {success: true, new_contract: id};
		},
		destroy(ids: readonly number[]) {
			instances = instances.filter(one => !ids.includes(Number(one['id'])));
			return {success: true};
		},
		actOn(id: number, method: string, sent: Sent) {
			if (method === 'DELETE') return this.destroy([id]);
			if (method === 'PUT')
				instances = instances.map(one => (one['id'] === id ? lag.act(one, sent) : one));
			if (method !== 'GET') return {success: true};
			return {instances: this.shown().find(one => one['id'] === id) ?? null};
		},
	};
}

/** Serves a recorded world, with what was asked of it. */
export async function openRecordedService(name: RecordedName, seed = 7) {
	const file = join(import.meta.dirname, '../../fixtures/services', `${name}.json`);
	const world = recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
	const {offers, templates, instances} = recordsOf(world, seed);
	const asked: string[] = [];
	let passed = 0;
	const {jump, lagSeconds = 0, editsLabels = false} = world;
	const now = () => {
		const hasJumped = jump !== undefined && asked.length > jump.afterAnswers;
		return TEST_NOW + passed + (hasJumped ? jump.seconds : 0);
	};
	const rentals = createRentals(instances, createLag({seconds: lagSeconds, editsLabels, now}));

	function listed(how: z.output<typeof list>, url: URL, response: ServerResponse): void {
		if ('status' in how) return reply(response, how.status, how.body);
		const shown = rentals.shown();
		const page = pageOf(shown, how.pageOf ?? shown.length, url);
		return reply(response, 200, {...page, ...world.beside});
	}

	const others = new Map<string, (question: string) => unknown>([
		['/api/v0/bundles/', question => ({offers: askedFor(offers, ['id'], question)})],
		[
			'/api/v0/template/',
			question => ({templates: askedFor(templates, ['hash_id', 'id'], question)}),
		],
	]);

	const accountAnswer = recordedAccount(oddRecordsOf(world, seed) ?? (record => [record]));

	/** The answer to what is neither a list of instances nor about one of them. */
	function answerOf(method: string, {pathname, search}: URL, body: string): unknown {
		if (method === 'DELETE' && pathname === '/api/v0/instances/')
			return rentals.destroy(many.parse(JSON.parse(body)).instance_ids);
		if (method === 'PUT' && askPath.test(pathname)) return rentals.rent(body, now());
		return (
			accountAnswer(method, pathname, body) ??
			others.get(pathname)?.(decodeURIComponent(search) + body)
		);
	}

	function serve(
		{method = 'GET', url: path = '/'}: IncomingMessage,
		response: ServerResponse,
		body: string,
	) {
		const url = new URL(path, 'http://service');
		const [, act, number] = actPath.exec(url.pathname) ?? [];
		const id = Number(number);
		asked.push(`${method} ${url.pathname}`);
		response.setHeader('date', new Date(now() * 1000).toUTCString());
		const answered = answerOf(method, url, body);
		if (answered !== undefined) return reply(response, 200, answered);
		if (url.pathname === '/api/v1/instances/') return listed(world.v1, url, response);
		if (url.pathname === '/api/v0/instances/') return listed(world.v0, url, response);
		if (!Number.isNaN(id)) return reply(response, 200, rentals.actOn(id, method, {act, body}));
		return reply(response, 404, {success: false, error: 'not_found', msg: 'Nothing is here.'});
	}

	const service = await openToldService((request, response) => {
		void text(request).then(body => serve(request, response, body));
	});
	const pass = (seconds: number) => void (passed += seconds);
	const templateHash = String(world.templates[0]?.['hash_id']);
	return {...service, key: 'k', templateHash, asked, clock: {now}, pass};
}

/** Those that a question names; all where it names none. */
function askedFor(
	all: readonly Fields[],
	fields: readonly string[],
	question: string,
): readonly Fields[] {
	const named = all.filter(one =>
		fields.some(field => question.includes(`"${field}":{"eq":${JSON.stringify(one[field])}}`)),
	);
	return named.length === 0 ? all : named;
}

/** The part of a list that a query asks for; all of it has no pages. */
function pageOf(all: readonly Fields[], size: number, {pathname, searchParams}: URL) {
	const from = Number(searchParams.get('after_token') ?? 0);
	const instances = all.slice(from, from + size);
	const counted = {instances_found: instances.length, instances};
	if (pathname.startsWith('/api/v0/')) return counted;
	const next_token = from + size < all.length ? String(from + size) : null;
	return {success: true, ...counted, total_instances: all.length, next_token};
}

/** The records of a world: repeated, or made odd, where it says so. */
function recordsOf(world: z.output<typeof recorded>, seed: number) {
	const odd = oddRecordsOf(world, seed);
	const {offers, templates} = world;
	if (odd === undefined) return {instances: repeated(world), offers, templates};
	return {
		instances: world.instances.flatMap(odd),
		offers: offers.flatMap(odd),
		templates: templates.flatMap(odd),
	};
}

function reply(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));
}

/** Values that no field should have, and that some service has had. */
export const oddValues: readonly unknown[] = [
	null,
	'',
	' ',
	'-1',
	'1e13',
	'a\nb',
	'x'.repeat(300),
	[],
	{},
	[null],
	true,
	false,
	0,
	-0,
	-1,
	-1e9,
	0.1,
	1e13,
	1e300,
	-1e300,
	2 ** 53,
	4.9e-324,
	253_402_300_800,
];

function repeated({instances, repeat}: z.output<typeof recorded>): readonly Fields[] {
	if (repeat === undefined) return instances;
	return Array.from({length: repeat}, (_, index) => ({
		...instances[index % instances.length],
		id: FIRST + index,
		label: `job-${index + 1}`,
	}));
}

function oddRecordsOf({odd, oneOdd}: z.output<typeof recorded>, seed: number) {
	if (oneOdd !== undefined) return recordsWithOneOdd(oneOdd);
	return odd === undefined ? undefined : oddRecords(seed, odd);
}

/** Makes records of one, in each of which one field has an odd value. */
function recordsWithOneOdd(perField: number) {
	return (record: Fields): readonly Fields[] => {
		const fields = Object.keys(record).filter(name => name !== 'id');
		return fields.flatMap((name, place) =>
			Array.from({length: perField}, (_, index) => {
				const at = place * perField + index;
				return {...record, id: FIRST + at, [name]: oddValues[at % oddValues.length]};
			}),
		);
	};
}

/** Makes records of one by giving each field an odd value, or leaving it as it is. */
function oddRecords(seed: number, count: number) {
	const random = createRandom(seed);
	return (record: Fields): readonly Fields[] =>
		Array.from({length: count}, (_, index) => {
			const fields = Object.entries(record).map(([name, value]) => {
				const pick = Math.floor(random.between(0, oddValues.length * 1.5));
				return [name, pick < oddValues.length ? oddValues[pick] : value] as const;
			});
			// Some have no number that can be read.
			const id = index % 10 === 9 ? 'seven' : FIRST + index;
			return {...Object.fromEntries(fields), id};
		});
}
