import {expect, test} from 'vitest';
import {amongOthers, noneReadable, openBrokenLists} from '../helpers/services/broken-lists.ts';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {openRentable} from '../helpers/market/rentable.ts';
import {sshKeyText} from '../helpers/host/ssh-keys.ts';
import {openTestClient} from '../helpers/services/told-service.ts';

const offers = [['/api/v0/bundles/', 'offers']] as const;
const names = 'number 2 with name nameless (id is missing), number 3 (it is null)';

test('offers lists what can be read, and says beside it what could not, as text and as JSON', async () => {
	await using market = await openTestMarket({offers: 12});
	await using broken = await openBrokenLists(market, offers);
	const run = commandsOf(broken);
	const text = await run('offers');
	expect(text.code).toBe(0);
	expect(text.out.trim().split('\n')).toHaveLength(6);
	const json = await run('offers', '--json');
	expect(json.code).toBe(0);
	expect(jsonOf(json)).toHaveLength(5);
	for (const {err} of [text, json]) {
		expect(err).toBe(`rentty: 2 of 7 offers could not be read: ${names}.\n`);
	}
});

test('where no offer can be read that is said, and not that there is none', async () => {
	await using market = await openTestMarket({offers: 12});
	await using broken = await openBrokenLists(market, offers, noneReadable);
	const run = commandsOf(broken);
	for (const options of [[], ['--json']]) {
		const {code, out, err} = await run('offers', ...options);
		expect({code, out}).toEqual({code: 1, out: ''});
		expect(err).toContain('rentty: None of 5 offers could be read: number 1 with name nameless');
		expect(err).toContain(', and 2 more.');
	}
});

test('watch says at its first look what could not be read, and not again', async () => {
	await using market = await openTestMarket({offers: 12});
	await using broken = await openBrokenLists(market, offers, list => [
		...amongOthers(list),
		{id: broken.proxy.requests.length + 1e9, dph_total: 0.01, storage_cost: 0.1},
	]);
	const run = commandsOf(broken, {
		interruptAfter: /(?:"id":1000[^]*){2}/,
	});
	const {err} = await run('watch', 'price<99', '--follow', '--json', '--every', '1');
	expect(err.match(/could not be read/g)).toHaveLength(1);
});

test('rent takes the cheapest that can be read, and says that there were others', async () => {
	await using market = await openRentable();
	await using broken = await openBrokenLists(market, offers);
	const words = ['--image', 'a/b', '--spend', '99', '--yes'];
	const {code, out, err} = await commandsOf(broken)('rent', 'price<99', ...words);
	expect({code, out}).toMatchObject({code: 0, out: expect.stringMatching(/^\d+\n$/) as unknown});
	expect(err).toMatch(/rentty: 2 of \d+ offers could not be read: number 2/);
});

test('an offer that was named and cannot be read is not called gone', async () => {
	await using market = await openTestMarket({offers: 12});
	await using broken = await openBrokenLists(market, offers, noneReadable);
	const [offer] = await market.search({limit: 1});
	const {code, err} = await commandsOf(broken)('rent', `${offer?.id}`, '--image', 'a/b', '--yes');
	expect(code).toBe(1);
	expect(err).toContain(`Could not find offer ${offer?.id}: the answer is not what`);
	expect(err).not.toContain('gone');
});

const templates = [['/api/v0/template/', 'templates']] as const;
const unnamed = 'number 2 with name nameless (hash_id is missing), number 3 (it is null)';

test('templates lists what can be read, and says beside it what could not', async () => {
	await using market = await openTestMarket({offers: 1});
	await using broken = await openBrokenLists(market, templates);
	const run = commandsOf(broken);
	const text = await run('templates');
	const json = await run('templates', '--json');
	expect(text.out).toContain('vLLM server');
	expect(jsonOf(json)).toHaveLength(5);
	for (const {code, err} of [text, json]) {
		expect(code).toBe(0);
		expect(err).toBe(`rentty: 2 of 7 templates could not be read: ${unnamed}.\n`);
	}
	const none = await run('templates', 'no-such-words');
	expect(none.code).toBe(4);
	expect(none.err).toContain('No template matches.\nrentty: 2 of 7 templates could not be read');
});

test('where no template can be read, none is said to be missing', async () => {
	await using market = await openTestMarket({offers: 1});
	await using broken = await openBrokenLists(market, templates, noneReadable);
	const run = commandsOf(broken);
	const listed = await run('templates', '--json');
	expect(listed).toMatchObject({code: 1, out: ''});
	expect(listed.err).toContain('rentty: None of 5 templates could be read: number 1 with name');
	const rented = await run('rent', '4090', '--template', 'vLLM server', '--yes');
	expect(rented.code).toBe(1);
	expect(rented.err).toContain('There is no template vLLM server among the others.');
	expect(rented.err).not.toContain('rentty templates lists all');
});

test('doctor names all that can be named', async () => {
	await using market = await openTestMarket({offers: 1});
	await using broken = await openBrokenLists(market, templates, noneReadable);
	const {out} = await commandsOf(broken)('doctor');
	expect(out).toContain('note  templates  the key may list them: 0; none of 5 could be read.');
	expect(out).toContain('number 4 with name nameless (hash_id is missing), number 5 with');
});

const sshKeys = [['/api/v0/ssh/', undefined]] as const;
const apiKeys = [['/api/v0/auth/apikeys/', 'apikeys']] as const;

test.each([
	{lists: sshKeys, words: ['keys'], noun: 'SSH keys'},
	{lists: apiKeys, words: ['keys', '--api'], noun: 'API keys'},
] as const)('$words lists what can be read, and says beside it what could not', async given => {
	const {lists, noun} = given;
	const [name, ...words] = given.words;
	await using market = await openTestMarket({offers: 1});
	await using client = openTestClient(market);
	await client.sshKeys.create(sshKeyText(1));
	await using broken = await openBrokenLists(market, lists);
	const run = commandsOf(broken);
	for (const options of [[], ['--json']]) {
		const {code, out, err} = await run(name, ...words, ...options);
		expect(code).toBe(0);
		expect(out).not.toBe('');
		expect(err).toBe(`rentty: 2 of 3 ${noun} could not be read: ${names}.\n`);
	}
	await using none = await openBrokenLists(market, lists, noneReadable);
	const {code, out, err} = await commandsOf(none)(name, ...words, '--json');
	expect({code, out}).toEqual({code: 1, out: ''});
	expect(err).toContain(`rentty: 1 of 1 ${noun} could not be read: number 1 with name nameless`);
});

test('a key that is not among those that can be read is not removed, and not called missing', async () => {
	await using market = await openTestMarket({offers: 1});
	await using client = openTestClient(market);
	const {id} = await client.sshKeys.create(sshKeyText(1));
	await using broken = await openBrokenLists(market, sshKeys, noneReadable);
	const {code, err} = await commandsOf(broken)('keys', 'remove', `${id}`, '--yes');
	expect(code).toBe(1);
	expect(err).toContain(`There is no SSH key ${id} among the others. Nothing was removed.`);
	expect((await client.sshKeys.list()).keys).toHaveLength(1);
});

test('rent and doctor do not say that no SSH key is registered where none can be read', async () => {
	await using market = await openRentable();
	await using client = openTestClient(market);
	await client.sshKeys.create(sshKeyText(1));
	await using broken = await openBrokenLists(market, sshKeys, noneReadable);
	const run = commandsOf(broken);
	const words = ['--image', 'a/b', '--launch', 'ssh_direct', '--spend', '99', '--yes'];
	const rented = await run('rent', `${market.offer.id}`, ...words);
	expect(rented.code).toBe(0);
	expect(rented.err).not.toContain('No SSH key');
	const {out} = await run('doctor');
	expect(out).toContain('note  ssh keys   0 registered; 1 of 1 could not be read.');
});
