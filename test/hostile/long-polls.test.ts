import {request} from 'node:http';
import type {IncomingMessage} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {testPublication} from '../helpers/host/hosts.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';

const MANY = 500;

type Waiting = {readonly url: string; readonly key: string; readonly after: number};

/** Asks for the work of a host, on a connection of its own, until there is some or it is let go. */
function openPoll({url, key, after}: Waiting) {
	const answered = Promise.withResolvers<string>();
	const call = request(`${url}/api/v0/hosts/work/?after=${after}&wait=25`, {
		agent: false,
		headers: {authorization: `Bearer ${key}`},
	});
	call.on('response', (response: IncomingMessage) => answered.resolve(text(response)));
	call.on('error', answered.reject);
	const sent = new Promise<void>(resolve => call.end(() => resolve()));
	let isAnswered = false;
	const answer = answered.promise.then(body => {
		isAnswered = true;
		return body;
	});
	answer.catch(() => undefined);
	return {sent, answer, isAnswered: () => isAnswered, leave: () => call.destroy()};
}

test('500 hosts that wait for work keep nobody else waiting, and hear of it when there is some', async () => {
	using folder = openFolder();
	await using market = await startMarket(join(folder.path, 'market.db'), '--offers', '20');
	const {url} = market;
	const key = await market.key();
	await using client = clientOf(url, key);
	await client.hosts.publish(testPublication());
	const {revision: after} = await client.hosts.takeWork({after: 0});
	const polls = Array.from({length: MANY}, () => openPoll({url, key, after}));
	await Promise.all(polls.map(async ({sent}) => sent));

	// Whoever calls meanwhile is answered before any of them.
	const {offers} = await client.offers.search();
	expect(offers.length).toBeGreaterThan(0);
	const machine = await client.hosts.publish(testPublication({name: 'another'}));
	await client.hosts.heartbeat([machine.id]);
	expect((await client.instances.list()).instances).toEqual([]);
	expect(polls.filter(({isAnswered}) => isAnswered())).toEqual([]);

	// Half of them go, and the others hear of what is new.
	const [gone, kept] = [polls.slice(0, MANY / 2), polls.slice(MANY / 2)];
	for (const {leave} of gone) leave();
	const offer = (await client.offers.search()).offers.find(({machine_id: id}) => id === machine.id);
	expect(offer).toBeDefined();
	const rented = await client.instances.rent(offer?.id ?? 0, {image: 'ubuntu:24.04'});
	expect(rented.outcome).toBe('created');
	const answers = await Promise.all(kept.map(async ({answer}) => answer));
	expect(new Set(answers).size).toBe(1);
	expect(answers[0]).toContain('ubuntu:24.04');
	expect(market.log()).not.toContain('trouble');
});
