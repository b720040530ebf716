import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLeadership, readLeader} from '../../../source/renter/leases/guard-status.ts';
import {openFolder} from '../../helpers/folder.ts';

/** Two guards that share a folder, on machines of their own. */
function openTwo(folder: string) {
	const file = join(folder, 'guard.json');
	let now = 0;
	const steady = () => now;
	const guard = (host: string) => openLeadership({file, steady, self: {host, pid: 1}});
	return {
		file,
		first: guard('one'),
		second: guard('two'),
		pass: (seconds: number) => (now += seconds * 1000),
	};
}

test('of two guards that share a folder one acts, and the other when that is silent', async () => {
	using folder = openFolder();
	const {first, second, pass} = openTwo(folder.path);
	expect([await first.lead(), await second.lead()]).toEqual([true, false]);
	pass(60);
	expect([await first.lead(), await second.lead()]).toEqual([true, false]);
	pass(89);
	expect(await second.lead()).toBe(false);
	pass(1);
	expect(await second.lead()).toBe(true);
	expect(await first.lead()).toBe(false);
});

test('a guard that was frozen and wakes acts no more', async () => {
	using folder = openFolder();
	const {first, second, pass} = openTwo(folder.path);
	await first.lead();
	await second.lead();
	pass(3600);
	expect([await second.lead(), await first.lead()]).toEqual([true, false]);
});

test('a guard that ends lets the next one act at once, and so does one that died here', async () => {
	using folder = openFolder();
	const {file, first, second} = openTwo(folder.path);
	await first.lead();
	await first.leave();
	expect(await second.lead()).toBe(true);
	const dead = openLeadership({file, steady: () => 0, self: {host: 'two', pid: 2 ** 22}});
	await second.leave();
	await dead.lead();
	expect(await openLeadership({file, steady: () => 0, self: {host: 'two', pid: 1}}).lead()).toBe(
		true,
	);
});

test('two guards that ask at once are never both told to act', async () => {
	using folder = openFolder();
	const {first, second} = openTwo(folder.path);
	for (let round = 0; round < 20; round++) {
		const both = await Promise.all([first.lead(), second.lead()]);
		expect(both.filter(leads => leads)).toHaveLength(1);
	}
});

test('the first guard of a machine makes its folder', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'state', 'rentty', 'guard.json');
	expect(await openLeadership({file, steady: () => 0}).lead()).toBe(true);
});

test('what a guard tells of itself is read by others', async () => {
	using folder = openFolder();
	const {file, first} = openTwo(folder.path);
	expect(await readLeader(file)).toBeUndefined();
	await first.lead({profiles: ['a']});
	await first.lead({heard: 5});
	expect(await readLeader(file)).toMatchObject({host: 'one', status: {profiles: ['a'], heard: 5}});
});
