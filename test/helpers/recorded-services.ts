/** Services as others have built them, recorded in test/fixtures/services. */
import {readFileSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {createRandom} from '../../source/market/seed/random.ts';
import {openToldService} from './told-service.ts';
import {TEST_NOW} from './market.ts';

const answer = z.object({status: z.number(), body: z.unknown()});
const list = z.union([answer, z.object({pageOf: z.nullable(z.number())})]);
const records = z.array(z.looseObject({}));

const recorded = z.object({
	about: z.string(),
	v0: list,
	v1: list,
	/** Each instance stands for so many, numbered one after the other. */
	repeat: z.optional(z.number()),
	/** Each record stands for so many whose fields have odd values. */
	odd: z.optional(z.number()),
	instances: records,
	offers: records,
	templates: records,
});

export type RecordedName = 'documented' | 'paged' | 'silent' | 'odd';

export const recordedNames = ['documented', 'paged', 'silent', 'odd'] as const;

type Fields = Readonly<Record<string, unknown>>;

const FIRST = 4_711_001;

/** Serves a recorded world, with what was asked of it. */
export async function openRecordedService(name: RecordedName, seed = 7) {
	const file = join(import.meta.dirname, '../fixtures/services', `${name}.json`);
	const world = recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
	const odd = world.odd === undefined ? undefined : oddRecords(seed, world.odd);
	const numbered = Array.from({length: world.repeat ?? 0}, (_, index) => ({
		...world.instances[index % world.instances.length],
		id: FIRST + index,
		label: `job-${index + 1}`,
	}));
	let instances: readonly Fields[] = world.repeat === undefined ? world.instances : numbered;
	if (odd !== undefined) instances = instances.flatMap(odd);
	const offers = odd === undefined ? world.offers : world.offers.flatMap(odd);
	const templates = odd === undefined ? world.templates : world.templates.flatMap(odd);
	const asked: string[] = [];

	function listed(how: z.output<typeof list>, url: URL, response: ServerResponse): void {
		if ('status' in how) return reply(response, how.status, how.body);
		const from = Number(url.searchParams.get('after_token') ?? 0);
		const size = how.pageOf ?? instances.length;
		const page = instances.slice(from, from + size);
		if (url.pathname.startsWith('/api/v0/')) {
			return reply(response, 200, {instances_found: page.length, instances: page});
		}
		const next_token = from + size < instances.length ? String(from + size) : null;
		const counts = {instances_found: page.length, total_instances: instances.length};
		return reply(response, 200, {success: true, ...counts, next_token, instances: page});
	}

	const others = new Map<string, unknown>([
		['/api/v0/bundles/', {offers}],
		['/api/v0/template/', {templates}],
		['/api/v0/ssh/', []],
	]);

	function actOn(id: number, method: string) {
		if (method === 'DELETE') instances = instances.filter(one => one['id'] !== id);
		if (method !== 'GET') return {success: true};
		return {instances: instances.find(one => one['id'] === id) ?? null};
	}

	function serve({method = 'GET', url: path = '/'}: IncomingMessage, response: ServerResponse) {
		const url = new URL(path, 'http://service');
		const id = Number(/^\/api\/v0\/instances\/(\d+)\/$/.exec(url.pathname)?.[1]);
		asked.push(`${method} ${url.pathname}`);
		response.setHeader('date', new Date(TEST_NOW * 1000).toUTCString());
		if (url.pathname === '/api/v1/instances/') return listed(world.v1, url, response);
		if (url.pathname === '/api/v0/instances/') return listed(world.v0, url, response);
		if (!Number.isNaN(id)) return reply(response, 200, actOn(id, method));
		const body = others.get(url.pathname);
		if (body !== undefined) return reply(response, 200, body);
		return reply(response, 404, {success: false, error: 'not_found', msg: 'Nothing is here.'});
	}

	const service = await openToldService((request, response) => {
		request.resume();
		request.on('end', () => serve(request, response));
	});
	return {...service, key: 'k', asked, clock: {now: () => TEST_NOW}};
}

function reply(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body));
}

/** Values that no field should have, and that some service has had. */
const oddValues: readonly unknown[] = [
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
