import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import type {Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {contract} from '../../../source/contract/index.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {openApi} from '../../../source/contract/openapi.ts';
import {openToldService, openTestClient, saying} from '../../helpers/services/told-service.ts';
import {isIdName, findMismatchedRecord} from '../../../source/client/exchange/replies.ts';

const byNoun: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;

const endpoints = Object.entries(byNoun).flatMap(([noun, calls]) =>
	Object.entries(calls).map(([name, endpoint]) => ({name: `${noun}.${name}`, endpoint})),
);

/** Replies to a question by id whose ids are those of other records, and which. */
const ofOthers: Readonly<Record<string, string>> = {
	'account.create': 'the account that was made, and its key',
	'billing.userInvoices': 'instances of an account',
	'hosts.publish': 'the machine, which was named by its name, and its asks',
	'instances.launch': 'the offer that was found',
	'machines.test': 'the test that was begun',
	'operator.keys': 'keys of an account',
	'operator.addKey': 'the key that was made',
	'scheduledJobs.create': 'the job that was made for an instance',
	'teams.join': 'the team of an invitation, and the key for it',
	'teams.showRole': 'the role, which may be named by its name',
	'templates.edit': 'the template under the hash that it has after the change',
	'volumes.create': 'the volume that was made of an offer',
	'volumes.copy': 'the volume that was made of another',
};

const named = (name: string) => isIdName(name) || /(?:^|_)ids$|^mach(?:id|ine)$/.test(name);

type Json = Readonly<Record<string, unknown>>;

/** Names of ids anywhere in a schema. */
function idsIn(schema: unknown, document: Json, depth = 0): readonly string[] {
	if (Array.isArray(schema)) return schema.flatMap(one => idsIn(one, document, depth));
	if (!isRecord(schema) || depth > 9) return [];
	const {properties, $ref: ref} = schema;
	const fields = isRecord(properties) ? Object.entries(properties) : [];
	const inner = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].map(
		key => schema[key],
	);
	return [
		...fields.flatMap(([name, of]) => [
			...(named(name) ? [name] : []),
			...idsIn(of, document, depth + 1),
		]),
		...inner.flatMap(one => idsIn(one, document, depth + 1)),
		...(typeof ref === 'string'
			? idsIn(at(document, ref.split('/').slice(1)), document, depth + 1)
			: []),
	];
}

function at(value: unknown, place: readonly string[]): unknown {
	return place.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
}

function partsOf(endpoint: Endpoint) {
	const document = openApi({noun: {name: endpoint}});
	const operation = at(document, ['paths', endpoint.path, endpoint.method.toLowerCase()]);
	const json = ['content', 'application/json', 'schema'];
	const parameters = at(operation, ['parameters']);
	const inPath = Array.isArray(parameters)
		? parameters.flatMap(one => (isRecord(one) ? [String(one['name'])] : []))
		: [];
	return {
		inPath: inPath.filter(name => named(name) || endpoint.path.includes(`{${name}}`)),
		inBody: idsIn(at(operation, ['requestBody', ...json]), document),
		inReply: idsIn(at(operation, ['responses', '200', ...json]), document),
	};
}

/** True if a part of the request is a search, which may ask for records by their ids. */
function searches({body, query}: Endpoint): boolean {
	const said = {id: {eq: 7}, select_filters: '{"id":{"eq":7}}', limit: '5'};
	return [body, query].some(schema => {
		const read = schema && z.safeParse(schema, said);
		return read?.success === true && isRecord(read.data) && Array.isArray(read.data['filter']);
	});
}

test('every endpoint that is asked by an id, and answers with ids, says which must be the same', () => {
	for (const {name, endpoint} of endpoints) {
		const {inPath, inBody, inReply} = partsOf(endpoint);
		const isById = inPath.length + inBody.length > 0 || searches(endpoint);
		const isOpen = isById && inReply.length > 0 && endpoint.same === undefined;
		const asked = [...inPath, ...inBody].join(' ');
		const why =
			ofOthers[name] ?? (isOpen ? `${asked} is asked, ${inReply.join(' ')} answered` : '');
		expect([name, isOpen, why]).toEqual([name, name in ofOthers, ofOthers[name] ?? '']);
		const pairs = Object.entries(endpoint.same ?? {});
		const fields = pairs.map(([question, place]) =>
			question.endsWith('.filter') ? 'id' : (place.split('.').at(-1) ?? ''),
		);
		expect(inReply).toEqual(expect.arrayContaining(fields));
	}
});

/** An object with a value at a place. */
function under(place: string, value: unknown): Json {
	const [last = '', ...above] = place.split('.').toReversed();
	return above.reduce<Json>((inner, key) => ({[key]: inner}), {[last]: value});
}

test.each(endpoints.filter(({endpoint}) => endpoint.same !== undefined))(
	'$name is refused where its answer names another record',
	({endpoint}) => {
		for (const [asked, answered] of Object.entries(endpoint.same ?? {})) {
			const isFilter = asked.endsWith('.filter');
			const value = isFilter ? [{field: 'id', operator: 'in', value: [7, 8]}] : 7;
			const place = isFilter ? `${answered}.id` : answered;
			const request = under(asked, value);
			const [list = '', ...rest] = place.split('.');
			const replies = (id: unknown) => [
				under(place, id),
				...(rest.length === 0
					? []
					: [{[list]: [under(rest.join('.'), 7), under(rest.join('.'), id)]}]),
			];
			for (const same of [7, undefined, null]) {
				for (const reply of replies(same))
					expect(findMismatchedRecord(endpoint, request, reply)).toBe(undefined);
			}
			for (const reply of replies(3)) {
				expect(findMismatchedRecord(endpoint, request, reply)).toMatchObject({answered: '3'});
			}
		}
	},
);

test.each([
	{field: 'id', operator: 'neq', value: 7},
	{field: 'id', operator: 'gt', value: 7},
	{field: 'num_gpus', operator: 'eq', value: 7},
	{field: 'id', operator: 'eq', value: null},
])('a filter by %j asks for no record by its id', condition => {
	const body = {filter: [condition]};
	expect(findMismatchedRecord(contract.offers.search, {body}, {offers: [{id: 3}]})).toBe(undefined);
});

test.each([
	['', 'a record with an empty id, and 7 was asked for'],
	['true', '"true", and 7 was asked for'],
	[' 8\u001B ', '"8", and 7 was asked for'],
	['3', '3, and 7 was asked for'],
])('an answer about id %j is refused in words that can be read', async (id, words) => {
	await using service = await openToldService(
		saying({templates: [{id: 1, hash_id: id, name: 'x'}]}),
	);
	await using client = openTestClient({url: service.url, key: 'k', paceScale: 0, repeats: 0});
	const filter = [{field: 'hash_id', operator: 'eq', value: '7'}] as const;
	const asked = client.templates.search({filter});
	await expect(asked).rejects.toThrow(words);
});
