import {expect, test} from 'vitest';
import type {InstanceCondition} from '../../../../source/renter/instance/condition.ts';
import {
	lasting,
	minutes,
	roughly,
	shortState,
	conditionText,
} from '../../../../source/console/screens/instances/words.ts';

const states: ReadonlyArray<readonly [InstanceCondition, string | null, string, string]> = [
	['provisioning', null, '◐ provisioning', '◐ prov'],
	['loading', 'loading', '◐ loading', '◐ load'],
	['slow', 'loading', '▲ slow loading', '▲ slow'],
	['stuck', 'loading', '✖ stuck loading', '✖ stuck'],
	['running', 'running', '● running', '● run'],
	['idle', 'running', '▲ idle', '▲ idle'],
	['noSsh', 'running', '▲ no ssh', '▲ no ssh'],
	['failing', 'exited', '▲ exited', '▲ exited'],
	['failing', 'unknown', '▲ unknown', '▲ unknown'],
	['dead', 'exited', '✖ dead exited', '✖ dead'],
	['dead', 'offline', '✖ dead offline', '✖ dead'],
	['undead', 'running', '✖ not gone', '✖ not gone'],
	['destroying', 'running', '– destroying', '– destr'],
	['waiting', 'exited', '○ waiting', '○ wait'],
	['stopped', 'exited', '○ stopped', '○ stop'],
	['gone', 'running', '– gone', '– gone'],
	['other', 'frozen', '▲ frozen', '▲ frozen'],
];

test.each(states)(
	'%s of %j is written as %j, and in few columns as %j',
	(condition, status, long, short) => {
		const row = {condition, instance: {id: 7, actual_status: status}};
		expect(conditionText(row)).toBe(long);
		expect(shortState(row)).toBe(short);
	},
);

test('every state can be told from every other without a colour', () => {
	const written = states.map(([condition, status]) =>
		conditionText({condition, instance: {id: 7, actual_status: status}}),
	);
	expect(new Set(written).size).toBe(states.length);
});

test('a word that this version does not know is shown, and commands nothing', () => {
	const instance = {id: 7, actual_status: '\u001B[2Jfro\u009Bzen\u202E'};
	const written = conditionText({condition: 'other', instance});
	// oxlint-disable-next-line no-control-regex -- these are what is not to be left
	expect(written).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u202E]/);
});

const SECOND = 1000;
const HOUR = 3600 * SECOND;

test.each([
	[41.9 * SECOND, '41s', '0m', '0:42'],
	[59.9 * SECOND, '59s', '0m', '1:00'],
	[HOUR - 1, '59m59', '59m', '60:00'],
	[HOUR, '1h00', '1h00', '60:00'],
	[24 * HOUR - 1, '23h59', '23h59', '1440:00'],
	[76 * HOUR, '3d04', '3d04', '4560:00'],
	[-5, '0s', '0m', '0:00'],
	[Number.NaN, '-', '-', '-'],
	[Infinity, '-', '-', '-'],
])('%d ms have lasted %s, roughly %s, by the clock %s', (ms, exact, rough, clock) => {
	expect([lasting(ms), roughly(ms), minutes(ms)]).toEqual([exact, rough, clock]);
});
