import {expect, test} from 'vitest';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import {alertOf} from '../../../source/renter/alerts/guard-alerts.ts';
import type {Halt, Removal} from '../../../source/client/rentals/removal.ts';
import type {GuardEvent} from '../../../source/renter/leases/ending.ts';
import {guarded, MADE} from '../../helpers/commands/guarded.ts';

const END = MADE + 3600;

function refusal(status: number): ApiError {
	const said = {code: undefined, serverSays: 'Destroying is locked'};
	return new ApiError('destroy instance 7', {status, ...said});
}

const refused = () => ({outcome: 'refused', error: refusal(403)}) as const;

const idOf = (event: GuardEvent) => alertOf(event, 'lab', 0).id;

/** Ends that do not happen, however the service says so. */
const failures: ReadonlyArray<readonly [how: string, failure: () => Removal & Halt]> = [
	['403', refused],
	['400', () => ({outcome: 'refused', error: refusal(400)})],
	['an answer that is lost', () => ({outcome: 'unknown', isAccepted: false, error: refusal(502)})],
	['an acceptance that nothing follows', () => ({outcome: 'unlisted', isAccepted: true})],
	[
		'an error',
		() => {
			throw refusal(403);
		},
	],
];

const label = (action: string) => `train [lease1 e${END} t${action}]`;

test.each(failures)(
	'an end that meets %s is tried with growing pauses, and told and alerted once',
	async (_, failure) => {
		for (const action of ['d', 's']) {
			const world = guarded({label: label(action), failure});
			const hour = Array.from({length: 720}, () => 5);
			await world.looks(60, 3540, 12, ...hour);
			// After 30 s, one, two, four, eight minutes, and then a quarter of an hour each.
			expect(world.calls).toHaveLength(8);
			const failed = world.told.filter(({kind}) => kind === 'not ended');
			expect(failed).toHaveLength(1);
			const later = guarded({label: label(action), failure});
			await later.looks(60, 3540, 12);
			const [one, other] = [world, later].map(({told: [first]}) => first && idOf(first));
			expect(other).toBe(one);
			world.mend();
			await world.looks(900);
			expect(world.told.map(({kind}) => kind)).toEqual(['not ended', 'ended']);
		}
	},
);

test('a refusal is told in its own words, with when it is tried again', async () => {
	const world = guarded({label: label('d'), failure: refused});
	await world.looks(60, 3540, 12);
	const [event] = world.told;
	const alert = event && alertOf(event, 'lab', 0);
	expect(alert).toMatchObject({kind: 'lease-failed', title: '7 train did not end'});
	expect(alert?.text).toBe(
		'destroy did not work: Could not destroy instance 7: the key may not do this (403 Destroying is locked). It may go on costing. It is tried again and again, in the end every 15 minutes.',
	);
});

test('another lease is tried at once, however often the one before was refused', async () => {
	const world = guarded({label: label('d'), failure: refused});
	await world.looks(60, 3540, 12, 30, 60, 120);
	world.mend();
	world.set({label: `train [lease1 e${END + 240} td]`});
	await world.looks(5, 15, 12);
	expect(world.told.map(({kind}) => kind)).toEqual(['not ended', 'ended']);
});

test.each([
	['another lease', `train [lease1 e${END + 90_000} ts]`, []],
	[
		'another name',
		'keep-this [lease1 i60 tsd]',
		[`label 7 keep-this [lease1 e${MADE + 720 + 3600} td]`],
	],
])('an instance that is given %s while it is stopped keeps it', async (_, given, labels) => {
	const idle = {gpu_util: 0, cpu_util: 0, disk_usage: 3};
	const world = guarded({
		label: 'train [lease1 i60 tsd]',
		...idle,
		inside: 'bytes=5000 sessions=0\n',
	});
	world.onShow(() => world.calls.includes('stop 7') && world.set({label: given}));
	await world.looks(600, 60, 60);
	expect(world.calls).toEqual(['stop 7', ...labels]);
});
