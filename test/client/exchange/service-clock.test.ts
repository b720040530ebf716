import {expect, test} from 'vitest';
import {createServiceClock} from '../../../source/client/exchange/time.ts';
import {createHandClock, openTestMarket, TEST_NOW} from '../../helpers/market/market.ts';
import {openTestClient, openToldService} from '../../helpers/services/told-service.ts';

const START = TEST_NOW * 1000;

/** A service whose clock is ahead by so many milliseconds, seen from a clock that is moved by hand. */
function openAhead(ahead: number) {
	let local = START;
	const {clock, noteDate} = createServiceClock(() => local);
	return {
		clock,
		pass: (ms: number) => (local += ms),
		jump: (ms: number) => (ahead += ms),
		/** An answer that takes some milliseconds, half of them before it is dated. */
		answer(tookMs = 100) {
			const sentAt = local;
			local += tookMs / 2;
			const header = new Date(local + ahead).toUTCString();
			local += tookMs / 2;
			noteDate(header, sentAt);
		},
	};
}

test('a service that does not contradict this machine has the same time', () => {
	const service = openAhead(400);
	expect(service.clock.skewMs()).toBe(0);
	service.answer();
	expect(service.clock.skewMs()).toBe(0);
});

test.for([3_600_000, -3_600_000, 86_400_000, -2500])(
	'a clock that is %d ms ahead is known to the second, and never taken to be later than it is',
	ahead => {
		const service = openAhead(ahead);
		for (let answers = 0; answers < 20; answers++) {
			service.answer();
			service.pass(1337);
			expect(service.clock.skewMs()).toBeLessThanOrEqual(ahead);
			expect(service.clock.skewMs()).toBeGreaterThan(ahead - 1200);
		}
		expect(service.clock.skewMs()).toBeGreaterThan(ahead - 200);
	},
);

test('a clock that jumps is known again from the next answer on', () => {
	const service = openAhead(0);
	service.answer();
	service.jump(-7_200_000);
	service.answer();
	expect(service.clock.skewMs()).toBeLessThan(-7_199_000);
	service.jump(7_200_000);
	service.answer();
	expect(Math.abs(service.clock.skewMs())).toBeLessThan(1200);
});

test('what is no date says nothing', () => {
	const {clock, noteDate} = createServiceClock(() => START);
	for (const header of [undefined, '', 'soon', '2026', 'Sun, 99 Nov 2026 09:28:28 GMT', 7, ['x']]) {
		noteDate(header, START);
	}
	expect(clock.skewMs()).toBe(0);
});

test('the time of a real market is that of its answers', async () => {
	await using market = await openTestMarket({offers: 3});
	await using client = openTestClient({url: market.url, key: market.key});
	await client.offers.search();
	expect(Math.abs(client.clock.now() - TEST_NOW * 1000)).toBeLessThan(2000);
	market.clock.pass(86_400);
	await client.offers.search();
	expect(Math.abs(client.clock.now() - (TEST_NOW + 86_400) * 1000)).toBeLessThan(2000);
});

test('a service without dates has the time of this machine', async () => {
	await using service = await openToldService((_, response) => {
		response.sendDate = false;
		response.writeHead(200, {'content-type': 'application/json'}).end('{"offers":[]}');
	});
	const hand = createHandClock(7);
	await using client = openTestClient({url: service.url, key: 'k', now: () => hand.now()});
	await client.offers.search();
	expect(client.clock.now()).toBe(7);
});
