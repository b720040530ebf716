import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {contract} from '../source/contract/index.ts';
import {isRecord} from '../source/contract/grammar/json.ts';
import {openApi, writeApiPage} from '../source/contract/openapi.ts';
import {holdToDocument} from './helpers/market/documented.ts';
import {openTestMarket} from './helpers/market/market.ts';

test('docs/api.md lists every endpoint as it is', () => {
	const path = join(import.meta.dirname, '..', 'docs', 'api.md');
	const text = writeApiPage(contract);
	if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(path, text);
	expect(readFileSync(path, 'utf8'), 'docs/api.md is stale: npm run docs').toBe(text);
});

test('a market describes itself at /openapi.json to whoever asks', async () => {
	await using market = await openTestMarket();
	const reply = await market.call('/openapi.json', {headers: {authorization: undefined}});
	expect(reply.status).toBe(200);
	expect(reply.headers.get('content-type')).toBe('application/json');
	expect(reply.body).toEqual(openApi(contract));
});

/** The value at a place in a document. */
function at(value: unknown, ...place: readonly string[]): unknown {
	return place.reduce((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
}

function entriesOf(value: unknown): ReadonlyArray<readonly [string, unknown]> {
	return isRecord(value) ? Object.entries(value) : [];
}

const operations = entriesOf(at(openApi(contract), 'paths')).flatMap(([path, methods]) =>
	entriesOf(methods).map(([method, operation]) => ({path, method, operation})),
);

test('every form of every endpoint is in the document once', () => {
	const forms = Object.values(contract).flatMap(endpoints =>
		Object.values(endpoints).flatMap((endpoint: {readonly aliases?: readonly unknown[]}) => [
			endpoint,
			...(endpoint.aliases ?? []),
		]),
	);
	expect(operations).toHaveLength(forms.length);
	const names = operations.map(({operation}) => at(operation, 'operationId'));
	expect(new Set(names).size).toBe(names.length);
});

test.each(operations)('$method $path has what OpenAPI asks for', ({path, method, operation}) => {
	expect(['get', 'post', 'put', 'delete']).toContain(method);
	const parameters: unknown = at(operation, 'parameters');
	const named: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
	const inPath = named.filter(parameter => at(parameter, 'in') === 'path');
	const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
	expect(inPath.map(parameter => at(parameter, 'name'))).toEqual(wanted);
	for (const parameter of inPath) expect(at(parameter, 'required')).toBe(true);
	const responses = entriesOf(at(operation, 'responses'));
	expect(responses.map(([status]) => status)).toContain('200');
	for (const [, response] of responses) {
		expect(at(response, 'description')).toEqual(expect.any(String));
		expect(at(response, 'content', 'application/json', 'schema')).toBeTypeOf('object');
	}
	if (method === 'get') expect(at(operation, 'requestBody')).toBeUndefined();
});

test('every reference in the document leads somewhere', () => {
	const document = openApi(contract);
	const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
	const places = new Set([...references].map(([, place = '']) => place));
	expect(places.size).toBeGreaterThan(0);
	for (const place of places) expect(at(document, ...place.split('/'))).toBeDefined();
});

test.each([
	['{"offers":[]}', undefined],
	['{"offers":5}', /POST \/api\/v0\/bundles\/ answers 200: .*offers must be array/],
	['{"offers":[{"id":"x"}]}', /offers\/0\/id must be integer/],
	['{"offers":[{"id":1,"dph_total":"1"}]}', /dph_total must be number/],
])('an answer of %s is held to the document', async (answer, problem) => {
	const server = createServer((_, response) => response.end(answer));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	const url = `http://127.0.0.1:${port}`;
	const settle = holdToDocument(url);
	await fetch(`${url}/api/v0/bundles/`, {method: 'POST', headers: {connection: 'close'}});
	server.close();
	await once(server, 'close');
	if (problem === undefined) settle();
	else expect(settle).toThrow(problem);
});
