import {expect, test} from 'vitest';
import {ApiError, ReplyError} from '../../../source/client/exchange/errors.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {openTestClient, openToldService, saying} from '../../helpers/services/told-service.ts';

test('a template of a real market is made, found, changed and deleted', async () => {
	await using market = await openTestMarket({offers: 1});
	await using client = openTestClient({url: market.url, key: market.key});
	const env = '-e A="b c" -p 80:80';
	const made = await client.templates.create({name: 'Ünïcode & more=1', image: 'a/b', env});
	const own = {filter: [{field: 'private', operator: 'eq', value: true}]} as const;
	expect((await client.templates.search(own)).templates).toMatchObject([
		{id: made.id, hash_id: made.hash_id, name: 'Ünïcode & more=1', env},
	]);
	expect((await client.templates.search()).templates).toHaveLength(6);
	const changed = await client.templates.edit(made.hash_id, {name: 'other'});
	expect(changed).toMatchObject({id: made.id, name: 'other'});
	expect(changed.hash_id).not.toBe(made.hash_id);
	const {templates: byName} = await client.templates.search({
		order: [['name', 'asc']],
		columns: ['image'],
	});
	expect(byName.map(({name}) => name)).toEqual([
		'Axolotl fine-tuning',
		'ComfyUI',
		'CUDA base image',
		'other',
		'PyTorch',
		'vLLM server',
	]);
	expect(byName[0]?.readme).toBeUndefined();
	await client.templates.delete(changed.hash_id);
	expect((await client.templates.search(own)).templates).toEqual([]);
});

test('a template is deleted by its number', async () => {
	await using market = await openTestMarket();
	await using client = openTestClient({url: market.url, key: market.key});
	const {id} = await client.templates.create({name: 'T', image: 'i'});
	await client.templates.delete(id ?? expect.fail('has no number'));
	expect((await client.templates.search()).templates).toEqual([]);
});

test('what a market refuses is an ApiError with its words', async () => {
	await using market = await openTestMarket();
	await using client = openTestClient({url: market.url, key: market.key});
	const refused = client.templates.create({name: '', image: 'i'});
	await expect(refused).rejects.toBeInstanceOf(ApiError);
	await expect(refused).rejects.toMatchObject({
		status: 400,
		code: 'invalid_args',
		message:
			'Could not create a template: the service refused (400 Template name is required). Nothing was changed',
	});
	await expect(client.templates.edit('f'.repeat(32), {name: 'x'})).rejects.toMatchObject({
		status: 404,
	});
	await expect(client.templates.delete(9)).rejects.toMatchObject({status: 404});
});

test('unfit fields of a reply become undefined, and unknown ones are kept', async () => {
	const sent = {hash_id: 'h', id: 'seven', name: null, recommended_disk_space: '8', aura: 'blue'};
	await using service = await openToldService(saying({templates: [sent]}));
	await using client = openTestClient({url: service.url, key: 'k'});
	expect((await client.templates.search()).templates).toEqual([
		{hash_id: 'h', id: undefined, name: null, recommended_disk_space: undefined, aura: 'blue'},
	]);
});

test('a change that was answered with less than the specification has is enough', async () => {
	await using service = await openToldService(saying({template: {hash_id: 'h'}}));
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await client.templates.edit('g', {name: 'x'})).toEqual({hash_id: 'h'});
	await expect(client.templates.search()).rejects.toBeInstanceOf(ReplyError);
});
