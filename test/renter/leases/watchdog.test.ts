import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {countCharacters} from '../../../source/contract/grammar/harmless-text.ts';
import {endlessLease, leaseKey, type Lease} from '../../../source/renter/words/lease.ts';
import {noTerms, watchdogScript, watchdogTerms} from '../../../source/renter/leases/watchdog.ts';
import {dropRequest, html} from '../../helpers/services/faults.ts';
import {callers, lasts, NOW, openWatched, shells} from '../../helpers/commands/watchdog.ts';

test.for(shells)(
	'a deadline destroys the instance by its own key, in $shell',
	async ({command}) => {
		await using world = await openWatched({command, lease: lasts(60)});
		await world.passes(59);
		await world.becomes('running');
		await world.passes(1);
		await world.becomes('gone');
		expect(world.log()).toBe('');
	},
);

test.for(callers)('it calls the service with %s, and the key is in no argument', async client => {
	await using world = await openWatched({installed: [client], lease: lasts(60, {action: 'stop'})});
	const commandLines: string[] = [];
	const looking = setInterval(() => commandLines.push(...readCommandLines()), 2);
	world.tick(60);
	await world.becomes('stopped');
	clearInterval(looking);
	expect(commandLines.length).toBeGreaterThan(0);
	expect(commandLines.filter(line => line.includes(world.key))).toEqual([]);
});

function readCommandLines(): readonly string[] {
	return readdirSync('/proc').flatMap(pid => {
		if (!/^\d+$/.test(pid)) return [];
		try {
			return [readFileSync(join('/proc', pid, 'cmdline'), 'utf8')];
		} catch {
			return [];
		}
	});
}

test.for(callers)(
	'it marks that the service answers, and not what stands before it, by %s',
	async client => {
		const faults = [html({status: 502}), dropRequest];
		await using world = await openWatched({installed: [client], lease: lasts(6000), faults});
		for (const [at] of faults.entries()) {
			await expect.poll(() => world.requests.length).toBe(at + 1);
			expect(world.hasReached()).toBe(false);
			await world.passes(100);
		}
		await expect.poll(world.hasReached).toBe(true);
	},
);

test.for(shells)("a user's script that blocks does not starve it, in $shell", async ({command}) => {
	const onstart = 'touch began\nwait\nsleep 600\n';
	await using world = await openWatched({command, onstart, lease: lasts(60)});
	await expect.poll(() => readdirSync(world.home)).toContain('began');
	await world.passes(60);
	await world.becomes('gone');
	expect(world.isRunning()).toBe(true);
});

test('the time that has passed is kept over restarts, and a clock that starts anew adds none', async () => {
	await using world = await openWatched({lease: lasts(100)});
	await world.passes(40);
	// The next one writes the same files: this one is past all of them.
	world.tell('rm t; : > over; exit\n');
	await expect.poll(() => readdirSync(join(world.home, '.rentty'))).toContain('over');
	world.tick(50);
	world.start();
	await world.passes(1);
	expect(world.file('.rentty/s')).toMatch(/^e=91 /);
	await world.passes(-1000);
	expect(world.file('.rentty/s')).toMatch(/^e=91 /);
	await world.becomes('running');
	await world.passes(9);
	await world.becomes('gone');
});

test('it learns of another deadline and of none by a file, and marks what it enforces', async () => {
	await using world = await openWatched({lease: lasts(60)});
	const longer = lasts(7200);
	world.tell(`${watchdogTerms({lease: longer, now: NOW})}\n`);
	await expect.poll(() => world.file('.rentty/s')).toContain(leaseKey(longer));
	await world.passes(100);
	world.tell(`${noTerms}\n`);
	await expect.poll(() => world.file('.rentty/s')).toContain('#none');
	await world.passes(9000);
	await world.becomes('running');
});

const before = {command: undefined, limitSeconds: 5, graceSeconds: 1};

test('a command saves results before the end', async () => {
	const lease = lasts(60, {before});
	await using world = await openWatched({lease, before: 'pwd > saved'});
	await world.passes(59);
	expect(world.file('saved')).toBe('');
	world.tick(1);
	await world.becomes('gone');
	expect(world.file('saved')).toBe(`${world.home}\n`);
});

test('a command that fails postpones the end once, and only once', async () => {
	const lease = lasts(60, {before});
	await using world = await openWatched({lease, before: 'date >> tried; false'});
	world.tick(60);
	await world.becomes('gone');
	expect(world.file('tried').trim().split('\n')).toHaveLength(2);
});

test('a command that hangs is ended at its limit', async () => {
	const lease = lasts(60, {before: {...before, limitSeconds: 1, graceSeconds: 0}});
	await using world = await openWatched({lease, before: 'date >> tried; sleep 600'});
	world.tick(60);
	await world.becomes('gone');
	expect(world.file('tried').trim().split('\n')).toHaveLength(2);
});

test('a lease that is made longer during the grace ends nothing', async () => {
	const lease = lasts(60, {before: {...before, graceSeconds: 2}});
	await using world = await openWatched({lease, before: 'date >> tried; false'});
	world.tick(60);
	await expect.poll(() => world.file('tried')).not.toBe('');
	world.tell(`${watchdogTerms({lease: lasts(7200), now: NOW})}\n`);
	await expect.poll(() => world.file('.rentty/s')).toContain(leaseKey(lasts(7200)));
	await world.passes(1);
	await world.becomes('running');
});

test('the script stays within its limit whatever the lease says', () => {
	const lease: Lease = {
		endsAt: NOW + 300_000_000,
		idleSeconds: 99_999_999,
		maxCost: 9_999_999,
		action: 'destroy',
		before: {command: undefined, limitSeconds: 99_999, graceSeconds: 99_999},
		isKept: false,
		ignores: ['network', 'ssh', 'cpu', 'disk'],
	};
	const url = 'https://market.example';
	const script = watchdogScript({lease, url, now: NOW, perHour: 0.0001}) ?? '';
	expect(countCharacters(script.replace(url, ''))).toBeLessThanOrEqual(1500);
});

test('a strange address makes no script, and neither does a lease without an end', () => {
	expect(watchdogScript({lease: lasts(60), url: 'http://x/$(id)', now: NOW})).toBeUndefined();
	expect(watchdogScript({lease: endlessLease, url: 'http://x', now: NOW})).toBeUndefined();
	const kept = {...endlessLease, idleSeconds: 60, isKept: true};
	expect(watchdogScript({lease: kept, url: 'http://x', now: NOW})).toBeUndefined();
});

test('a cost is time at the price that was ordered', () => {
	const lease: Lease = {...endlessLease, maxCost: 20};
	expect(watchdogTerms({lease, now: NOW, perHour: 2})).toContain('L=36000 ');
	expect(watchdogTerms({lease, now: NOW})).toBeUndefined();
});
