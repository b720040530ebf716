/** Several rents at once: by one command, and by several. */
import {expect, test} from 'vitest';
import {fieldsOf} from '../../../source/contract/grammar/json.ts';
import {commandsOf, jsonOf, type CommandsOptions} from '../../helpers/commands/commands.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {answered, passOn} from '../../helpers/services/faults.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

const order = ['any', '--image', 'ubuntu:24.04', '--disk', '16', '--over', '900', '--yes'];

async function openMany() {
	const market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const folder = openFolder();
	const service = {url: proxy.url, key: market.key};
	return {
		proxy,
		run: commandsOf(service, {folder: folder.path}),
		runWith: (
			settings: NonNullable<CommandsOptions['settings']>,
			options: Pick<CommandsOptions, 'interruptAfter'> = {},
		) => commandsOf(service, {folder: folder.path, settings, ...options}),
		made: async () =>
			market.database
				.selectFrom('instances')
				.select(['id', 'label', 'ask_id', 'gpu_micros'])
				.orderBy('id')
				.execute(),
		async [Symbol.asyncDispose]() {
			folder[Symbol.dispose]();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

const RENT = {method: 'PUT', path: '/api/v0/asks/'};

test('so many are rented of one review, each of another offer and with its number in the label', async () => {
	await using market = await openMany();
	const {code, out, err} = await market.run(
		'rent',
		...order,
		'--count',
		'3',
		'--label',
		'ablate-{}',
	);
	expect({code, out}).toEqual({code: 0, out: '1\n2\n3\n'});
	expect(err).toMatch(/3 of 3/);
	const made = await market.made();
	expect(made.map(({label}) => label)).toEqual(['ablate-1', 'ablate-2', 'ablate-3']);
	expect(new Set(made.map(({ask_id}) => ask_id)).size).toBe(3);
});

test('an own machine that is free is no measure of what the others may cost', async () => {
	await using market = await openMany();
	const [cheapest] = jsonOf(await market.run('offers', 'any', '--limit', '1', '--json'));
	const {machine} = fieldsOf(cheapest);
	const machines = {machines: [{id: machine, owner_dph: 0}]};
	market.proxy.next(
		{method: 'GET', path: '/api/v0/machines'},
		answered({status: 200, body: machines}),
		9,
	);
	const {err} = await market.run('rent', ...order, '--count', '3');
	expect(err).not.toContain('of the cheapest');
	expect(await market.made()).toHaveLength(3);
});

test('as JSON each is a line', async () => {
	await using market = await openMany();
	const rented = await market.run('rent', ...order, '--count', '2', '--json');
	expect(jsonOf(rented)).toMatchObject([{id: 1}, {id: 2}]);
});

test('where one of them is refused, those that are made are printed, and the code is 7', async () => {
	await using market = await openMany();
	let sent = 0;
	market.proxy.next(
		RENT,
		async exchange => {
			sent += 1;
			const refusal = answered({status: 400, body: {success: false, error: 'invalid_args'}});
			await (sent < 3 ? passOn(exchange) : refusal(exchange));
		},
		9,
	);
	const {code, out, err} = await market.run('rent', ...order, '--count', '4');
	expect({code, out}).toEqual({code: 7, out: '1\n2\n'});
	expect(err).toContain('2 of 4 are rented, and charged.');
	expect(await market.made()).toHaveLength(2);
});

test('where Ctrl-C ends the waiting, each that is rented is named', async () => {
	await using market = await openMany();
	const run = market.runWith({}, {interruptAfter: /2 is rented\. Waiting/});
	const {code, out, err} = await run('rent', ...order, '--count', '2', '--wait');
	expect(code).toBe(130);
	for (const id of [1, 2])
		expect(out + err).toMatch(
			new RegExp(`^(?:rentty: )?${id}(?: is rented, and charged\\.)?$`, 'm'),
		);
	expect(await market.made()).toHaveLength(2);
});

test('fewer offers than are wanted rent none', async () => {
	await using market = await openMany();
	const words = order.map(word => (word === '900' ? '0' : word));
	const {code, err} = await market.run('rent', ...words, '--count', '9');
	expect(code).toBe(4);
	expect(err).toMatch(
		/\d+ offers? (?:is|are) within \+0 % of the cheapest, and 9 are wanted: --over \d+ takes dearer ones\. Nothing was created/,
	);
	expect(await market.made()).toEqual([]);
});

test('the sum of all is held to the limit for all, before any is rented', async () => {
	await using market = await openMany();
	const spend = {askOverPerHour: null, fleetMaxPerHour: 0.3};
	const {code, err} = await market.runWith({spend})('rent', ...order, '--count', '5');
	expect(code).toBe(8);
	expect(err).toMatch(/more than the \$0\.3000\/h that the settings allow\. Nothing was created/);
	expect(await market.made()).toEqual([]);
});

test('no offer that is tried costs more than --max-price', async () => {
	await using market = await openMany();
	const [cheapest] = jsonOf(
		await market.run('offers', 'any', '--disk', '16', '--limit', '1', '--json'),
	);
	const most = Number(cheapest?.['price_per_hour']) + 0.0001;
	const {code} = await market.run('rent', ...order, '--count', '9', '--max-price', most.toFixed(4));
	expect(code).toBe(4);
	market.proxy.next(RENT, answered({status: 410, body: {success: false, error: 'no_such_ask'}}), 9);
	const gone = await market.run('rent', ...order, '--max-price', most.toFixed(4));
	expect(gone.code).toBe(4);
	const sent = market.proxy.requests.filter(({method}) => method === 'PUT');
	expect(sent).toHaveLength(1);
});

test('of rents of the same words, sent at once from here, each takes another offer', async () => {
	await using market = await openMany();
	const labels = ['a', 'b', 'c', 'd', 'e', 'f'];
	const rents = labels.map(async label => market.run('rent', ...order, '--label', label));
	const ran = await Promise.all(rents);
	expect(ran.map(({code}) => code)).toEqual(labels.map(() => 0));
	const made = await market.made();
	expect(new Set(made.map(({ask_id}) => ask_id)).size).toBe(labels.length);
});
