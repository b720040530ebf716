import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {openLeadership} from '../../../source/renter/leases/guard-status.ts';
import {leaseOf} from '../../../source/renter/leases/held.ts';
import {keepersBy} from '../../../source/renter/leases/keepers.ts';
import {endlessLease, leaseKey} from '../../../source/renter/words/lease.ts';
import {openFolder} from '../../helpers/folder.ts';

const now = 1_795_000_000_000;
const ends = now / 1000 + 3600;
const label = `train [lease1 e${ends} td]`;
const plain: Instance = {id: 7, label, actual_status: 'running', onstart: ''};

/** Letters where a guard last said of its leases what is given. */
async function lettersOf(
	instance: Instance,
	{guard, watchdog}: {guard?: Readonly<Record<string, unknown>>; watchdog?: boolean} = {},
): Promise<string | undefined> {
	using folder = openFolder();
	const file = join(folder.path, 'guard.json');
	if (guard !== undefined) {
		const leads = openLeadership({file, steady: () => 0});
		await leads.lead({profiles: {lab: {heardAt: now - 12_000, ...guard}}});
	}
	const dog = () => watchdog;
	return keepersBy({state: folder.path, name: 'lab', now, watchdog: dog})(instance);
}

const {lease: held = endlessLease} = leaseOf(plain);
const key = leaseKey(held);

test('each who confirmed the lease has a letter, and who does not confirm it a question mark', async () => {
	expect(await lettersOf(plain)).toBe('---');
	expect(await lettersOf(plain, {guard: {leases: {7: key}}})).toBe('-G-');
	expect(await lettersOf(plain, {guard: {leases: {7: 'another'}}})).toBe('-?-');
	const silent = {leases: {7: key}, heardAt: now - 600_000};
	expect(await lettersOf(plain, {guard: silent})).toBe('-?-');
	const unshown = {...plain, onstart: undefined};
	expect(await lettersOf(unshown)).toBe('.--');
	expect(await lettersOf(unshown, {watchdog: true})).toBe('W--');
	expect(await lettersOf(unshown, {watchdog: false})).toBe('?--');
	expect(await lettersOf({...unshown, actual_status: 'exited'})).toBe('---');
	const lease = {ends_at: ends, action: 'destroy'} as const;
	expect(await lettersOf({...plain, lease})).toBe('--M');
	expect(await lettersOf({...plain, lease: {...lease, ends_at: ends + 60}})).toBe('--?');
});

test('what nothing ends, or was stopped as agreed, is kept by nobody', async () => {
	expect(await lettersOf({...plain, label: 'train'})).toBe(undefined);
	const stopped = {intended_status: 'stopped', cur_state: 'stopped', actual_status: 'exited'};
	const past = `train [lease1 e${ends - 7200} ts]`;
	expect(await lettersOf({...plain, ...stopped, label: past})).toBe(undefined);
});
