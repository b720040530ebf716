import {expect, test} from 'vitest';
import {fitColumns, isInSet} from '../../../../source/console/list/columns.ts';
import {instanceColumns} from '../../../../source/console/screens/instances/columns.ts';
import {ratePerHour, rateText} from '../../../../source/console/screens/instances/words.ts';
import {applyList} from '../../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet, type FleetRow} from '../../../../source/renter/fleet/fleet-state.ts';
import type {InstanceCondition} from '../../../../source/renter/instance/condition.ts';
import {listOf, lookAt} from '../../../helpers/fleet/looks.ts';

/** The cells of an instance in so many columns of the screen, as they are drawn. */
function cellsAt(room: number, row: FleetRow): ReadonlyMap<string, string> {
	const columns = instanceColumns(room).filter(column => isInSet(column, 'normal'));
	return new Map(fitColumns(columns, room).map(({id, width, cell}) => [id, cell(row, width)]));
}

function rowWith(gpu: string, condition: InstanceCondition, status: string | null): FleetRow {
	const instance = {id: 8_812_519, gpu_name: gpu, num_gpus: 1, actual_status: status};
	const [row] = applyList(unseenFleet, listOf([instance]), lookAt(0)).rows;
	if (row === undefined) throw new Error('nothing was listed');
	return {...row, condition};
}

/** What 48, 80, 100, 140 and 200 columns leave for the columns of the list. */
const rooms = [46, 78, 98, 138, 198];

test.each([
	['H100 PCIE', ['1×H100P…', '1× H100 PCIE', '1×H100PCIE', '1× H100 PCIE', '1× H100 PCIE']],
	['H100 SXM', ['1×H100S…', '1× H100 SXM', '1× H100 SXM', '1× H100 SXM', '1× H100 SXM']],
	['H200', ['1× H200', '1× H200', '1× H200', '1× H200', '1× H200']],
	['RTX 4090', ['1× 4090', '1× RTX 4090', '1× RTX 4090', '1× RTX 4090', '1× RTX 4090']],
	['RTX PRO 6000 WS', ['1×6000WS', '1× 6000 WS', '1× 6000 WS', '1× 6000 WS', '1× 6000 WS']],
])('a %s is known by its number in every width', (gpu, expected) => {
	const row = rowWith(gpu, 'running', 'running');
	expect(rooms.map(room => cellsAt(room, row).get('gpu'))).toEqual(expected);
});

const states: ReadonlyArray<readonly [InstanceCondition, string | null, string, string]> = [
	['noSsh', 'running', '▲ no ssh', '▲ no ssh'],
	['stuck', 'loading', '✖ stuck', '✖ stuck loading'],
	['undead', 'running', '✖ not gone', '✖ not gone'],
	['dead', 'offline', '✖ dead', '✖ dead offline'],
	['unlisted', null, '▲ unlisted', '▲ not listed yet'],
	['destroying', 'running', '– destr', '– destroying'],
	['provisioning', null, '◐ prov', '◐ provisioning'],
];

test.each(states)('%s of %j is whole at 60 columns, and in words from 80 on', (...state) => {
	const [condition, status, short, long] = state;
	const row = rowWith('RTX 4090', condition, status);
	for (const room of [58, 78, 98, 138, 198]) {
		const columns = fitColumns(instanceColumns(room), room);
		const {width = 0} = columns.find(({id}) => id === 'state') ?? {};
		const text = cellsAt(room, row).get('state') ?? '';
		expect(text).toBe(room < 78 ? short : long);
		if (room >= 78) expect(text.length).toBeLessThanOrEqual(width);
	}
});

const shown = (idWidth: number) => fitColumns(instanceColumns(78, idWidth), 78);

test('the label is first and takes the room that a short number leaves at 80 columns', () => {
	const first = shown(2);
	for (const columns of [first, shown(8)]) {
		expect(columns[0]?.id).toBe('label');
		const ends = columns.slice(columns.findIndex(({id}) => id === 'ends')).map(({id}) => id);
		expect(ends.filter(id => id !== 'health').slice(0, 2)).toEqual(['ends', 'who']);
	}
	expect(shown(8).find(({id}) => id === 'label')?.width).toBeGreaterThanOrEqual(12);
});

const ids = (room: number) => fitColumns(instanceColumns(room), room).map(({id}) => id);

test('when an instance ends is seen at 60 columns, and goes before anything else below', () => {
	expect(ids(58)).toEqual(['label', 'gpu', 'state', 'for', 'price', 'util', 'ends']);
	expect(ids(46)).toEqual(['label', 'gpu', 'state', 'for', 'price', 'util']);
});

test('at 200 columns why something ended is whole', () => {
	const row = rowWith('RTX 4090', 'dead', 'exited');
	const note = fitColumns(instanceColumns(198), 198).find(({id}) => id === 'note');
	expect(note?.cell(row, note.width)).toBe('not by you');
	expect(note?.width).toBeGreaterThanOrEqual('not by you'.length);
});

test.each([
	[{now: 0.21, atMost: 0.21}, '.210', '$0.210/h'],
	[{now: 0.0028, atMost: 0.298_43}, '<0.30', 'at most $0.298/h'],
	[{now: 1.66, atMost: 1.66}, '1.660', '$1.660/h'],
	[{now: 12.5, atMost: 12.5}, '12.50', '$12.500/h'],
	[{now: 9.9996, atMost: 9.9996}, '10.00', '$10.000/h'],
	[{now: 1234.5, atMost: 1234.5}, '1,235', '$1,234.500/h'],
	[{now: 0.0002, atMost: 0.0002}, '<.001', '<$0.001/h'],
	[{now: 0, atMost: 0}, '.000', '$0.000/h'],
	[{now: 0.5, atMost: undefined}, '.500', '$0.500/h'],
	[{now: undefined, atMost: undefined}, '-', '-/h'],
	[{now: Number.NaN, atMost: Infinity}, '-', 'at most -'],
])('the rate %j is %s in a list, and %s in a sentence', (rate, short, long) => {
	expect([rateText(rate), ratePerHour(rate)]).toEqual([short, long]);
});
