import {expect, test} from 'vitest';
import {exitCodes} from '../../../source/commands/base/failure.ts';
import {commandsOf} from '../../helpers/commands/commands.ts';
import {openFleetMarket, stoppedRun} from '../../helpers/fleet/fleet.ts';
import {rentDirectly} from '../../helpers/market/instances.ts';
import {openRentable} from '../../helpers/market/rentable.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

/** A service that nobody has asked so far; a call of it would fail with another code. */
const silent = {url: 'http://127.0.0.1:9', key: 'k'};

test.for([
	['--none', '--for=1h'],
	['--none', '--idle=30m'],
	['--none', '--extend=1h'],
	['--restore', '--for=1h'],
	['--restore', '--none'],
	['--extend=1h', '--for=1h'],
])('rentty lease takes no two different leases: %s %s', async words => {
	for (const order of [words, words.toReversed()]) {
		const {code, err} = await commandsOf(silent)('lease', '7', ...order);
		expect(code).toBe(exitCodes.usage);
		expect(err).toMatch(
			/^rentty: --[a-z]+ and --[a-z]+ ask for two different leases: leave one\. Nothing was changed\.\n$/,
		);
	}
});

test.each([
	[
		-60,
		/starting: its lease is over, so that whoever keeps it ends it again; rentty lease \d+ --for 2h gives it another\./,
	],
	[3600, /old-run (?:starting|waits)/],
] as const)(
	'a start %i s from the end of its lease says whether that is over',
	async (left, words) => {
		await using market = await openRentable();
		const label = `old-run [lease1 e${TEST_NOW + left} td]`;
		await rentDirectly(market.database, {...stoppedRun, label});
		const {out} = await commandsOf(market)('start', 'old-run', '--yes');
		expect(out).toMatch(words);
		expect(out.includes('is over')).toBe(left < 0);
	},
);

test.each([
	[3 * 3600, "Its end is counted by the service's clock, which is 3h ahead of this machine's."],
	[-600, "Its end is counted by the service's clock, which is 10m behind this machine's."],
	[20, undefined],
])(
	'a lease that is set while clocks are %i s apart says by which it counts',
	async (skew, words) => {
		await using market = await openRentable();
		const clock = {now: () => market.clock.now() - skew};
		const run = commandsOf({url: market.url, key: market.key, clock});
		const order = ['--image', 'ubuntu:24.04', '--disk', '16', '--for', '1h', '--yes'];
		const {code, err} = await run('rent', String(market.offer.id), ...order);
		expect(code).toBe(0);
		if (words === undefined) expect(err).not.toContain('clock');
		else expect(err).toContain(words);
	},
);

test('a budget that an instance has spent is refused, and one that it may have spent is asked about', async () => {
	await using market = await openFleetMarket();
	const {running, stopped} = market;
	const run = commandsOf(market);
	const spent = await run('lease', String(running.id), '--budget', '0.0001', '--yes');
	expect(spent.code).toBe(exitCodes.usage);
	expect(spent.err).toMatch(
		/^rentty: it has cost \$[\d.]+(?: to \$[\d.]+)? so far, and a budget of \$0\.0001 would destroy it at once: say a higher one\. Nothing was changed\.\n$/,
	);
	// Nobody knows for how long it ran before it was stopped.
	const perhaps = await run('lease', String(stopped.id), '--budget', '2');
	expect(perhaps.code).toBe(exitCodes.usage);
	expect(perhaps.err).toMatch(
		/It has cost \$[\d.]+ to \$[\d.]+ so far: a budget of \$2 may destroy it at once\.\nrentty: There is no terminal to ask on/,
	);
	expect((await run('lease', 'old-run')).out).toContain('has no end');
	expect((await run('lease', 'old-run', '--budget', '2', '--yes')).code).toBe(0);
	expect((await run('lease', 'old-run')).out).toContain('ends: until $2 then destroy');
	// The same budget again is no new one.
	expect((await run('lease', 'old-run', '--for', '6h')).code).toBe(0);
});
