import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {openFolder} from '../helpers/folder.ts';
import {openRentable} from '../helpers/market/rentable.ts';
import {sshKeyText} from '../helpers/host/ssh-keys.ts';

test('offers are listed with tabs in a pipe, and in columns on a terminal', async () => {
	await using market = await openTestMarket({offers: 200});
	const piped = await commandsOf(market)('offers', '4090', '--limit', '2');
	expect(piped.code).toBe(0);
	expect(piped.out.split('\n')[0]).toBe('ID\tGPUS\tVRAM\t$/H\tALL IN\tREL\tDAYS\tWHERE');
	expect(piped.out.split('\n')).toHaveLength(4);
	expect(piped.err).toBe('rentty: There are more than 2: --limit shows them.\n');
	const shown = await commandsOf(market, {isTerminal: true})('offers', '4090', '--limit', '2');
	expect(shown.out).not.toContain('\t');
	expect(shown.out).toContain('x RTX 4090');
});

test('offers come as JSON, the cheapest first, with a null for what is not known', async () => {
	await using market = await openTestMarket({offers: 200});
	const found = jsonOf(await commandsOf(market)('offers', 'any', '--json', '--limit', '200'));
	const prices = found.map(({all_in_per_hour: price}) => Number(price));
	expect(prices.length).toBeGreaterThan(100);
	expect(prices).toEqual(prices.toSorted((a, b) => a - b));
	expect(Object.keys(found[0] ?? {})).toContain('least_bid');
});

const each = (record: Record<string, unknown>) =>
	Number(record['gpu_per_hour']) / Number(record['gpus']);

test('a price of one GPU is tested on more offers than are shown, in lists and before a rent', async () => {
	await using market = await openTestMarket({offers: 200});
	const run = commandsOf(market);
	const all = jsonOf(await run('offers', 'x4..', '--json', '--limit', '200'));
	const wanted = all.filter(record => each(record) < 0.4);
	expect(wanted.length).toBeGreaterThan(3);
	expect(wanted.length).toBeLessThan(all.length);
	const found = jsonOf(await run('offers', 'x4..', '<0.40/gpu', '--json', '--limit', '3'));
	expect(found.map(({id}) => id)).toEqual(wanted.slice(0, 3).map(({id}) => id));
	const least = Math.floor(Math.min(...all.map(each)) * 100) / 100;
	const none = await run('offers', 'x4..', `<${least}/gpu`);
	expect(none).toMatchObject({code: 4, out: ''});
	expect(none.err).toMatch(/Without <[\d.]+\/gpu there are \d+: x4\.\.\n$/);
});

test('where no offer matches, the words to leave out are named, and the exit code is 4', async () => {
	await using market = await openTestMarket({offers: 200});
	const none = await commandsOf(market)('offers', '4090', 'price<0.01');
	expect(none).toMatchObject({code: 4, out: ''});
	expect(none.err).toMatch(
		/^rentty: No offer matches\. Without price<0\.01 there are \d+: 4090\n$/,
	);
});

test('a GPU that nobody has is named with one that is nearly called so, once, and no list is empty', async () => {
	await using market = await openTestMarket({offers: 200});
	const run = commandsOf(market);
	const unknown = await run('offers', 'RTX_4909');
	expect(unknown.err).toBe(
		'rentty: RTX_4909 is no GPU, country or field. Did you mean RTX_4090?\n',
	);
	const none = await run('offers', 'gpu=RTX_4909');
	expect(none.err).toMatch(/No offer matches\. No GPU called .*Did you mean RTX_4090\?/);
	expect(none.err).toMatch(/Without gpu=RTX_4909 there are \d+\.\n$/);
});

test('a word that means nothing is a usage error that names it', async () => {
	await using market = await openTestMarket();
	expect(await commandsOf(market)('offers', 'price<abc')).toMatchObject({
		code: 2,
		err: expect.stringContaining('price<abc: ') as unknown,
	});
});

test('an offer is rented by its number, and listed with its label', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	const words = ['--image', 'ubuntu:24.04', '--label', 'train', '--spend', '99', '--yes', '--json'];
	const rented = await run('rent', String(market.offer.id), ...words);
	expect(rented.code).toBe(0);
	const [{id} = {}] = jsonOf(rented);
	expect(jsonOf(await run('ps', 'train', '--json'))).toMatchObject([
		{id, label: 'train', image: 'ubuntu:24.04', disk_gb: 40, ssh: null},
	]);
	const gone = await run('rent', String(market.offer.id), ...words);
	expect(gone).toMatchObject({code: 4, out: ''});
	expect(gone.err).toContain('Nothing was created, and nothing is charged.');
});

test('nothing is rented without consent', async () => {
	await using market = await openRentable();
	const words = [String(market.offer.id), '--image', 'ubuntu:24.04', '--spend', '99'];
	const unasked = await commandsOf(market)('rent', ...words);
	expect(unasked.code).toBe(2);
	expect(unasked.err).toContain('There is no terminal to ask on');
	const refused = await commandsOf(market, {answers: 'n\n'})('rent', ...words);
	expect(refused.code).toBe(1);
	expect(refused.err).toContain('Rent it? [y/N]');
	const ended = await commandsOf(market, {answers: '', interruptAfter: /\[y\/N\]/})(
		'rent',
		...words,
	);
	expect(ended.code).toBe(130);
	expect(jsonOf(await commandsOf(market)('ps', '--json'))).toEqual([]);
	const agreed = await commandsOf(market, {answers: 'y\n'})('rent', ...words);
	expect(agreed.code).toBe(0);
});

test('the budget refuses with 8, and --spend allows it once', async () => {
	await using market = await openRentable();
	const settings = {spend: {askOverPerHour: 0.0001, fleetMaxPerHour: null}};
	const run = commandsOf(market, {settings});
	const words = [String(market.offer.id), '--image', 'ubuntu:24.04', '--yes'];
	const refused = await run('rent', ...words);
	expect(refused).toMatchObject({code: 8, out: ''});
	expect(refused.err).toContain('more than the $0.0001/h that the settings allow');
	expect(await run('rent', ...words, '--max-price', '0.001', '--spend', '99')).toMatchObject({
		code: 8,
	});
	expect(await run('rent', ...words, '--spend', '99')).toMatchObject({code: 0});
});

test('all instances together have a budget as well', async () => {
	await using market = await openRentable();
	const settings = {spend: {askOverPerHour: null, fleetMaxPerHour: 0.0001}};
	const words = [String(market.offer.id), '--image', 'ubuntu:24.04', '--yes'];
	const refused = await commandsOf(market, {settings})('rent', ...words);
	expect(refused.code).toBe(8);
	expect(refused.err).toContain('All instances together would cost');
});

test('what cannot be is refused before anything is sent', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	const offer = String(market.offer.id);
	const usual = ['--spend', '99', '--yes', '--image', 'ubuntu:24.04'];
	expect(await run('rent', offer, '--yes')).toMatchObject({
		code: 2,
		err: 'rentty: rentty rent needs --image or --template.\n',
	});
	expect(await run('rent', offer, ...usual, '--disk', '3')).toMatchObject({code: 2});
	expect(await run('rent', offer, ...usual, '--disk', '999999')).toMatchObject({
		code: 2,
		err: expect.stringContaining('The disk of 999999 GB is more than') as unknown,
	});
	expect(await run('rent', offer, ...usual, '--bid', '0.00001')).toMatchObject({
		code: 2,
		err: expect.stringContaining('is below the least of') as unknown,
	});
	expect(await run('rent', offer, ...usual, '--vm')).toMatchObject({
		code: 2,
		err: expect.stringContaining('A VM needs a registered SSH key') as unknown,
	});
	expect(await run('rent', offer, ...usual, '--template', 'no such')).toMatchObject({code: 4});
	expect(jsonOf(await run('ps', '--json'))).toEqual([]);
});

test('offers that take bids are not rented on demand at the price of a bid', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	const words = ['any', 'bid', '--image', 'ubuntu:24.04', '--spend', '99', '--yes'];
	expect(await run('rent', ...words)).toMatchObject({
		code: 2,
		out: '',
		err: 'rentty: The words look for bids: --bid DOLLARS says how much. Nothing was sent.\n',
	});
	expect(await run('rent', ...words, '--bid', '9')).toMatchObject({code: 0});
});

test('a template that recommends less than the least disk is priced with the least', async () => {
	await using market = await openRentable();
	const logins = {docker_login_repo: '', docker_login_user: '', docker_login_pass: ''};
	const content = {name: 'small', image: 'x', recommended_disk_space: 3, ...logins};
	await market.call('/api/v0/template/', {method: 'POST', body: JSON.stringify(content)});
	const run = commandsOf(market, {answers: 'n\n'});
	const asked = await run('rent', String(market.offer.id), '--template', 'small', '--spend', '99');
	expect(asked.err).toContain('Disk    8 GB');
});

test('a read-only profile changes nothing', async () => {
	await using market = await openRentable();
	const run = commandsOf(market, {isReadOnly: true});
	for (const words of [
		['rent', String(market.offer.id), '--image', 'x', '--yes'],
		['keys', 'remove', '1', '--yes'],
	]) {
		const [name = '', ...argv] = words;
		// oxlint-disable-next-line no-await-in-loop -- one after the other, to name the one that fails
		expect(await run(name, ...argv)).toMatchObject({
			code: 3,
			err: 'rentty: The profile test is read-only, so nothing was changed.\n',
		});
	}
});

test('a key that is not accepted ends with 3, and a service that is not there with 1', async () => {
	await using market = await openTestMarket();
	expect(await commandsOf({...market, key: 'wrong'})('ps')).toMatchObject({
		code: 3,
		out: '',
		err: expect.stringContaining('the key is not accepted') as unknown,
	});
	const nobody = {url: 'http://127.0.0.1:1', key: 'k'};
	expect(await commandsOf(nobody)('ps')).toMatchObject({
		code: 1,
		err: expect.stringContaining('nothing listens at its address') as unknown,
	});
});

test('names that are not there, or are those of several, are told apart', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	expect(await run('destroy', 'nobody', '--yes')).toMatchObject({code: 4});
	await market.rent({image: 'x', label: 'twin', disk: 10});
	const others = jsonOf(await run('offers', 'any', 'rentable=yes', '--json', '--limit', '20'));
	const other = others.find(({id}) => id !== market.offer.id);
	await market.rent({image: 'x', label: 'twin', disk: 10}, Number(other?.['id']));
	const both = await run('stop', 'twin', '--yes');
	expect(both.code).toBe(2);
	expect(both.err).toMatch(/2 instances are called twin: say which of \d+, \d+\./);
});

test('a label with escape sequences reaches no terminal', async () => {
	await using market = await openRentable();
	await market.rent({image: 'x', label: 'a\u001B[31mb\tc\u009Bd', disk: 10});
	const run = commandsOf(market);
	for (const words of [['ps'], ['ps', '--json']]) {
		const [name = '', ...argv] = words;
		// oxlint-disable-next-line no-await-in-loop -- one after the other, to name the one that fails
		const {out} = await run(name, ...argv);
		// oxlint-disable-next-line no-control-regex -- these are what must not be there
		expect(out).not.toMatch(/[\u001B\u009B]/);
	}
	expect((await run('ps')).out.split('\n')[1]?.split('\t')).toHaveLength(10);
});

test('watching ends at the first offer, or when its time is over', async () => {
	await using market = await openTestMarket({offers: 100});
	const run = commandsOf(market);
	const hit = await run('watch', '4090', 'any', '--json');
	expect(hit.code).toBe(0);
	expect(jsonOf(hit)).toHaveLength(1);
	const none = await run('watch', '4090', '--below', '0.0001', '--for', '0', '--every', '1');
	expect(none).toMatchObject({code: 6, out: ''});
});

test('what is watched is ended by Ctrl-C without a word', async () => {
	await using market = await openRentable();
	await market.rent({image: 'x', label: 'train', disk: 10});
	const run = commandsOf(market, {interruptAfter: /train/});
	const ended = await run('ps', '--watch');
	expect(ended).toMatchObject({code: 130, err: ''});
	expect(ended.out).toMatch(/^\S+\t\d+ train\tprovisioning/);
});

test('SSH keys are registered from a file, listed and removed', async () => {
	await using market = await openTestMarket();
	using folder = openFolder();
	const run = commandsOf(market);
	const file = join(folder.path, 'laptop.pub');
	writeFileSync(file, `${sshKeyText(1, 'laptop')}\n`);
	expect((await run('keys')).err).toContain('No SSH key is registered');
	const {out} = await run('keys', 'add', file);
	expect(jsonOf(await run('keys', '--json'))).toMatchObject([{id: Number(out)}]);
	expect((await run('keys')).out).toContain('laptop');
	expect(await run('keys', 'remove', '99', '--yes')).toMatchObject({code: 4});
	expect(await run('keys', 'remove', out.trim(), '--yes')).toMatchObject({code: 0});
	expect((await run('keys')).out).toBe('');
	writeFileSync(file, '-----BEGIN OPENSSH PRIVATE KEY-----\n');
	expect(await run('keys', 'add', file)).toMatchObject({
		code: 2,
		err: expect.stringContaining('This is a private key') as unknown,
	});
});
