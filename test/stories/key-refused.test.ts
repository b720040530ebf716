import {expect, test} from 'vitest';
import {commands} from '../../source/commands/index.ts';
import {
	abilitiesOf,
	checkConnection,
	connectionCheckText,
	isAccepted,
} from '../../source/renter/profiles/check.ts';
import {commandsOf} from '../helpers/commands/commands.ts';
import {openTestConsole} from '../helpers/console/console.ts';
import {openFaultProxy} from '../helpers/services/fault-proxy.ts';
import {answered} from '../helpers/services/faults.ts';
import {keyRefusals} from '../helpers/services/key-refusals.ts';
import {openRentable} from '../helpers/market/rentable.ts';
import {openTestClient, openToldService, saying} from '../helpers/services/told-service.ts';

/** What each command is called with; those that call no service are left out. */
const calls: Readonly<Record<string, readonly string[]>> = {
	offers: ['any'],
	watch: ['any'],
	templates: [],
	rent: ['1', '--image', 'a/b', '--yes', '--spend', '9'],
	ps: [],
	ssh: ['1'],
	exec: ['1', '--', 'true'],
	run: ['1'],
	cp: ['7:x', 'y'],
	volumes: [],
	prepay: ['1'],
	jobs: [],
	increases: [],
	logs: ['1'],
	start: ['1'],
	stop: ['1', '--yes'],
	destroy: ['1', '--yes'],
	sweep: ['--yes'],
	keys: [],
	doctor: [],
	lease: ['1'],
};
/** A guard goes on, and its status says why it cannot look. */
const silent = ['practice', 'completions', 'alerts', 'guard', 'man', 'mcp', 'upgrade'];

const bodies = keyRefusals.map(
	([status, error, msg]) => [status, JSON.stringify({success: false, error, msg})] as const,
);

test.for(bodies)('a service that answers %i %s to all refuses the key', async ([status, body]) => {
	await using service = await openToldService(saying(JSON.parse(body), status));
	const run = commandsOf({url: service.url, key: 'bad'});
	expect(commands.map(({name}) => name).toSorted()).toEqual(
		[...Object.keys(calls), ...silent].toSorted(),
	);
	for (const [name, words] of Object.entries(calls)) {
		// oxlint-disable-next-line no-await-in-loop -- one command after the other
		const {code, out, err} = await run(name, ...words);
		expect([name, code]).toEqual([name, 3]);
		expect(out + err).toContain('the key is not accepted');
	}
	await using client = openTestClient({url: service.url, key: 'bad', paceScale: 0});
	const check = await checkConnection(client, Date.now);
	expect(isAccepted(check)).toBe(false);
	expect(connectionCheckText(check)).toContain('the key is not accepted');
	expect(abilitiesOf(check).map(({can}) => can)).toEqual(['no', 'no', 'no', '?', '?']);
});

test('a refused key is not taken for an offer that is gone, and no other offer is tried', async () => {
	await using market = await openRentable();
	await using proxy = await openFaultProxy(market.url);
	const refusal = {success: false, error: 'auth_error', msg: 'Invalid user key'};
	const order = {method: 'PUT', path: '/api/v0/asks/'};
	proxy.next(order, answered({status: 404, body: refusal}), Infinity);
	const run = commandsOf({url: proxy.url, key: market.key});
	const ran = await run('rent', 'any', '--image', 'a/b', '--yes', '--spend', '99');
	expect(ran).toMatchObject({code: 3, out: ''});
	expect(ran.err).toContain('the key is not accepted (404 Invalid user key)');
	expect(ran.err).not.toContain('gone');
	expect(proxy.requests.filter(({method}) => method === 'PUT')).toHaveLength(1);
});

test('every screen says that the key is not accepted, and not that the service lacks something', async () => {
	const refusal = {success: false, error: 'auth_error', msg: 'Invalid user key'};
	await using service = await openToldService(saying(refusal, 404));
	await using rentty = openTestConsole({
		service: {url: service.url, key: 'bad'},
		columns: 140,
		rows: 40,
	});
	for (const [key, attempt] of [
		['1', 'search the offers'],
		['2', 'list your instances'],
		['3', 'search the templates'],
		['4', 'list the API keys'],
		['$', 'show the account'],
		['\r', 'list the volumes'],
	] as const) {
		rentty.type(key);
		// oxlint-disable-next-line no-await-in-loop -- one screen after the other
		await rentty.sees(new RegExp(`Could not ${attempt}.*: the key is not accepted \\(404`));
	}
});
