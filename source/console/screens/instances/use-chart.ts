/** The use of the instance under the cursor over the last half hour, for large screens. */
import {costSoFar, formatCostRange} from '../../../renter/instance/cost.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {meanUse, USE_SPANS} from '../../../renter/instance/times.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {barRows, besideAxis} from '../../ui/graph.ts';
import type {Theme} from '../../ui/theme.ts';
import {ageOf, gpusWithin, labelOf} from './words.ts';

const ROWS = 6;
const AXIS_WIDTH = 6;
/** Columns of a span at most. */
const WIDEST_SPAN = 5;

type Paper = {readonly theme: Theme; readonly width: number};

/** Its name and facts, and its use as bars over an axis; nothing for an instance whose use was not seen. */
export function halfHourLines(row: FleetRow, paper: Paper): readonly string[] {
	const {theme, width} = paper;
	const spans = meanUse(row.observation.useSpans, row.now);
	if (spans.every(percent => percent === undefined)) return [];
	const columns = Math.max(
		1,
		Math.min(WIDEST_SPAN, Math.floor((width - AXIS_WIDTH - 1) / USE_SPANS)),
	);
	const bars = barRows(
		spans.map(percent => (percent ?? 0) / 100),
		ROWS,
		columns,
	).map(line => line.replaceAll(new RegExp(` (.{${columns}})`, 'g'), '$1'));
	const ticks = [
		{at: 0, text: '100%'},
		{at: ROWS / 2, text: '50%'},
		{at: ROWS - 1, text: '0%'},
	];
	const look = row.condition === 'running' ? 'good' : 'quiet';
	const lines = bars.map(line => theme.style(look, line));
	const below = `${' '.repeat(AXIS_WIDTH)}30 min ago${'now'.padStart(columns * USE_SPANS - '30 min ago'.length)}`;
	return [
		titleLine(row, paper),
		'',
		...besideAxis(lines, ticks, {width: AXIS_WIDTH, theme}),
		theme.style('quiet', fit(below, width)),
		'',
	];
}

function titleLine(row: FleetRow, {theme, width}: Paper): string {
	const {instance} = row;
	const {id, geolocation, image_uuid: image} = instance;
	const name = labelOf(instance) || String(id);
	const cost = formatCostRange(costSoFar(row));
	const facts = [
		...(name === String(id) ? [] : [String(id)]),
		gpusWithin(20, instance),
		printable(geolocation ?? ''),
		printable(image ?? ''),
		ageOf(row),
		...(row.observation.sshAnsweredAt === undefined ? [] : ['SSH answers']),
		...(cost === undefined ? [] : [`so far ${cost}`]),
	];
	const said = facts.filter(text => text.trim() !== '').join(' · ');
	return (
		theme.style('heading', fit(name, Math.min(name.length, width))) +
		theme.style('quiet', fit(`  ${said}`, width - name.length))
	);
}
