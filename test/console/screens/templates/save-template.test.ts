import {expect, test} from 'vitest';
import {openClient, type Client} from '../../../../source/client/client.ts';
import {createTemplate, saveTemplate} from '../../../../source/console/screens/templates/draft.ts';
import {completeTemplate} from '../../../../source/contract/nouns/template-content.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {openTestClient} from '../../../helpers/services/told-service.ts';

async function openMarket() {
	const market = await openTestMarket({offers: 0});
	const client = openClient(market);
	return {
		client,
		source: async () => client,
		async [Symbol.asyncDispose]() {
			await client.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

async function make(client: Client, name = 'mine') {
	const {id} = await client.templates.create({name, image: 'a/b'});
	const filter = [{field: 'id', operator: 'eq', value: id ?? null}] as const;
	const [template] = (await client.templates.search({filter})).templates;
	if (template === undefined) throw new Error('the template was not made');
	return template;
}

test('a change gives the template a new hash, and keeps its number', async () => {
	await using market = await openMarket();
	const opened = await make(market.client);
	const saving = await saveTemplate(market.source, opened, {tag: '2'});
	expect(saving).toMatchObject({kind: 'saved', id: opened.id});
	expect(saving).not.toMatchObject({hash: opened.hash_id});
});

test('what was changed elsewhere is shown, and nothing is sent: some services still know old hashes', async () => {
	await using market = await openMarket();
	const opened = await make(market.client);
	await market.client.templates.edit(opened.hash_id, {tag: 'theirs'});
	const {templates} = market.client;
	let sent = 0;
	const counting: Client = {
		...market.client,
		templates: {
			...templates,
			async edit(...edited) {
				sent++;
				return templates.edit(...edited);
			},
		},
	};
	const saving = await saveTemplate(async () => counting, opened, {tag: 'mine'});
	expect(saving).toMatchObject({kind: 'changed', present: {tag: 'theirs'}});
	expect(sent).toBe(0);
});

test('what is changed between looking and sending is not overwritten either', async () => {
	await using market = await openMarket();
	const opened = await make(market.client);
	let looks = 0;
	const {templates} = market.client;
	// The first look still finds what was opened; the change comes right behind it.
	const racing: Client = {
		...market.client,
		templates: {
			...templates,
			async search(...wanted) {
				const found = await templates.search(...wanted);
				if (looks++ === 0) await templates.edit(opened.hash_id, {tag: 'theirs'});
				return found;
			},
		},
	};
	const saving = await saveTemplate(async () => racing, opened, {tag: 'mine'});
	expect(saving).toMatchObject({kind: 'changed', present: {tag: 'theirs'}});
});

test('an answer about another template names no hash that settings follow', async () => {
	await using market = await openTestMarket({offers: 0});
	await using proxy = await openFaultProxy(market.url);
	await using client = openTestClient({url: proxy.url, key: market.key});
	const opened = await make(client);
	proxy.next({method: 'PUT'}, async ({forward, response}) => {
		const {body} = await forward();
		const text = body.toString().replace(`"id":${opened.id}`, '"id":883');
		response.writeHead(200, {'content-type': 'application/json'}).end(text);
	});
	const saving = await saveTemplate(async () => client, opened, {tag: '2'});
	const message = `The service answered about template 883, and ${opened.id} was edited. Whether it was saved is not known: look before you try again`;
	expect(saving).toEqual({kind: 'refused', message, serverSays: undefined});
});

test('what was deleted elsewhere is said to be gone', async () => {
	await using market = await openMarket();
	const opened = await make(market.client);
	await market.client.templates.delete(opened.hash_id);
	expect(await saveTemplate(market.source, opened, {tag: '2'})).toEqual({kind: 'gone'});
});

test('what the service refuses keeps its own sentence', async () => {
	await using market = await openMarket();
	const content = {...completeTemplate({image: 'a/b'}), name: 'x'};
	const spoiled = {...content, onstart: 'x'.repeat(5000)};
	const saving = await createTemplate(market.source, spoiled);
	expect(saving).toMatchObject({kind: 'refused'});
	expect('serverSays' in saving ? saving.serverSays : '').toContain('onstart');
});
