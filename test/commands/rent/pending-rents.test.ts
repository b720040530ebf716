import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {commandNamed, commands} from '../../../source/commands/index.ts';
import {isAboutInstances} from '../../../source/commands/base/command.ts';
import {runCommand} from '../../../source/commands/run.ts';
import {worldOf} from '../../helpers/commands/commands.ts';
import {settlePendingRents} from '../../../source/renter/orders/pending-rents.ts';
import {createGate, dropReply, dropRequest, silent} from '../../helpers/services/faults.ts';
import type {Fault} from '../../helpers/services/faults.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openSafeRental} from '../../helpers/market/safe-rental.ts';
import type {SafeRental} from '../../helpers/market/safe-rental.ts';

const RENT = {method: 'PUT', path: '/api/v0/asks/'};
const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances\//};
const order = ['--image', 'ubuntu:24.04', '--disk', '16', '--yes'];

/** A command of its own start, which knows the pending rents of those before. */
async function run(world: SafeRental, name: string, ...argv: readonly string[]) {
	const command = commandNamed(name);
	if (command === undefined) throw new Error(`there is no command ${name}`);
	using folder = openFolder();
	const texts = {out: '', err: ''};
	const stream = (which: 'out' | 'err') => {
		const written = new PassThrough();
		written.on('data', (data: Buffer) => (texts[which] += data.toString()));
		return Object.assign(written, {isTTY: false});
	};
	const code = await runCommand(command, argv, {
		...worldOf(world, {folder: folder.path}),
		chooseService: () => ({
			url: world.proxy.url,
			name: 'test',
			keyFile: undefined,
			isReadOnly: false,
			open: async () => ({client: world.openAnother({repeats: 0}), close: async () => {}}),
		}),
		stdin: Object.assign(new PassThrough(), {isTTY: false}),
		stdout: stream('out'),
		stderr: stream('err'),
	});
	await new Promise(resolve => setImmediate(resolve));
	return {code, ...texts};
}

/** Rents, and is killed when the order is on its way. */
async function killedRent(world: SafeRental, fault: Fault): Promise<void> {
	world.proxy.next(RENT, async exchange => {
		await fault(exchange);
		ended.abort(new Error('killed'));
	});
	const ended = new AbortController();
	const client = world.openAnother({repeats: 0});
	const made = {image: 'ubuntu:24.04', disk: 16};
	const agreed = {image: 'ubuntu:24.04', diskGb: 16, pricing: 'on-demand', label: ''} as const;
	const rent = client.instances.rent(world.offer.id, made, {agreed, signal: ended.signal});
	await expect(rent).rejects.toThrow('killed');
}

const ordersSent = ({proxy}: SafeRental) =>
	proxy.requests.filter(({method, path}) => method === 'PUT' && path.startsWith('/api/v0/asks/'));

test('the same order after a killed one is refused once, with the instance that there is', async () => {
	await using world = await openSafeRental();
	await killedRent(world, dropReply);
	const [id] = await world.made();
	const again = await run(world, 'rent', 'any', ...order);
	expect(again).toMatchObject({code: 1, out: ''});
	expect(again.err).toMatch(
		new RegExp(
			`Offer ${world.offer.id}, asked for at .* by a rentty that was ended, is instance ${id}, and is charged: rentty destroy ${id} ends it\\. Nothing was sent, for that was the same order\\. The same command again rents another\\.`,
		),
	);
	expect(ordersSent(world)).toHaveLength(1);
	expect(await run(world, 'rent', 'any', ...order)).toMatchObject({code: 0});
	expect(await world.made()).toHaveLength(2);
});

test('an instance whose number nobody was told is named once, and not rented again unasked', async () => {
	await using world = await openSafeRental();
	const agreed = {image: 'ubuntu:24.04', diskGb: 16, pricing: 'on-demand', label: ''} as const;
	const made = {image: 'ubuntu:24.04', disk: 16};
	// A rentty that was killed between the answer and its first word.
	await world.openAnother({repeats: 0}).instances.rent(world.offer.id, made, {agreed});
	const [id] = await world.made();
	const again = await run(world, 'rent', 'any', ...order);
	expect(again).toMatchObject({code: 1, out: ''});
	expect(again.err).toContain(`is instance ${id}, and is charged`);
	expect(ordersSent(world)).toHaveLength(1);
	expect(await run(world, 'rent', 'any', ...order)).toMatchObject({code: 0});
	const quiet = await run(world, 'ps');
	expect(quiet).toMatchObject({code: 0, err: ''});
});

test('an instance whose number nobody was told is said not to be listed where it is gone', async () => {
	await using world = await openSafeRental();
	const client = world.openAnother({repeats: 0});
	await client.instances.rent(world.offer.id, {image: 'ubuntu:24.04', disk: 16});
	const [id = 0] = await world.made();
	await client.instances.destroy(id);
	const {err} = await run(world, 'ps');
	expect(err).toContain(`was made as instance ${id}, which the service does not list`);
	expect((await run(world, 'ps')).err).not.toContain('was made');
});

test('the same order is refused for as long as nobody knows of the one before', async () => {
	await using world = await openSafeRental();
	await killedRent(world, dropReply);
	for (const _ of [1, 2]) {
		world.proxy.next(LIST, silent(Promise.resolve()), 100);
		const again = await run(world, 'rent', 'any', ...order);
		expect(again).toMatchObject({code: 6, out: ''});
		expect(again.err).toContain('may have been rented, and may be charged');
		world.proxy.calm();
	}
	expect(ordersSent(world)).toHaveLength(1);
});

test.each([
	['an order that came to nothing', dropRequest, ['rent', 'any', ...order], 1],
	['another order', dropReply, ['rent', 'any', ...order, '--label', 'other'], 2],
] as const)('after %s an offer is rented', async (_, fault, argv, count) => {
	await using world = await openSafeRental();
	await killedRent(world, fault);
	world.time.pass(60_000);
	const [name, ...words] = argv;
	const again = await run(world, name, ...words);
	expect(again).toMatchObject({code: 0});
	expect(again.err).toContain('by a rentty that was ended');
	expect(await world.made()).toHaveLength(count);
});

test('every command about instances settles what was left open, once', async () => {
	await using world = await openSafeRental();
	await killedRent(world, dropReply);
	const [id] = await world.made();
	expect((await run(world, 'ps')).err).toContain(`is instance ${id}, and is charged`);
	expect((await run(world, 'ps')).err).not.toContain('asked for');
	await killedRent(world, dropReply);
	expect((await run(world, 'offers')).err).toContain('may have been rented');
	expect(commands.filter(command => !isAboutInstances(command)).map(({name}) => name)).toEqual([
		'watch',
		'templates',
		// It says so itself, for it refuses the same order.
		'rent',
		'volumes',
		'alerts',
		'keys',
		'mcp',
		'practice',
		'completions',
		'man',
		'upgrade',
	]);
});

test('the same order after one that was not found has its mark, so that the late one makes no second', async () => {
	await using world = await openSafeRental();
	await killedRent(world, dropRequest);
	expect(await run(world, 'rent', 'any', ...order)).toMatchObject({code: 0});
	const [first, second] = ordersSent(world).map(({body}) => /RENTTY_WISH[^,}]*/.exec(body)?.[0]);
	expect(first).toBeDefined();
	expect(second).toBe(first);
	expect(await world.made()).toHaveLength(1);
});

/** The market hears of the order when it is let go, after the program was killed. */
function heldUntil(gate: Promise<void>): {readonly fault: Fault; readonly arrived: Promise<void>} {
	const {promise: arrived, resolve} = Promise.withResolvers<void>();
	return {
		arrived,
		fault({forward: act, response}) {
			response.destroy();
			void gate.then(act).then(() => resolve());
		},
	};
}

const saidAt = (world: SafeRental) =>
	ordersSent(world).map(({body}) => /RENTTY_WISH[^,}]*/.exec(body)?.[0]);

test('what was said not to be rented has the mark of its order, when the same is typed again', async () => {
	await using world = await openSafeRental();
	await killedRent(world, dropRequest);
	world.time.pass(60_000);
	expect((await run(world, 'ps')).err).toContain(
		'was not rented so far: nothing of it is charged.',
	);
	expect(await run(world, 'rent', 'any', ...order)).toMatchObject({code: 0});
	const [first, second] = saidAt(world);
	expect(first).toBeDefined();
	expect(second).toBe(first);
});

test('what was said not to be rented, and arrived late, is named in place of a second', async () => {
	await using world = await openSafeRental();
	const gate = createGate();
	const {fault, arrived} = heldUntil(gate.opened);
	await killedRent(world, fault);
	world.time.pass(60_000);
	expect((await run(world, 'ps')).err).toContain(
		'was not rented so far: nothing of it is charged.',
	);
	gate.open();
	await arrived;
	const again = await run(world, 'rent', 'any', ...order);
	expect(again).toMatchObject({code: 1, out: ''});
	expect(again.err).toContain('The same command again rents another.');
	expect(await world.made()).toHaveLength(1);
	expect(await run(world, 'rent', 'any', ...order)).toMatchObject({code: 0});
	expect(await world.made()).toHaveLength(2);
});

/** Settles as a console does when it opens, twice: it tells once. */
async function openConsoles(world: SafeRental): Promise<readonly string[]> {
	const told: string[] = [];
	const notify = {
		send: ({text}: {readonly text: string}) => told.push(text) > 0,
		alert: () => true,
		setTrouble: () => undefined,
		setBooting: () => undefined,
	};
	const fleet = {refresh: async () => undefined};
	const orders = {start: () => undefined};
	const {signal} = new AbortController();
	for (const _ of [1, 2]) {
		// oxlint-disable-next-line no-await-in-loop -- the second is opened after the first
		await settlePendingRents(world.openAnother(), {notify, fleet, orders, signal});
	}
	return told;
}

test('what a console has told of is named by the same order once more, before it rents another', async () => {
	await using world = await openSafeRental();
	await killedRent(world, dropReply);
	const [id] = await world.made();
	expect(await openConsoles(world)).toEqual([expect.stringContaining(`is instance ${id}`)]);
	const again = await run(world, 'rent', 'any', ...order);
	expect(again).toMatchObject({code: 1, out: ''});
	expect(again.err).toContain(`is instance ${id}, and is charged`);
	expect(await world.made()).toHaveLength(1);
	expect(await run(world, 'rent', 'any', ...order)).toMatchObject({code: 0});
	expect(await world.made()).toHaveLength(2);
});

test('what a console has told of, and its renter has destroyed, keeps the same order from nothing', async () => {
	await using world = await openSafeRental();
	await killedRent(world, dropReply);
	const [id = 0] = await world.made();
	await openConsoles(world);
	await world.client.instances.destroy(id);
	expect(await run(world, 'rent', 'any', ...order)).toMatchObject({code: 0});
});

test('an order that was looked for in vain is said not to be rented so far, and which one is safe to repeat', async () => {
	await using world = await openSafeRental();
	world.proxy.next(RENT, dropRequest);
	const {code, err} = await run(world, 'rent', 'any', ...order);
	expect(code).toBe(6);
	expect(err).toMatch(
		/no such instance was found\. Offer \d+ was not rented so far: nothing of it is charged\. Should it still arrive, the same order again rents no second\.\n$/,
	);
});
