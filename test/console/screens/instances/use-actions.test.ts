import {expect, test} from 'vitest';
import type {Instance} from '../../../../source/contract/nouns/instance-record.ts';
import {
	describeOutcomes,
	describeProgress,
} from '../../../../source/console/screens/instances/use-actions.ts';
import {
	endingAfter,
	actionEndingOf,
	hasActionFailed,
	type InstanceAction,
	type ActionEnding,
	type ActionOutcome,
} from '../../../../source/renter/actions/instance-actions.ts';
import {NetworkError, TimeoutError} from '../../../../source/client/exchange/errors.ts';

const refused = (why: string): ActionEnding => ({kind: 'refused', error: new Error(why)});
const outcomes = (...endings: readonly ActionEnding[]): readonly ActionOutcome[] =>
	endings.map((ending, at) => ({id: at + 1, ending, perHour: 0.25}));

test.each<[InstanceAction, readonly ActionEnding[], string]>([
	['destroy', [{kind: 'gone'}], '1 is gone.'],
	['destroy', [{kind: 'gone'}, {kind: 'gone'}], 'All 2 are gone.'],
	['stop', [{kind: 'done'}], '1 is stopped.'],
	['start', [{kind: 'done'}, {kind: 'queued'}], '1 of 2 is starting. 1 of 2 is waiting for GPUs.'],
	[
		'destroy',
		[{kind: 'gone'}, refused('not yours'), {kind: 'gone'}, refused('not yours'), refused('busy')],
		'2 of 5 are gone. 2, 4 were not destroyed: not yours. They still cost up to $0.50/h. ' +
			'5 was not destroyed: busy. It still costs up to $0.25/h.',
	],
	[
		'destroy',
		[{kind: 'pending'}],
		'1 was accepted to be destroyed and is still listed: it may still be charged. x sends it again.',
	],
	[
		'stop',
		[{kind: 'pending'}, {kind: 'done'}],
		'1 of 2 is stopped. 1 was accepted to be stopped and is not seen to be so: it may still be charged.',
	],
	[
		'reboot',
		[{kind: 'unknown', error: new Error('no answer')}],
		'Whether 1 was rebooted is not known: no answer. It may still be charged.',
	],
])(
	'what came of %s is said of each, those together that ended the same way',
	(action, endings, said) => {
		expect(describeOutcomes(action, outcomes(...endings))).toBe(said);
	},
);

test('an action on several counts those that have reached it', () => {
	const some = outcomes({kind: 'gone'}, {kind: 'pending'}, {kind: 'gone'});
	expect(describeProgress('destroy', 4, some)).toBe('Destroying 4: 2 are gone ██████░░░░░░');
	expect(describeProgress('stop', 3, outcomes({kind: 'done'}))).toBe(
		'Stopping 3: 1 is stopped ████░░░░░░░░',
	);
});

const instance: Instance = {id: 1};

test.each<[Parameters<typeof actionEndingOf>[0], ActionEnding['kind'], boolean]>([
	[{outcome: 'gone'}, 'gone', false],
	[{outcome: 'stopped', instance}, 'done', false],
	[{outcome: 'still listed', isAccepted: true, instance}, 'pending', true],
	[{outcome: 'still listed', isAccepted: false, instance}, 'refused', true],
	[{outcome: 'still running', isAccepted: true, instance}, 'pending', true],
	[{outcome: 'unknown', isAccepted: true, error: new Error('no answer')}, 'unknown', true],
])('%j ended as %s', (result, kind, isFailure) => {
	const ending = actionEndingOf(result);
	expect(ending.kind).toBe(kind);
	expect(hasActionFailed({id: 1, ending, perHour: 0})).toBe(isFailure);
});

test('a call that nobody answered may have acted, and one that was never sent has not', () => {
	expect(endingAfter(new TimeoutError('start the instance', 10_000)).kind).toBe('unknown');
	const cause = Object.assign(new Error('refused'), {code: 'ECONNREFUSED'});
	expect(endingAfter(new NetworkError('start the instance', cause)).kind).toBe('refused');
});
