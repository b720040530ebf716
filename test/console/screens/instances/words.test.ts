import {expect, test} from 'vitest';
import type {Condition} from '../../../../source/console/fleet/condition.ts';
import {shortState, stateOf} from '../../../../source/console/screens/instances/words.ts';

const states: ReadonlyArray<readonly [Condition, string | null, string, string]> = [
	['provisioning', null, '. provisioning', '. prov'],
	['loading', 'loading', '~ loading', '~ load'],
	['slow', 'loading', '~ slow loading', '~ slow'],
	['stuck', 'loading', '! STUCK loading', '! STUCK'],
	['running', 'running', '* running', '* run'],
	['noSsh', 'running', '! running no ssh', '! no ssh'],
	['failing', 'exited', '? exited', '? exited'],
	['failing', 'unknown', '? unknown', '? unknown'],
	['dead', 'exited', '! DEAD exited', '! DEAD'],
	['dead', 'offline', '! DEAD offline', '! DEAD'],
	['undead', 'running', '! UNDEAD', '! UNDEAD'],
	['destroying', 'running', 'x destroying', 'x destr'],
	['waiting', 'exited', '= waiting', '= wait'],
	['stopped', 'exited', '= stopped', '= stop'],
	['gone', 'running', 'x gone', 'x gone'],
	['other', 'frozen', '? frozen', '? frozen'],
];

test.each(states)(
	'%s of %j is written as %j, and in few columns as %j',
	(condition, status, long, short) => {
		const row = {condition, instance: {id: 7, actual_status: status}};
		expect(stateOf(row)).toBe(long);
		expect(shortState(row)).toBe(short);
	},
);

test('every state can be told from every other without a colour', () => {
	const written = states.map(([condition, status]) =>
		stateOf({condition, instance: {id: 7, actual_status: status}}),
	);
	expect(new Set(written).size).toBe(states.length);
});

test('a word that this version does not know is shown, and commands nothing', () => {
	const instance = {id: 7, actual_status: '\u001B[2Jfro\u009Bzen\u202E'};
	// oxlint-disable-next-line no-control-regex -- these are what is not to be left
	expect(stateOf({condition: 'other', instance})).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202E]/);
});
