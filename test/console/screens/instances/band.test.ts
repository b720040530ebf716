import {expect, test} from 'vitest';
import type {Instance} from '../../../../source/contract/nouns/instance-record.ts';
import {applyList} from '../../../../source/renter/fleet/apply-polls.ts';
import {
	unseenFleet,
	type FleetRow,
	type FleetState,
} from '../../../../source/renter/fleet/fleet-state.ts';
import {bootBar} from '../../../../source/console/screens/instances/band.ts';
import {createTheme, unstyled} from '../../../../source/console/ui/theme.ts';
import {listOf, lookAt, startDate} from '../../../helpers/fleet/looks.ts';

const MINUTE = 60_000;

const theme = createTheme({LANG: 'C.UTF-8'});

/** The lines of a bar without their colours. */
const barOf = (row: FleetRow, width: number) => bootBar(row, {theme, width}).map(unstyled);

/** What is known of a boot after looks at these minutes, where its image is known to take two. */
function bootSeen(
	...looks: ReadonlyArray<readonly [minute: number, status: string | null]>
): FleetRow {
	let state: FleetState = {...unseenFleet, boots: {'image pytorch': [2 * MINUTE]}};
	for (const [minute, status] of looks) {
		const instance: Instance = {
			id: 7,
			image_uuid: 'pytorch',
			actual_status: status,
			start_date: startDate(0),
			...(status === 'running' && {uptime_mins: 0}),
		};
		state = applyList(state, listOf([instance]), lookAt(minute));
	}
	const [row] = state.rows;
	if (row === undefined) throw new Error('no row');
	return row;
}

test('a boot is drawn to scale, with what is usual, and from the limit on as too long', () => {
	const stuck = bootSeen([0, null], [1, 'loading'], [14, 'loading']);
	expect(barOf(stuck, 86).join('\n')).toMatchInlineSnapshot(`
		"   0m        2m        4m        6m        8m        10m       12m       14m
		  ├░░░░░▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒███████████████┤
		                  ^ your median                           ^ limit"
	`);
});

test('a boot that has ended is as long as it took', () => {
	const ended = bootSeen([0, null], [1, 'loading'], [4, 'running'], [90, 'running']);
	expect(barOf(ended, 86).join('\n')).toMatchInlineSnapshot(`
		"   0m           2m            4m           6m           8m            10m
		  ├░░░░░░░▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤
		                          ^ your median                                     ^ limit"
	`);
});

test('of a boot that waits for a machine the limit is that of waiting', () => {
	expect(barOf(bootSeen([0, null], [1, null]), 86).join('\n')).toMatchInlineSnapshot(`
		"   0m           1m            2m           3m           4m            5m
		  ├░░░░░░░░░░░░░┤
		                                                                      ^ limit"
	`);
});

test('what was not seen to boot has no bar, and a screen without room neither', () => {
	expect(barOf(bootSeen([0, 'running']), 86)).toEqual([]);
	expect(barOf(bootSeen([0, null]), 20)).toEqual([]);
});

test('however long it takes, no line is wider than there is room', () => {
	for (const minutes of [0, 1, 9, 10, 59, 600, 100_000]) {
		const row = bootSeen([0, null], [minutes / 3, 'loading'], [minutes, 'loading']);
		for (const width of [26, 40, 80, 200]) {
			for (const line of barOf(row, width)) expect(line.length).toBeLessThanOrEqual(width);
		}
	}
});
