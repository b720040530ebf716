import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {
	ApiError,
	NetworkError,
	ReplyError,
	TimeoutError,
} from '../../../source/client/exchange/errors.ts';
import {repeatAfter} from '../../../source/client/exchange/retry.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {answered, cutReply, dropReply, dropRequest} from '../../helpers/services/faults.ts';
import {createHandTime, createSwiftTime} from '../../helpers/hand-time.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

const refused = (status: number, retryAfterSeconds?: number) =>
	new ApiError('try', {status, code: undefined, serverSays: undefined, retryAfterSeconds});
const broken = (code: string) => new NetworkError('try', Object.assign(new Error('no'), {code}));

/** Those failures after which a call is sent again. */
function repeated(isReading: boolean, errors: readonly Error[]): readonly Error[] {
	const failure = {isReading, sent: 1, chance: 0};
	return errors.filter(error => repeatAfter({...failure, error}) !== undefined);
}

test('what changes nothing is repeated where the service may do better', () => {
	const passing = [500, 502, 503, 504, 429].map(status => refused(status));
	const useful = [...passing, broken('ECONNRESET'), broken('ENOTFOUND')];
	expect(repeated(true, useful)).toEqual(useful);
	const refusals = [400, 401, 403, 404, 410, 307].map(status => refused(status));
	const final = [broken('CERT_HAS_EXPIRED'), broken('UND_ERR_DESTROYED')];
	const others = [new TimeoutError('try', 1), new ReplyError('try', 'odd'), new Error('bug')];
	expect(repeated(true, [...refusals, ...final, ...others])).toEqual([]);
});

test('a change is repeated only where the service certainly did not act', () => {
	const unsent = [refused(429), broken('ECONNREFUSED'), broken('ENOTFOUND')];
	expect(repeated(false, unsent)).toEqual(unsent);
	const unclear = [refused(500), refused(503), broken('ECONNRESET'), broken('EHOSTUNREACH')];
	const others = [new TimeoutError('try', 1), new ReplyError('try', 'odd')];
	expect(repeated(false, [...unclear, ...others])).toEqual([]);
});

test('each wait is twice as long, chance takes up to half of it, and what is asked for is obeyed', () => {
	const failure = {isReading: true, chance: 0, error: broken('ECONNRESET')};
	expect([1, 2, 3].map(sent => repeatAfter({...failure, sent}))).toEqual([250, 500, 1000]);
	expect(repeatAfter({...failure, sent: 1, chance: 1})).toBe(125);
	expect(repeatAfter({...failure, sent: 9})).toBe(30_000);
	expect(repeatAfter({...failure, sent: 1, error: refused(429)})).toBe(1000);
	expect(repeatAfter({...failure, sent: 1, error: refused(429, 7)})).toBe(7000);
	expect(repeatAfter({...failure, sent: 1, error: refused(503, 2)})).toBe(2000);
	expect(repeatAfter({...failure, sent: 1, error: refused(429, 31)})).toBeUndefined();
});

test('a question outlives two answers that were lost', async () => {
	await using market = await openTestMarket({offers: 20});
	await using proxy = await openFaultProxy(market.url);
	const time = createSwiftTime();
	const client = openClient({url: proxy.url, key: market.key, time, paceScale: 0});
	for (const fault of [
		dropRequest,
		dropReply,
		cutReply(0),
		cutReply(50),
		answered({status: 502}),
	]) {
		proxy.next({path: '/api/v0/bundles/'}, fault, 2);
		const before = proxy.requests.length;
		expect((await client.offers.search({}, {isUrgent: true})).offers.length).toBe(20);
		expect(proxy.requests.length - before).toBe(3);
	}
	expect(time.pauses.length).toBe(10);
	proxy.next({path: '/api/v0/bundles/'}, answered({status: 502}), 3);
	await expect(client.offers.search()).rejects.toMatchObject({status: 502});
	await client.close();
});

test('a rental whose answer is lost is sent once', async () => {
	const faults = [dropReply, cutReply(10), answered({status: 503, acts: true})];
	for (const fault of faults) {
		await using market = await openRentable();
		await using proxy = await openFaultProxy(market.url);
		const client = openClient({url: proxy.url, key: market.key, time: createSwiftTime()});
		proxy.next({method: 'PUT'}, fault);
		const order = {image: 'debian', disk: 10};
		const lost = client.instances.create(market.offer.id, order);
		await expect(lost).rejects.toMatchObject({mayHaveActed: true});
		await expect(lost).rejects.toThrow('It may have been created all the same');
		expect(proxy.requests.filter(({method}) => method === 'PUT')).toHaveLength(1);
		expect((await client.instances.list()).instances).toHaveLength(1);
		await client.close();
	}
});

test('a rental that came too soon after others is sent again when it may be', async () => {
	await using market = await openRentable();
	await using proxy = await openFaultProxy(market.url);
	const time = createSwiftTime();
	const client = openClient({url: proxy.url, key: market.key, time});
	const headers = {'retry-after': '5'};
	proxy.next({method: 'PUT'}, answered({status: 429, body: {detail: 'too frequent'}, headers}));
	await client.instances.create(market.offer.id, {image: 'debian', disk: 10});
	expect(proxy.requests).toHaveLength(2);
	expect(time.pauses).toEqual([5000]);
	expect((await client.instances.list()).instances).toHaveLength(1);
	await client.close();
});

test('whoever gives up, and the end of the client, end the wait at once', async () => {
	await using market = await openTestMarket({offers: 1});
	await using proxy = await openFaultProxy(market.url);
	proxy.next({}, answered({status: 503}), 9);
	const time = createHandTime();
	const client = openClient({url: proxy.url, key: market.key, time});
	const controller = new AbortController();
	const left = client.account.current({signal: controller.signal});
	const closed = client.account.current().catch((error: unknown) => error);
	await expect.poll(time.waiting).toBe(2);
	controller.abort(new Error('left the screen'));
	await expect(left).rejects.toThrow('left the screen');
	await client.close();
	expect(await closed).toMatchObject({status: 503});
	expect(time.waiting()).toBe(0);
});
