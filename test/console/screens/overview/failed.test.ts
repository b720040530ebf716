import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {overviewLines} from '../../../../source/console/screens/overview/overview-lines.ts';
import {createTheme} from '../../../../source/console/ui/theme.ts';
import {burnOf} from '../../../../source/renter/instance/burn.ts';
import {fleetRow} from '../../../helpers/fleet/fleet-rows.ts';
import {seen} from './some-fleet.ts';

const theme = createTheme({LANG: 'C.UTF-8', NO_COLOR: '1'});
const state = {cursor: undefined, span: 1, isTable: false} as const;

test('an instance that could not start is in trouble, one that was stopped is not', () => {
	const stopped = {actual_status: 'exited', intended_status: 'stopped', cur_state: 'stopped'};
	const said = (id: number, status_msg: string | null) =>
		fleetRow({id, label: `run-${id}`, ...stopped, status_msg, storage_total_cost: 0.03});
	const rows = [
		said(1, null),
		said(2, 'It was made stopped. Start it when you need it.'),
		said(3, 'Error response from daemon: pull access\u001B[2J denied'),
		said(4, 'Error: there is no such image'),
	];
	const of = {...seen, fleet: {...seen.fleet, rows, burn: burnOf(rows)}};
	const drawn = (columns: number, rows_: number) =>
		overviewLines(state, of, {theme, size: {columns, rows: rows_}}).map(line =>
			stripVTControlCharacters(line),
		);
	const lines = drawn(80, 20);
	expect(lines.filter(line => line.includes('FAILED'))).toEqual([
		expect.stringMatching(/^>  FAILED run-3 .* Error response from .* \.030$/),
		expect.stringMatching(/^   FAILED run-4 .* Error: there is no such image .* \.030$/),
	]);
	expect(lines.join()).toContain('TROUBLE  2');
	expect(drawn(60, 11).join()).toContain('2 IN TROUBLE   run-3 FAILED');
});
