import {once} from 'node:events';
import {connect} from 'node:net';
import {expect, test} from 'vitest';
import {openRelay} from '../../../source/market/relay/relay.ts';
import {
	freePorts,
	HERE,
	nextOf,
	openTestRelay,
	socketPair,
	wholeOf,
} from '../../helpers/market/relay.ts';

test('what a renter sends comes to the instance, and its end; the answer and its end come back', async () => {
	await using world = await openTestRelay();
	const asked: unknown[] = [];
	await world.addAgent((stream, headers) => {
		asked.push([headers[':method'], headers[':authority'], headers['forwarded']]);
		stream.respond({':status': 200});
		let text = '';
		stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
		// The renter's end comes first, and the answer after it is not lost.
		stream.on('end', () => stream.end(`heard ${text}`));
	});
	const renter = world.enter();
	renter.end('hello');
	expect(await wholeOf(renter)).toBe('heard hello');
	expect(asked).toEqual([['CONNECT', '7:22', 'for=127.0.0.1']]);
	expect(world.relay.figures()).toMatchObject({sent: 5, received: 11, refused: 0});
});

test('a connection that an agent cuts is cut for its renter, and does not end properly', async () => {
	await using world = await openTestRelay();
	await world.addAgent(stream => {
		stream.respond({':status': 200});
		stream.write('half', () => stream.destroy(new Error('gone')));
	});
	expect(await wholeOf(world.enter())).toBeUndefined();
});

test('a connection that a renter cuts is cut in the instance, and nothing is left of it', async () => {
	await using world = await openTestRelay();
	const {promise, resolve} = Promise.withResolvers<boolean>();
	await world.addAgent(stream => {
		stream.respond({':status': 200});
		stream.resume();
		stream.once('close', () => resolve(stream.aborted || stream.rstCode !== 0));
	});
	const renter = world.enter();
	renter.write('hello', () => renter.resetAndDestroy());
	expect(await promise).toBe(true);
	await expect.poll(() => world.relay.figures().connections).toBe(0);
});

test('renters of a machine without an agent are sent away at once', async () => {
	await using world = await openTestRelay();
	expect(await wholeOf(world.enter())).toBeUndefined();
	expect(world.relay.figures()).toMatchObject({refused: 1, agents: 0});
});

test('a newer start of an agent ends the sessions of the older one, and takes its renters', async () => {
	await using world = await openTestRelay();
	const older = await world.addAgent(stream => stream.respond({':status': 200}), 'older-start');
	const ended = once(older, 'close');
	const newer = (name: string) =>
		world.addAgent(stream => {
			stream.respond({':status': 200});
			stream.end(name);
		}, 'newer-start');
	await newer('newer');
	await ended;
	await newer('newer');
	expect(await wholeOf(world.enter())).toBe('newer');
	expect(world.relay.figures().agents).toBe(2);
});

test('a session that answers no ping is over', async () => {
	await using world = await openTestRelay({pingSeconds: 0.05});
	// As on a line that is silently cut: nothing is read, and nothing is ended.
	await world.addRawAgent();
	expect(world.relay.figures().agents).toBe(1);
	await expect.poll(() => world.relay.figures().agents).toBe(0);
});

/** Another network than that of most renters in these tests. */
const ELSEWHERE = '127.0.0.2';

test('an instance has so many connections, and a renter no more than others', async () => {
	await using world = await openTestRelay({limits: {instance: 4}});
	await world.addAgent(stream => {
		stream.respond({':status': 200});
		stream.write('in');
	});
	const held = [world.enter(), world.enter()];
	await Promise.all(held.map(async socket => once(socket, 'data')));
	expect(await wholeOf(world.enter())).toBeUndefined();
	const others = [world.enter(ELSEWHERE), world.enter(ELSEWHERE)];
	await Promise.all(others.map(async socket => once(socket, 'data')));
	expect(await wholeOf(world.enter('127.0.0.3'))).toBeUndefined();
	held[0]?.resetAndDestroy();
	await expect.poll(() => world.relay.figures().connections).toBe(3);
	expect(await nextOf(world.enter())).toBe('in');
});

test('new connections to a port are so many in a second, and a burst from one network keeps no other out', async () => {
	await using world = await openTestRelay({limits: {second: 6}});
	await world.addAgent(stream => {
		stream.respond({':status': 200});
		stream.end('in');
	});
	const all = await Promise.all(Array.from({length: 12}, async () => wholeOf(world.enter())));
	expect(all.filter(text => text === 'in').length).toBeLessThan(12);
	expect(world.relay.figures().refused).toBeGreaterThan(0);
	expect(await wholeOf(world.enter(ELSEWHERE))).toBe('in');
});

test('what comes as a relay is closed keeps neither a port nor an agent', async () => {
	const port = await freePorts(1);
	const list = Promise.withResolvers<readonly number[]>();
	let reads = 0;
	const relay = await openRelay({
		address: HERE,
		ports: async () => (reads++ === 0 ? [] : list.promise),
		find: async () => undefined,
		log: () => undefined,
	});
	const refreshed = relay.refresh();
	const [near, far] = await socketPair();
	await relay.close();
	list.resolve([port]);
	await refreshed;
	relay.sessions.add(near, {machines: [3], start: 'late-start'});
	expect(await wholeOf(far)).toBe('');
	await relay.open([port]);
	await expect(once(connect(port, HERE), 'connect')).rejects.toThrow('ECONNREFUSED');
});
