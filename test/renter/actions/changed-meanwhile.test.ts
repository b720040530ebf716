import {expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {changeInPolls, readChanges} from '../../../source/renter/actions/changed-meanwhile.ts';
import type {FleetRow} from '../../../source/renter/fleet/fleet-state.ts';
import {applyList} from '../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet, type FleetState} from '../../../source/renter/fleet/fleet-state.ts';
import {listOf, lookAt} from '../../helpers/fleet/looks.ts';

const running = {intended_status: 'running', cur_state: 'running', actual_status: 'running'};
const idle: Instance = {...running, id: 7, label: 'train', gpu_util: 1};

/** The row of one instance, looked at once a minute: idle, until it says something else. */
function rowAfter(minutes: number, last: Partial<Instance> = {}): FleetRow {
	let state: FleetState = unseenFleet;
	for (let minute = 0; minute <= minutes; minute++) {
		const instance = minute === minutes ? {...idle, ...last} : idle;
		state = applyList(state, listOf([instance]), lookAt(minute));
	}
	const [row] = state.rows;
	if (row === undefined) throw new Error('the list is empty');
	return row;
}

async function changeRead(row: FleetRow, present: Partial<Instance>): Promise<string | undefined> {
	const instances = {show: async () => ({...row.instance, ...present})};
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the record is read
	const changes = await readChanges({instances} as unknown as Client, [row]);
	return changes.get(7);
}

test('what was agreed to as idle and computes again is left', async () => {
	const row = rowAfter(40);
	expect(row.condition).toBe('idle');
	expect(await changeRead(row, {gpu_util: 97})).toBe('it computes again meanwhile');
	expect(await changeRead(row, {gpu_util: 2})).toBeUndefined();
	expect(await changeRead(row, {gpu_util: null})).toBeUndefined();
	expect(await changeRead(row, {actual_status: 'exited', gpu_util: 97})).toBeUndefined();
	expect(await changeRead(rowAfter(5), {gpu_util: 97})).toBeUndefined();
});

test('what a poll saw compute is left, although it idles at the last look', () => {
	const reviewed = rowAfter(40);
	expect(changeInPolls(reviewed, rowAfter(41, {gpu_util: 97}))).toBe('it computes again meanwhile');
	expect(changeInPolls(reviewed, rowAfter(41, {label: 'prod'}))).toBe(
		'its label was train, and is prod now',
	);
	expect(changeInPolls(reviewed, rowAfter(41))).toBeUndefined();
	expect(changeInPolls(reviewed, rowAfter(41, {actual_status: 'exited'}))).toBeUndefined();
});
