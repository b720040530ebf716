/** Shared by all forms of the page of use: its title, its axis of time, and its last lines. */
import {gapsIn, bucketStartOf, ticksIn, type Window} from '../../../../renter/history/buckets.ts';
import {decimals, known, timeOfDay} from '../../../../renter/text/format.ts';
import {fit} from '../../../../renter/text/text-width.ts';
import {axisBelow, type Tick} from '../../../ui/graph.ts';
import type {Theme} from '../../../ui/theme.ts';
import type {Size} from '../../../terminal/terminal.ts';
import {
	bucketAtCursor,
	lastGpus,
	machineTrack,
	usageSpans,
	type Metric,
	type UsageReadings,
	type Track,
	type UsageState,
} from './usage-state.ts';
import {DAY_MS} from '../../../../contract/rules/durations.ts';

export type UsagePaper = {
	readonly theme: Theme;
	readonly size: Size;
	/** Reason why the GPUs are not known one by one. */
	readonly note: string;
};

export const formatWhole = known((value: number) => String(Math.round(value)));
export const tenth = decimals(1);
const units: Readonly<Record<Metric, string>> = {
	util: '%',
	memory: ' GB',
	heat: ' C',
	power: ' W',
};
export const titles: Readonly<Record<Metric, string>> = {
	util: 'util %',
	memory: 'mem GB',
	heat: 'heat C',
	power: 'power W',
};

/** Columns of a line beside its bars. */
type GraphSize = {readonly left: number; readonly right: number; readonly bars: number};

export function graphSizeFor(columns: number): GraphSize {
	const [left, right] = columns < 72 ? [8, 9] : [10, 15];
	return {left, right, bars: Math.max(8, columns - left - right)};
}

export type UsagePage = {
	readonly state: UsageState;
	readonly readings: UsageReadings;
	readonly paper: UsagePaper;
	readonly window: Window;
	readonly graph: GraphSize;
};

/** A title in a rule: the period, the figure, and the length of a column. */
export function headOf({state, readings, paper, window}: UsagePage): string {
	const from = clock(bucketStartOf(window, 0), window);
	const last = lastGpus(readings.samples).length;
	const what = last > 1 ? `${titles[state.metric]} of ${last} GPUs` : titles[state.metric];
	const step = `1 column ${formatBucketLength(window.step)}`;
	return titled(
		paper,
		`${from} to ${clock(readings.now, window)}  ${span(state)}`,
		`${what}, ${step}`,
	);
}

export const span = (state: UsageState) => usageSpans[state.span]?.name ?? '';

export function titled({theme, size: {columns}}: UsagePaper, left: string, right: string): string {
	const {rule} = theme.glyphs;
	const start = left === '' ? '' : `${rule}${rule} ${left} `;
	const end = right === '' ? '' : ` ${right} ${rule}`;
	const middle = rule.repeat(Math.max(0, columns - start.length - end.length));
	return theme.style('quiet', fit(start + middle + end, columns));
}

/** Time of a moment: the day where the window has several. */
export function clock(at: number, {step, count}: Window): string {
	const date = new Date(at);
	if (step * count <= DAY_MS) return timeOfDay(date).slice(0, 5);
	const time = timeOfDay(date).slice(0, 5);
	const day = `${date.getDate()} ${months.slice(date.getMonth() * 3, date.getMonth() * 3 + 3)}`;
	return time === '00:00' ? day : `${day} ${time}`;
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** Length of a bucket: 10 s, 1 min, 2 h. */
export function formatBucketLength(ms: number): string {
	if (ms < 60_000) return `${ms / 1000} s`;
	return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}

export const figureOf = (metric: Metric) => (metric === 'memory' ? tenth : formatWhole);

export function axisLines(
	{paper: {theme}, window, graph}: UsagePage,
	lines: number,
	columns: number,
): readonly string[] {
	const perColumn = window.count / columns;
	const last = window.count - 1;
	const ticks = [0, ...ticksIn(window, 6).filter(tick => tick > 0 && tick < last), last];
	const texts: readonly Tick[] = ticks.map(tick => ({
		at: Math.floor(tick / perColumn),
		text: clock(bucketStartOf(window, tick), window),
	}));
	const {rule, texts: below} = axisBelow(columns, texts, {indent: graph.left, theme});
	return lines === 1 ? [below] : [rule, below];
}

/** Gaps, then the values at the cursor, else what is wrong. */
export function usageFootLines(
	page: UsagePage,
	gpus: readonly Track[],
	most: number,
): readonly string[] {
	const {paper} = page;
	const {columns} = paper.size;
	const read = readLine(page, gpus);
	const troubles = gpus.flatMap(({trouble}) => trouble ?? []).join('   ');
	const said = missing(page) || paper.note;
	const note = said === paper.note ? '' : paper.note;
	const last = read ?? [troubles, note, machineText(page)].find(text => text !== '') ?? '';
	if (most === 1)
		return [fit(read ?? [said, last].filter(text => text !== '').join('  '), columns)];
	return [titled(paper, '', said || 'by the list and nvidia-smi'), fit(last, columns)];
}

/** The last gap in the window, or that nothing was measured yet. */
function missing({readings, window}: UsagePage): string {
	const own = readings.samples.filter(({machine}) => machine !== undefined);
	if (own.length === 0) return 'Nothing was measured yet: the next look at the list is.';
	const [from, until] = gapsIn(window, own).at(-1) ?? [];
	if (from === undefined || until === undefined) return '';
	return `gap ${clock(from, window)}-${clock(until, window)}: nothing was measured`;
}

/** The rest of the machine in words, for pages without rows for it. */
function machineText({readings: {samples, instance}}: UsagePage): string {
	const last = samples.findLast(({machine}) => machine !== undefined)?.machine;
	if (last === undefined) return '';
	const {cpu, ram, disk} = last;
	const of = (used: number | undefined, all: number | null | undefined) =>
		`${formatWhole(used)}/${formatWhole(all)}G`;
	return `cpu ${formatWhole(cpu)}%  ram ${of(ram, instance.mem_limit)}  disk ${of(disk, instance.disk_space)}`;
}

function readLine(
	{state, readings, window}: UsagePage,
	gpus: readonly Track[],
): string | undefined {
	const index = bucketAtCursor(window, state.at);
	if (index === undefined) return undefined;
	const at = clock(bucketStartOf(window, index), window);
	const figure = figureOf(state.metric);
	const all = machineTrack(readings, window, {figure: 'util', name: 'all', full: 100});
	const tracks = gpus.length > 0 ? gpus : [all];
	const values = tracks.map(({buckets}) => figure(buckets[index]?.mean));
	if (values.every(value => value === '-')) return `at ${at}  nothing was measured`;
	return `at ${at}  ${state.metric} ${values.join(' ')}${units[state.metric]}`;
}
