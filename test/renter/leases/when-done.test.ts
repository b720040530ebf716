import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {leaseOf, waitingOf} from '../../../source/renter/leases/held.ts';
import {readTerms, termsProblem, writeTerms} from '../../../source/renter/leases/lease-terms.ts';
import {
	endlessLease,
	leaseKey,
	readLabel,
	relabelled,
	shownLabel,
	writeLabel,
	type Lease,
} from '../../../source/renter/words/lease.ts';
import {guarded, MADE} from '../../helpers/commands/guarded.ts';

const END = MADE + 86_400;
const waiting: Lease = {...endlessLease, endsAt: END, whenDone: {kind: 'run'}};

test.each([
	'for 6h when done then destroy',
	'for 6h when step=20000 then stop',
	'idle 30m when line="saved before exit" then destroy before rsync "a" b:',
	'until $20 when file=/root/out/DONE then destroy',
])('%j is read as it is written', text => {
	expect(writeTerms(readTerms(text))).toBe(text);
});

test.each([
	['when done', 'when needs an end: for, idle or until'],
	[
		'for 6h when never',
		'expected done, step=5000, line="All done" or file=/root/out/DONE, and not never',
	],
	['for 6h when file=out/DONE', 'and not file=out/DONE'],
	['for 6h when step=0', 'and not step=0'],
	['for 6h when line="open', 'and not line="open'],
])('%j is refused', (text, why) => {
	expect(termsProblem(text)).toContain(why);
});

/** What readers of before saw in a label: the lease at its end, all else is the label. */
const olderReader = /(?:^| )\[lease(\d{1,3})(?: ([\x21-\x5a\x5e-\x7e ]*))?\]$/;

test('a reader that knows no work to wait for reads the rest of the lease, and keeps the mark', () => {
	const label = writeLabel('train', waiting) ?? '';
	expect(label).toBe(`train [when1 done] [lease1 e${END} td]`);
	expect(olderReader.exec(label)?.[2]).toBe(`e${END} td`);
	expect(readLabel(label)).toEqual({label: 'train', lease: waiting, isUnknown: false});
	expect(relabelled(label, 'other')).toBe(`other [when1 done] [lease1 e${END} td]`);
});

test.each([
	['x [when2 later] [lease1 e1795000000 td]', 'x', false],
	['x [when1 %zz] [lease1 e1795000000 td]', 'x', false],
	['x [when1 done] [lease1 e1795000000 td z]', 'x', true],
	['x [when1 done] [lease1 e17950', 'x', true],
	['x [when1 done]', 'x', false],
	['[when1 done] [lease1 e1795000000 td]', '', false],
	['about [when] it is', 'about [when] it is', false],
])('the label %j is shown as %j', (label, shown, isUnknown) => {
	expect(shownLabel(label)).toBe(shown);
	expect(readLabel(label).isUnknown).toBe(isUnknown);
});

test('a lease that waits for work has a key of its own, and that of others stays', () => {
	const {whenDone: _, ...plain} = waiting;
	expect(leaseKey(plain)).toBe(leaseKey({...waiting, whenDone: undefined}));
	expect(leaseKey(waiting)).not.toBe(leaseKey(plain));
});

test('only a guard sees work: what others confirm says nothing of it', () => {
	const held = leaseOf({id: 7, label: writeLabel('x', waiting)});
	expect(waitingOf(held, 'W-M')).toEqual({isWaiting: true, isGuarded: false});
	expect(waitingOf(held, '-G-')).toEqual({isWaiting: true, isGuarded: true});
	expect(waitingOf(held, undefined)).toEqual({isWaiting: true, isGuarded: true});
	expect(waitingOf({lease: {...waiting, isKept: true}}, '---').isWaiting).toBe(false);
});

function worldOf(lease: Lease, record: Partial<Instance> = {}) {
	const known: {evidence: string | undefined; isRead: boolean} = {
		evidence: undefined,
		isRead: true,
	};
	const done = {evidence: () => known.evidence, isRead: () => known.isRead};
	return {known, world: guarded({label: writeLabel('train', lease), ...record, done})};
}

test('an instance whose work is done ends at the second list, with evidence and proof', async () => {
	const {known, world} = worldOf(waiting);
	await world.looks(60, 30);
	known.evidence = 'its run is DONE';
	await world.looks(30);
	expect(world.calls).toEqual([]);
	await world.looks(30);
	expect(world.calls).toEqual(['destroy 7']);
	expect(world.told).toMatchObject([
		{
			kind: 'ended',
			act: 'destroy',
			evidence: 'lease done: its run is DONE, two lists until 2025-11-24T16:02:30Z',
			proof: 'gone',
		},
	]);
});

test.each<readonly [string, Lease, Partial<Instance>]>([
	['its lease waits for nothing', {...waiting, whenDone: undefined}, {}],
	['it is kept', {...waiting, isKept: true}, {}],
	[
		'it is stopped',
		waiting,
		{actual_status: 'exited', cur_state: 'stopped', intended_status: 'stopped'},
	],
	['it cannot be reached', waiting, {actual_status: 'offline'}],
])('work that is done ends nothing where %s', async (_, lease, record) => {
	const {known, world} = worldOf(lease, record);
	known.evidence = 'its run is DONE';
	await world.looks(60, 30, 30, 30);
	expect(world.calls).toEqual([]);
});

test('one list alone, or work that goes on again, ends nothing', async () => {
	const {known, world} = worldOf(waiting);
	for (const says of ['its run is DONE', undefined, 'its run is DONE', undefined]) {
		known.evidence = says;
		await world.looks(30);
	}
	expect(world.calls).toEqual([]);
});

test('a guard that could not read how far it is does not confirm the lease', async () => {
	const {known, world} = worldOf(waiting);
	known.isRead = false;
	expect((await world.looks(30))?.unmeasured).toEqual([7]);
	known.isRead = true;
	expect((await world.looks(30))?.unmeasured).toEqual([]);
	known.isRead = false;
	world.set({actual_status: 'exited'});
	expect((await world.looks(30))?.unmeasured).toEqual([]);
});

test('what is stopped first once its work is done is destroyed an hour later, and waits no more', async () => {
	const {known, world} = worldOf({...waiting, action: 'stop-destroy'});
	known.evidence = 'its run is DONE';
	await world.looks(30, 30);
	expect(world.calls[0]).toBe('stop 7');
	expect(world.calls[1]).toMatch(/^label 7 train \[lease1 e\d+ td\]$/);
});
