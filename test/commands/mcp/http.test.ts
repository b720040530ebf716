import {readFileSync, statSync} from 'node:fs';
import {request} from 'node:http';
import {join} from 'node:path';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {serveAgentsOverHttp} from '../../../source/commands/mcp/http.ts';
import {openAgents, revisions} from '../../helpers/commands/agents.ts';

const wide = {limits: {dollars_a_day: 1000, instances: 3, lease_hours: 12}};

/** The server on a free port, with the token that it made. */
async function openHttp(agents: Awaited<ReturnType<typeof openAgents>>) {
	const ending = new AbortController();
	const {promise: said, resolve} = Promise.withResolvers<string>();
	const {context, close} = await agents.context(ending.signal, resolve);
	const served = serveAgentsOverHttp(context, 0);
	const [, url = ''] = /(http:\S+),/.exec(await said) ?? [];
	const file = join(agents.folders.state, 'agents-token');
	return {
		url,
		file,
		token: readFileSync(file, 'utf8').trim(),
		async [Symbol.asyncDispose]() {
			ending.abort();
			await served;
			await close();
		},
	};
}

test.each(Object.entries(revisions))(
	'an agent of %s finds, rents and ends over HTTP with the token',
	async (_, options) => {
		await using agents = await openAgents(wide);
		await using http = await openHttp(agents);
		const agent = new Client({name: 'trial', version: '1'}, options);
		const headers = {authorization: `Bearer ${http.token}`};
		await agent.connect(
			new StreamableHTTPClientTransport(new URL(http.url), {requestInit: {headers}}),
		);
		const answer = z.looseObject({structuredContent: z.record(z.string(), z.unknown())});
		const call = async (name: string, given: Record<string, unknown>) =>
			answer.parse(await agent.callTool({name, arguments: given})).structuredContent;
		const order = {offer: agents.offer.id, hours: 2, image: 'a/b', disk_gb: 10};
		const quote = (await call('quote', order))['quote'];
		const id = (await call('rent', {quote, key: 'one'}))['id'];
		expect(await agents.present()).toMatchObject([{id}]);
		expect(await call('end', {id, how: 'destroy'})).toMatchObject({outcome: 'gone'});
		await agent.close();
	},
);

test('nothing is served without the token, to another host, or to a page in a browser', async () => {
	await using agents = await openAgents(wide);
	await using http = await openHttp(agents);
	expect(statSync(http.file).mode & 0o777).toBe(0o600);
	const right = {authorization: `Bearer ${http.token}`};
	const ask = async (headers: Record<string, string>, url = http.url) => {
		const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/list'});
		const type = {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		};
		const answer = await fetch(url, {method: 'POST', headers: {...type, ...headers}, body});
		return answer.status;
	};
	for (const [what, status, headers, url] of [
		['no token', 401, {}],
		['a wrong token', 401, {authorization: `Bearer ${'0'.repeat(64)}`}],
		['the token as another scheme', 401, {authorization: `Basic ${http.token}`}],
		['a page of the web', 403, {...right, origin: 'https://example.com'}],
		['a page without an origin', 403, {...right, origin: 'null'}],
		['another path', 404, right, new URL('/', http.url).href],
	] as const) {
		expect([what, await ask(headers, url)]).toEqual([what, status]);
	}
	// A name of a stranger's that leads to this machine.
	const status = await new Promise<number | undefined>(resolve => {
		const headers = {...right, host: 'gpu.example.com'};
		request(http.url, {headers}, answer => resolve(answer.resume().statusCode)).end();
	});
	expect(status).toBe(403);
	expect(await ask({...right, origin: 'http://localhost:3000'})).toBe(200);
});

test('an answer to a question that was not asked counts as none', async () => {
	await using agents = await openAgents({...wide, approve: 'always'});
	await using http = await openHttp(agents);
	const {quote} = await agents.connect('trial');
	const bound = await quote();
	const told = {action: 'accept', content: {approve: true}};
	const meta = {
		'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientInfo': {name: 'trial', version: '1'},
		'io.modelcontextprotocol/clientCapabilities': {elicitation: {}},
	};
	for (const state of [{}, {requestState: 'made up'}]) {
		const params = {
			name: 'rent',
			arguments: {quote: bound, key: 'k'},
			inputResponses: {approve: told},
			...state,
			_meta: meta,
		};
		// oxlint-disable-next-line no-await-in-loop -- one after the other
		const answer = await fetch(http.url, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${http.token}`,
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				'mcp-protocol-version': '2026-07-28',
				'mcp-method': 'tools/call',
				'mcp-name': 'rent',
			},
			body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params}),
		});
		// oxlint-disable-next-line no-await-in-loop -- as above
		expect(await answer.text()).toContain('input_required');
	}
	expect(await agents.present()).toEqual([]);
});
