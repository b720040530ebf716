/** Page of use as lines: a row for each GPU over an axis of time, and rows for the rest of the machine. */
import {fit} from '../../../../renter/text/text-width.ts';
import type {Window} from '../../../../renter/history/buckets.ts';
import {bar} from '../../../ui/graph.ts';
import {inHeight} from '../../../ui/panes.ts';
import {
	axisLines,
	figureOf,
	usageFootLines,
	headOf,
	graphSizeFor,
	tenth,
	formatWhole,
	type UsagePage,
	type UsagePaper,
} from './usage-page.ts';
import {singleLines, spreadLines, tableLines} from './usage-single.ts';
import {
	bucketAtCursor,
	gpuTracks,
	isSingle,
	lastGpus,
	machineTrack,
	windowOf,
	type UsageReadings,
	type Track,
	type UsageState,
} from './usage-state.ts';

export function shownWindow(state: UsageState, readings: UsageReadings, columns: number): Window {
	const {bars} = graphSizeFor(columns);
	return windowOf(state, readings.now, isSingle(state, readings) ? bars * 2 : bars);
}

export function usageScreenLines(
	state: UsageState,
	readings: UsageReadings,
	paper: UsagePaper,
): readonly string[] {
	const {columns, rows} = paper.size;
	const window = shownWindow(state, readings, columns);
	const page = {state, readings, paper, window, graph: graphSizeFor(columns)};
	if (state.isTable) return inHeight([headOf(page), ...tableLines(page)], rows);
	return inHeight(isSingle(state, readings) ? singleLines(page) : allLines(page), rows);
}

/** Lines of the chart of all GPUs, with its title. */
const LEAST_CHART = 5;
const MOST_CHART = 14;

/** Small screens have rows for GPUs in place of the title. */
const headRows = ({paper}: UsagePage) => (paper.size.rows < 14 ? 0 : 1);

/** A row for each GPU, or all as one, and below them the rest of the machine. */
function allLines(page: UsagePage): readonly string[] {
	const {state, readings, paper, window, graph} = page;
	const rows = paper.size.rows - headRows(page);
	const gpus = gpuTracks(readings.samples, readings.instance, state.metric, window);
	const others = machineTracks(page);
	const foot = usageFootLines(page, gpus, rows >= 12 ? 2 : 1);
	const axis = axisLines(page, rows >= 14 ? 2 : 1, graph.bars);
	const left = rows - foot.length - axis.length;
	const heads = left > gpus.length ? [headLine(page)] : [];
	const height = Math.min(gpus.length, left - heads.length);
	const beside = others.slice(0, Math.max(0, left - heads.length - height));
	const shown = gpus.length > height ? worstFirst(gpus) : gpus;
	const top = Math.min(state.top, gpus.length - height);
	const lines = shown.slice(top, top + height).map(track => trackLine(page, track));
	const machine = beside.map(track => trackLine(page, track));
	const blank = Math.max(0, left - heads.length - lines.length - machine.length);
	return [
		...(headRows(page) === 0 ? [] : [headOf(page)]),
		...heads,
		...lines,
		...axis,
		...machine,
		...inHeight(
			blank < LEAST_CHART || gpus.length < 2
				? []
				: spreadLines(page, gpus, Math.min(blank, MOST_CHART)),
			blank,
		),
		...foot,
	];
}

/** Those that would scroll away begin with what is wrong, then with what does least. */
function worstFirst(tracks: readonly Track[]): readonly Track[] {
	return tracks.toSorted((a, b) => rank(a) - rank(b));
}

function rank({trouble, now}: Track): number {
	return (trouble === undefined ? 1000 : 0) + (now ?? 0);
}

function machineTracks({readings, window}: UsagePage): readonly Track[] {
	const {instance} = readings;
	const figures = [
		{figure: 'util', name: 'all', full: 100},
		{figure: 'cpu', name: 'cpu', full: 100},
		{figure: 'ram', name: 'ram', full: instance.mem_limit ?? 1},
		{figure: 'disk', name: 'disk', full: instance.disk_space ?? 1},
	] as const;
	return figures.map(figure => machineTrack(readings, window, figure));
}

function headLine({state, readings, window, graph}: UsagePage): string {
	const at = bucketAtCursor(window, state.at);
	const mark = at === undefined ? '' : `${' '.repeat(at)}v`;
	const sides = graph.right < 15 ? '' : '   MEM G   C   W';
	const gpus = lastGpus(readings.samples).length > 0 ? sides : '';
	return `${fit('GPU  NOW', graph.left)}${mark.padEnd(graph.bars)}${gpus.slice(-graph.right)}`.trimEnd();
}

function trackLine(page: UsagePage, track: Track): string {
	const {state, graph, paper} = page;
	const isGpu = track.name.startsWith('gpu');
	const share = track.now === undefined ? undefined : (100 * track.now) / track.full;
	const text = isGpu ? figureOf(state.metric)(track.now) : formatWhole(share);
	const unit = !isGpu || state.metric === 'util' ? '%' : '';
	const names = graph.left - 6;
	const name = graph.left < 10 && isGpu ? track.name.slice(3) : track.name;
	const mark = track.trouble === undefined ? ' ' : '!';
	const start = `${fit(name, names)}${fit(text + unit, 5, 'right')}`;
	const shares = track.buckets.map(bucket => bucket && bucket.mean / track.full);
	const bars = shares.map(bar).join('');
	const line = `${bars}${sideOf(page, track)}`.trimEnd();
	if (track.trouble === undefined) return `${start}${mark}${line}`;
	return `${paper.theme.style('danger', start + mark)}${line}`;
}

/** Memory, heat and power beside a GPU; used and total amount beside the memory and disk of the machine. */
function sideOf({readings, graph}: UsagePage, {name, now, full}: Track): string {
	if (!name.startsWith('gpu')) {
		const hasAmount = name === 'ram' || name === 'disk';
		return hasAmount ? fit(`  ${formatWhole(now)}/${formatWhole(full)}G`, graph.right) : '';
	}
	const gpu = lastGpus(readings.samples)[Number(name.slice(3))] ?? {};
	const heat = formatWhole(gpu.heat);
	if (graph.right < 15) return `${formatWhole(gpu.memory).padStart(4)}G${heat.padStart(3)}C`;
	return `${tenth(gpu.memory).padStart(6)}${heat.padStart(4)}${formatWhole(gpu.power).padStart(4)}`;
}
