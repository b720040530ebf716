import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commands} from '../../../source/commands/index.ts';
import {exitCodes} from '../../../source/commands/base/failure.ts';
import {loadSettings} from '../../../source/renter/settings/load-settings.ts';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {passOn} from '../../helpers/services/faults.ts';
import {openFolder} from '../../helpers/folder.ts';
import {stoppedRun} from '../../helpers/fleet/fleet.ts';
import {rentDirectly} from '../../helpers/market/instances.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

/** Files whose limits cannot be read, of which each says how much may be spent. */
const unreadable = [
	'{"spend": {"fleetMaxPerHour": 0.5,}}',
	'{"spend": {"fleetMaxPerHour": "0.5"}}',
	'{"spend": {"fleetMaxPerHour": 0.5',
	'{"spend": 0.5}',
	'[]',
	'',
];

async function openStopped() {
	const market = await openRentable();
	await rentDirectly(market.database, stoppedRun);
	const stands = async () =>
		market.database.selectFrom('instances').select(['id', 'intended']).execute();
	return {...market, stands};
}

/** How each command raises what all costs an hour; none for those that do not. A new command has to be here. */
const spending: Readonly<{[command: string]: readonly string[]}> = {
	offers: [],
	watch: [],
	templates: [],
	rent: ['any', '--image', 'ubuntu:24.04', '--yes'],
	ps: [],
	ssh: [],
	exec: [],
	cp: [],
	// Charged by the month, and not by the hour.
	volumes: [],
	logs: [],
	run: [],
	start: ['old-run', '--yes'],
	stop: [],
	destroy: [],
	lease: [],
	prepay: [],
	// Its question is about the very price that rises.
	increases: [],
	jobs: [],
	guard: [],
	alerts: [],
	sweep: [],
	keys: [],
	mcp: [],
	doctor: [],
	practice: [],
	completions: [],
	man: [],
	upgrade: [],
};

test('each command says whether it raises what all costs, and those that do hold the limits', async () => {
	expect(Object.keys(spending)).toEqual(commands.map(({name}) => name));
	await using market = await openStopped();
	const {initial: settings} = await loadSettings({file: 'settings.json', text: unreadable[0]});
	for (const [command, words] of Object.entries(spending).filter(([, given]) => given.length > 0)) {
		const before = await market.stands();
		const {code} = await commandsOf(market, {settings})(command, ...words);
		expect([command, code]).toEqual([command, exitCodes.overBudget]);
		expect(await market.stands()).toEqual(before);
		expect(commands.find(({name}) => name === command)?.options).toHaveProperty('spend');
	}
});

test.for(unreadable)('where the limits cannot be read nothing is spent: %s', async text => {
	await using market = await openStopped();
	const {initial: settings} = await loadSettings({file: 'settings.json', text});
	const before = await market.stands();
	const words = [
		['rent', String(market.offer.id), '--image', 'ubuntu:24.04', '--yes'],
		['start', 'old-run', '--yes'],
	] as const;
	for (const [command, ...rest] of words) {
		const {code, err} = await commandsOf(market, {settings})(command, ...rest);
		expect([command, code]).toEqual([command, exitCodes.overBudget]);
		expect(err).toMatch(
			/The limits on spending cannot be read: settings\.json line \d+: .* Nothing was .* --spend DOLLARS allows it once\.\n$/,
		);
	}
	expect(await market.stands()).toEqual(before);
	const [rent] = words;
	const agreed = await commandsOf(market, {settings})(...rent, '--spend', '99');
	expect(agreed.code).toBe(exitCodes.fine);
});

test('a start is held to the limits as a rent is', async () => {
	await using market = await openStopped();
	const limit = 0.001;
	for (const spend of [
		{askOverPerHour: limit, fleetMaxPerHour: null},
		{askOverPerHour: null, fleetMaxPerHour: limit},
	]) {
		const {code, err} = await commandsOf(market, {settings: {spend}})('start', 'old-run', '--yes');
		expect(code).toBe(exitCodes.overBudget);
		expect(err).toMatch(
			/more than the \$0\.0010\/h that the settings allow\. Nothing was started\./,
		);
	}
	const spend = {askOverPerHour: limit, fleetMaxPerHour: limit};
	const words = ['start', 'old-run', '--yes', '--spend', '99'] as const;
	expect((await commandsOf(market, {settings: {spend}})(...words)).code).toBe(exitCodes.fine);
});

test('a start is held to budgets.json as a rent is', async () => {
	await using market = await openStopped();
	using folder = openFolder();
	mkdirSync(join(folder.path, 'rentty'));
	const file = join(folder.path, 'rentty', 'budgets.json');
	const run = commandsOf(market, {folder: folder.path});
	for (const [text, code, words] of [
		[
			'[{"perHour": 0.001}]',
			8,
			/With this it costs .* more than budgets\.json allows\. Nothing was started\./,
		],
		['[{"perHour": 0.001},]', 2, /budgets\.json/],
		['[{"perHour": 0.001, "label": "another"}]', 0, /starting|waits/],
	] as const) {
		writeFileSync(file, text);
		const started = await run('start', 'old-run', '--yes', '--spend', '99');
		expect([text, started.code]).toEqual([text, code]);
		expect(started.out + started.err).toMatch(words);
	}
});

test('what is rented elsewhere between the check and the rent counts', async () => {
	await using market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const service = {url: proxy.url, key: market.key};
	const running = {contact: 'heard', intended: 'running', current: 'running'} as const;
	// Keys are read after the limits were looked at.
	proxy.next({method: 'GET', path: /\/ssh\//}, async exchange => {
		await rentDirectly(market.database, {...running, actual: 'running', reported: 'running'});
		await passOn(exchange);
	});
	const settings = {spend: {askOverPerHour: null, fleetMaxPerHour: 0.2}};
	const order = ['--image', 'ubuntu:24.04', '--disk', '16', '--yes'];
	const {code, err} = await commandsOf(service, {settings})(
		'rent',
		String(market.offer.id),
		...order,
	);
	expect([code, err]).toEqual([
		exitCodes.overBudget,
		expect.stringContaining('Nothing was rented. --spend'),
	]);
	expect(proxy.requests.filter(({method}) => method === 'PUT')).toEqual([]);
	await proxy.close();
});
