import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';

import {commandNamed} from '../../../source/commands/index.ts';
import {runCommand} from '../../../source/commands/run.ts';
import {commandsOf, worldOf} from '../../helpers/commands/commands.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {answered, type Fault} from '../../helpers/services/faults.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openRentable} from '../../helpers/market/rentable.ts';
import {openSafeRental, type SafeRental} from '../../helpers/market/safe-rental.ts';

const words = ['any', '--image', 'ubuntu:24.04', '--disk', '16', '--spend', '99', '--yes'];
const RENT = {method: 'PUT', path: '/api/v0/asks/'};
const SEARCH = {path: '/api/v0/bundles/'};
const gone = answered({
	status: 410,
	body: {success: false, error: 'no_such_ask', msg: 'no_such_ask gone', ask_id: null},
});

test('a loop over words rents another offer each time, and tries none that is rented', async () => {
	await using market = await openRentable();
	const run = commandsOf(market);
	for (let turn = 0; turn < 6; turn++) {
		// oxlint-disable-next-line no-await-in-loop -- each begins where the one before has ended
		expect(await run('rent', ...words)).toMatchObject({
			code: 0,
			err: expect.not.stringContaining('is gone.') as unknown,
		});
	}
	const made = await market.database.selectFrom('instances').select('ask_id').execute();
	expect(new Set(made.map(({ask_id: id}) => id)).size).toBe(6);
});

test('the limits that ended a rent of words are named, with what they left out', async () => {
	await using market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	try {
		const run = commandsOf({url: proxy.url, key: market.key});
		proxy.next(RENT, gone, 99);
		const dear = await run('rent', ...words);
		expect(dear).toMatchObject({code: 4, out: ''});
		expect(dear.err).toMatch(
			/rentty: \d+ within \+5 % (was|were) gone\. \d+ dearer match: --over \d+ tries them as well\. Nothing was created, and nothing is charged\.\n$/,
		);
		const many = await run('rent', ...words, '--over', '900');
		expect(many.err).toMatch(
			/rentty: 4 within \+900 % were gone, and no more are tried \(setting fallback\.tries\)\. \d+ others match: the same command again tries them\. Nothing/,
		);
	} finally {
		await proxy.close();
	}
});

function stream() {
	return Object.assign(new PassThrough().resume(), {isTTY: false});
}

/** Rents as a start of its own, which has the journal of those before. */
async function rent(world: SafeRental): Promise<number> {
	const command = commandNamed('rent');
	if (command === undefined) throw new Error('there is no command rent');
	using folder = openFolder();
	return await runCommand(command, words, {
		...worldOf(world, {folder: folder.path}),
		chooseService: () => ({
			url: world.proxy.url,
			name: 'test',
			keyFile: undefined,
			isReadOnly: false,
			open: async () => ({client: world.openAnother({repeats: 0}), close: async () => {}}),
		}),
		stdin: stream(),
		stdout: stream(),
		stderr: stream(),
	});
}

/** Answers every search as it answered the first one. */
function lagging(): Fault {
	let first: Promise<string> | undefined;
	return async ({forward, response}) => {
		first ??= forward().then(reply => reply.body.toString());
		response.writeHead(200, {'content-type': 'application/json'}).end(await first);
	};
}

test('what was rented from here is not tried again, though the service still lists it', async () => {
	await using world = await openSafeRental();
	world.proxy.next(SEARCH, lagging(), 99);
	expect(await rent(world)).toBe(0);
	const asked = () =>
		world.proxy.requests.filter(({method, path}) => method === 'PUT' && path.startsWith(RENT.path));
	const [first] = asked();
	expect(await rent(world)).toBe(0);
	const paths = asked().map(({path}) => path);
	expect(paths.filter(path => path === first?.path)).toHaveLength(1);
	await world.client.instances.destroy(1);
	await rent(world);
	expect(asked().filter(({path}) => path === first?.path)).toHaveLength(2);
});
