import {expect, test} from 'vitest';
import {bootOf, stuckMeans, stuckText} from '../../../../source/renter/actions/stuck-boots.ts';
import type {Instance} from '../../../../source/contract/nouns/instance-record.ts';
import {applyList} from '../../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet, type FleetRow} from '../../../../source/renter/fleet/fleet-state.ts';
import {listOf, lookAt, startDate} from '../../../helpers/fleet/looks.ts';
import {answered} from '../../../helpers/services/faults.ts';
import {misdeliver} from '../../../helpers/services/other-records.ts';
import {openTorch} from './open-rent.ts';

/** An instance that was looked at for so many minutes since it was made. */
function rowOf(status: string | null, minutes: number, more: Partial<Instance> = {}): FleetRow {
	const instance = {id: 7, actual_status: status, start_date: startDate(0), ...more};
	const looks = Array.from({length: minutes + 1}, (_, minute) => minute);
	const {rows} = looks.reduce(
		(state, minute) => applyList(state, listOf([instance]), lookAt(minute)),
		unseenFleet,
	);
	const [row] = rows;
	if (row === undefined) throw new Error('no row');
	return row;
}

const stopped = {intended_status: 'stopped', cur_state: 'stopped'};

test.each([
	['stuck', 'failed', rowOf('loading', 10)],
	['stuck before a look showed it for long', 'under way', rowOf('loading', 9)],
	['dead', 'failed', rowOf('offline', 10)],
	['dead, and new', 'under way', rowOf('offline', 9)],
	['ended after it ran', 'over', rowOf('exited', 10)],
	['stopped', 'over', rowOf('loading', 1, stopped)],
	['provisioning', 'under way', rowOf(null, 1)],
	['waiting', 'under way', rowOf('loading', 1, {cur_state: 'stopped'})],
] as const)('a boot that is %s is %s', (_, boot, row) => {
	expect(bootOf(row, true)).toBe(boot);
});

test('an instance that is not listed yet may still boot, and one that is listed no longer is over', () => {
	expect([bootOf(undefined, false), bootOf(undefined, true)]).toEqual(['under way', 'over']);
});

test('only what is armed is spoken of in the review', () => {
	expect(stuckMeans({stuck: 'ask'})).toBeUndefined();
	expect(stuckMeans({stuck: 'destroy'})).toContain('DESTROYED without a question.');
	expect(stuckMeans({stuck: 'destroy+next', tries: '2', ceiling: '5'})).toContain(
		'2 at most, none more than +5 % dearer',
	);
	expect(stuckText('ask', 10)).toBe('tell me after 10 min');
});

/** Rents with an action armed, and lets more time pass than a boot may take. */
async function rentArmed(presses: number, settings = {}) {
	const rentty = await openTorch({
		settings: {fallback: {tries: 3, ceilingPercent: 900}, ...settings},
	});
	await rentty.openForm();
	await rentty.keys('g', '\t\t\t\t\t\t\t\t\t\t', ' '.repeat(presses));
	await rentty.toReview();
	return {
		...rentty,
		async boot() {
			rentty.agree();
			await rentty.sees('Rented: instance');
			await rentty.leaveKey();
			for (const minutes of [0, 5, 6]) {
				rentty.pass(minutes * 60_000);
				await rentty.keys('R');
			}
		},
		[Symbol.asyncDispose]: rentty[Symbol.asyncDispose],
	};
}

test('an instance that never runs is destroyed without a question where that was armed, and no other one', async () => {
	await using rentty = await rentArmed(1);
	await rentty.market.rent({image: 'x', label: 'other'}, rentty.market.offer.id);
	expect(await rentty.review()).toMatch(
		/IF STUCK +what never ran and is stuck or dead is DESTROYED/,
	);
	await rentty.boot();
	await rentty.sees('never came to run, and is gone.');
	expect(await rentty.rentals()).toMatchObject([{image: 'x'}]);
	expect(rentty.orders()).toBe(1);
});

test('what was armed is seen on its instance, and taken back there', async () => {
	await using rentty = await rentArmed(1);
	await rentty.review();
	rentty.agree();
	await rentty.sees('Rented: instance');
	await rentty.leaveKey();
	await rentty.keys('j');
	await rentty.sees('ARMED, u undoes');
	await rentty.keys('u');
	await rentty.sees(/Nothing is done to 1 +without a question now/);
	expect(await rentty.shown()).not.toContain('ARMED');
	rentty.pass(20 * 60_000);
	await rentty.keys('R');
	await rentty.sees('stuck');
	await rentty.keys('u');
	await rentty.sees('nothing is armed for it');
	expect(await rentty.rentals()).toHaveLength(1);
});

test('Activity takes back what is armed for the instance of an entry', async () => {
	await using rentty = await rentArmed(1);
	await rentty.review();
	rentty.agree();
	await rentty.sees('Rented: instance');
	await rentty.leaveKey();
	await rentty.keys('5', 'v');
	await rentty.sees(/> .*seen +1 /);
	await rentty.keys('u');
	await rentty.sees('Nothing is done to 1 without a question.');
	await rentty.keys('u');
	await rentty.sees('nothing is armed for it');
	expect(await rentty.rentals()).toHaveLength(1);
});

test('the next equal offer is rented in the place of what never ran, within the limits of the form', async () => {
	await using rentty = await rentArmed(2, {lease: 'idle 30m then stop'});
	await rentty.review();
	await rentty.boot();
	await rentty.sees(/Instance 1 is gone\. In its place instance 2 is rented for \$/);
	expect(await rentty.rentals()).toMatchObject([{id: 2, image: 'a/torch:2.6'}]);
	expect(rentty.orders()).toBe(2);
	const rows = await rentty.market.database.selectFrom('instances').select('label').execute();
	expect(rows.map(({label}) => label)).toEqual(Array(2).fill('[lease1 i1800 ts]'));
});

test('an instance that is rented in its place is compared with its order as well', async () => {
	await using rentty = await rentArmed(2);
	await rentty.review();
	misdeliver(rentty.proxy, {disk_space: 20});
	await rentty.boot();
	await rentty.sees('In its place instance 2');
	await rentty.keys('2');
	await rentty.sees('1 of 1');
	await rentty.keys('\r');
	expect(await rentty.sees('Instances > 2')).toContain('! Not as ordered: disk 20 GB');
});

test('nothing is rented in its place above the ceiling', async () => {
	await using rentty = await rentArmed(2, {fallback: {tries: 3, ceilingPercent: 5}});
	await rentty.review();
	await rentty.boot();
	await rentty.sees(/Nothing was rented in its place: the next one is \+\d+ %/);
	expect(rentty.orders()).toBe(1);
});

test('nothing is rented in its place while it is not known to be gone', async () => {
	await using rentty = await rentArmed(2);
	await rentty.review();
	rentty.proxy.next({method: 'DELETE'}, answered({status: 401, body: {success: false}}), 9);
	await rentty.boot();
	await rentty.sees('Nothing else was rented.');
	expect(rentty.orders()).toBe(1);
	expect(await rentty.rentals()).toHaveLength(1);
});

test('nothing is destroyed where nothing was armed', async () => {
	await using rentty = await rentArmed(0);
	await rentty.review();
	await rentty.boot();
	await rentty.sees('stuck');
	expect(await rentty.rentals()).toHaveLength(1);
});
