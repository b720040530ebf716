import {expect, test} from 'vitest';
import {openFleetConsole} from '../helpers/console/fleet-console.ts';
import {openPrepaid} from '../helpers/market/prepaid.ts';
import {commandsOf, jsonOf} from '../helpers/commands/commands.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';

test.each<readonly [words: readonly string[], labels: readonly unknown[]]>([
	[['running'], ['train-a']],
	[['label~train !booting !stuck'], ['train-a']],
	[['stopped price<0.5'], ['old-run']],
	[
		['stopped', 'train-a'],
		['old-run', 'train-a'],
	],
	[['state=running,stopped'], ['old-run', 'train-a']],
])('rentty ps %j lists %j', async (words, labels) => {
	await using market = await openFleetMarket();
	const listed = jsonOf(await commandsOf(market)('ps', ...words, '--json'));
	expect(new Set(listed.map(({label}) => label))).toEqual(new Set(labels));
});

test.each([
	['running cots>0.5', 2, '"running cots>0.5": cots is not a field. Did you mean cost?'],
	['train running', 2, 'train is no state and no field; label~train looks for it in labels.'],
	['label~nobody', 4, 'No instance is "label~nobody": rentty ps lists all.'],
	['trian-a', 4, 'There is no instance trian-a: rentty ps lists all. Did you mean train-a?'],
	['state=runing', 4, 'rentty ps lists all. Did you mean running?'],
	['runing', 4, 'There is no instance runing: rentty ps lists all. Did you mean running?'],
	['runing price<1', 2, 'looks for it in labels. Did you mean running?'],
])('%s chooses no instance, and destroys none', async (words, code, message) => {
	await using market = await openFleetMarket();
	const run = commandsOf(market);
	const before = jsonOf(await run('ps', '--json')).length;
	for (const command of [['ps'], ['destroy', '--yes'], ['stop', '--yes']]) {
		const [name = '', ...options] = command;
		// oxlint-disable-next-line no-await-in-loop -- one command after the other
		const ended = await run(name, words, ...options);
		expect(ended).toMatchObject({code, out: ''});
		expect(ended.err).toContain(message);
	}
	expect(jsonOf(await run('ps', '--json'))).toHaveLength(before);
});

test('a review of what words ask for names each of them before anything is destroyed', async () => {
	await using market = await openFleetMarket();
	const run = commandsOf(market);
	const refused = await run('destroy', 'label~train');
	expect(refused.code).not.toBe(0);
	expect(refused.err).toContain('train-a');
	expect(refused.err).toContain('train-c');
	expect(jsonOf(await run('ps', '--json'))).toHaveLength(4);
});

test('a view of the console is asked for by its name', async () => {
	await using market = await openFleetMarket();
	const views = [
		{name: 'trains', words: 'train', order: ['price']},
		{name: 'none', words: 'label~nothing'},
		{name: 'odd', words: 'price>cheap'},
	];
	const run = commandsOf(market, {settings: {views}});
	const labels = async (...argv: readonly string[]) =>
		jsonOf(await run('ps', ...argv, '--json')).map(({label}) => label);
	expect(await labels('--view', 'trouble')).toEqual(['train-c']);
	expect(await labels('--view', 'trains')).toEqual(['train-c', 'train-a']);
	expect(await run('ps', '--view', 'none')).toMatchObject({code: 4});
	const odd = await run('ps', '--view', 'odd');
	expect([odd.code, odd.err]).toEqual([2, expect.stringContaining('"price>cheap": ')]);
	expect(await run('ps', '--view', 'trian')).toMatchObject({
		code: 2,
		err: 'rentty: There is no view trian: there are trouble, trains, none, odd.\n',
	});
	expect(await run('ps', 'train-a', '--view', 'trains')).toMatchObject({code: 2});
});

test('what is paid ahead for an instance is said before it is destroyed', async () => {
	await using market = await openPrepaid();
	await market.prepay(576);
	const run = commandsOf(market);
	const asked = await run('destroy', '1');
	expect(asked.code).toBe(2);
	expect(asked.err).toContain('$576.00 paid ahead is left');
	const service = {url: market.url, key: market.key};
	await using rentty = await openFleetConsole(service, {columns: 100, rows: 30});
	rentty.type('x');
	expect(await rentty.reads('DESTROY INSTANCE')).toContain('$576.00 is left. An early end costs');
	rentty.type('\u001B');
	await rentty.sees('1 of 1');
	rentty.type('\r');
	await rentty.sees('enter it here');
	rentty.type(']]]]]]');
	await rentty.sees(/paid ahead +\$576\.00 is left, at 20\.0 % off/);
});

test('an offer that is not there is said to be none before an image is asked for', async () => {
	await using market = await openFleetMarket();
	const refused = await commandsOf(market)('rent', '99999999', '--yes');
	expect(refused.code).toBe(4);
	expect(refused.err).toContain('There is no offer 99999999: ');
});

test('ps says what all have cost so far, and has a lease as an object', async () => {
	await using market = await openFleetMarket();
	const set = {label: 'train-a [lease1 e4000000000 i1800 td]'};
	await market.database
		.updateTable('instances')
		.set(set)
		.where('id', '=', market.running.id)
		.execute();
	const shown = await commandsOf(market, {isTerminal: true})('ps');
	expect(shown.err).toMatch(
		/All together cost \$0\.2381\/h.* So far: \$\d+\.\d\d( to \$\d+\.\d\d)?, without traffic\./,
	);
	const [record] = jsonOf(await commandsOf(market)('ps', 'train-a', '--json'));
	expect(record).toMatchObject({
		label: 'train-a',
		lease: {
			ends: '2096-10-02T07:06:40.000Z',
			idle_seconds: 1800,
			max_cost: null,
			action: 'destroy',
		},
	});
});

test.each([
	['signs of the console stand before states on a terminal', {LANG: 'C.UTF-8'}, '● running'],
	['where only ASCII can be drawn, so do those of ASCII', {LANG: 'C'}, '* running'],
])('%s', async (_, environment, words) => {
	await using market = await openFleetMarket();
	const {out} = await commandsOf(market, {isTerminal: true, environment})('ps');
	expect(out).toMatch(new RegExp(`train-a +${words.replace('*', '\\*')}`));
	const piped = await commandsOf(market, {environment})('ps');
	expect(piped.out).toContain('train-a\trunning\t');
});
