import {expect, test} from 'vitest';
import type {Instance} from '../../../../source/contract/nouns/instance-record.ts';
import {
	ask,
	levelOf,
	recheckTargets,
	remaining,
} from '../../../../source/console/ui/confirmation.ts';
import {applyList} from '../../../../source/renter/fleet/apply-polls.ts';
import {
	unseenFleet,
	type FleetRow,
	type FleetState,
} from '../../../../source/renter/fleet/fleet-state.ts';
import {
	factsAbout,
	sweepable,
	sweepQuestion,
	targetOf,
} from '../../../../source/console/screens/instances/actions.ts';
import {listOf, lookAt, startDate} from '../../../helpers/fleet/looks.ts';

const changes = {intended_status: 'running', cur_state: 'running', dph_total: 1, dph_base: 1};

/** One is stuck, one lost its host after it ran, one idles, one works. */
function fleetAt(minute: number): readonly Instance[] {
	return [
		{...changes, id: 1, label: 'stuck', actual_status: 'loading', start_date: startDate(-60)},
		{
			...changes,
			id: 2,
			label: 'lost',
			actual_status: minute === 0 ? 'running' : 'offline',
			start_date: startDate(-60),
		},
		{...changes, id: 3, label: 'idle', actual_status: 'running', gpu_util: 0},
		{...changes, id: 4, label: 'works', actual_status: 'running', gpu_util: 90},
	];
}

function rowsNow() {
	let state: FleetState = unseenFleet;
	for (let minute = 0; minute <= 40; minute++) {
		state = applyList(state, listOf(fleetAt(minute)), lookAt(minute));
	}
	return state.rows;
}

test('a sweep chooses what is stuck or dead, shows what idles, and leaves what works alone', () => {
	const rows = sweepable(rowsNow());
	const question = sweepQuestion(rows, 4);
	expect(question.targets.map(({name, isLeftOut = false}) => [name, isLeftOut])).toEqual([
		['stuck', false],
		['lost', false],
		['idle', true],
	]);
	expect(remaining(question).map(({name}) => name)).toEqual(['stuck', 'lost']);
	expect(question.targets.at(-1)?.detail).toContain('idle: not chosen');
	expect(levelOf(question)).toBe(2);
});

test('what was reviewed as idle and computes again is named, and asked about again', () => {
	const rows = sweepable(rowsNow());
	const moment = {nowMs: 0, linkMs: undefined};
	const asked = ask(sweepQuestion(rows, 4), moment);
	const present = rows.map(row => targetOf('destroy', row));
	expect(recheckTargets(asked, present, moment)).toBe(asked);
	const later = rows.map((row): FleetRow => {
		return row.condition === 'idle' ? {...row, condition: 'running'} : row;
	});
	const again = recheckTargets(
		asked,
		later.map(row => targetOf('destroy', row)),
		moment,
	);
	expect(again.changes).toEqual(['idle was idle and is now running.']);
});

test('what is at stake is named: the money, the data, and that nothing can be copied out', () => {
	const facts = new Map(factsAbout('destroy', sweepable(rowsNow()).slice(0, 2)));
	expect(facts.get('Money')).toBe('Saves up to $2.00/h.');
	expect(facts.get('Data')).toBe(
		'lost ran before: files there are lost. The host of lost is offline: nothing can be copied out now.',
	);
});

test('a price that the service does not say is not taken for nothing', () => {
	const [row] = rowsNow();
	if (row === undefined) throw new Error('no row');
	const unpriced = {...row, rate: {now: undefined, atMost: undefined}};
	const money = (...rows: ReadonlyArray<typeof row>) =>
		new Map(factsAbout('destroy', rows)).get('Money');
	expect(money(unpriced)).toBe('Saves up to a price that the service does not say.');
	expect(money(row, unpriced)).toBe('Saves up to $1.00/h and 1 of unknown price.');
	expect(new Map(factsAbout('stop', [unpriced])).get('Money')).toContain('does not say');
});
