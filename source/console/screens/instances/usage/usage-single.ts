/** Curves of one GPU, and the same values as a table. */
import {bucketsIn, bucketStartOf} from '../../../../renter/history/buckets.ts';
import {median} from '../../../../renter/fleet/fleet-state.ts';
import {fit} from '../../../../renter/text/text-width.ts';
import {besideAxis, curveLines, valueTicks, type Curve} from '../../../ui/graph.ts';
import {
	axisLines,
	clock,
	figureOf,
	usageFootLines,
	formatBucketLength,
	span,
	titled,
	titles,
	formatWhole,
	type UsagePage,
} from './usage-page.ts';
import {
	bucketAtCursor,
	fullOf,
	gpuTracks,
	HOT,
	isSingle,
	lastGpus,
	machineTrack,
	metrics,
	type Metric,
	type UsageReadings,
	type Track,
} from './usage-state.ts';

/** Curves of all figures of one GPU, each with its own scale, over one axis. */
export function singleLines(page: UsagePage): readonly string[] {
	const {state, readings, paper, window, graph} = page;
	const axis = axisLines(page, 2, graph.bars);
	const free = paper.size.rows - axis.length - 2;
	const count = Math.max(1, Math.min(metrics.length, Math.floor(free / 3)));
	const first = metrics.indexOf(state.metric);
	const shown = count === metrics.length ? metrics : metrics.slice(first).concat(metrics);
	const spare = free - count * Math.floor(free / count);
	const charts = shown
		.slice(0, count)
		.flatMap((metric, at) =>
			chartLines(page, metric, Math.floor(free / count) - 1 + (at < spare ? 1 : 0)),
		);
	const tracks = gpuTracks(readings.samples, readings.instance, state.metric, window);
	const own = tracks.slice(state.zoomed ?? 0, (state.zoomed ?? 0) + 1);
	return [...charts, ...axis, ...usageFootLines(page, own, 2)];
}

function chartLines(page: UsagePage, metric: Metric, rows: number): readonly string[] {
	const {state, readings, paper, window, graph} = page;
	const index = state.zoomed ?? 0;
	const gpu = lastGpus(readings.samples)[index] ?? {};
	const full = fullOf(metric, gpu, readings.instance);
	const samples = samplesOfGpu(readings, index, metric);
	const now = samples.findLast(({value}) => value !== undefined)?.value;
	const values = bucketsIn(window, samples).map(bucket => bucket?.mean);
	const cursor = bucketAtCursor(window, state.at);
	const plot = {columns: graph.bars, rows, low: 0, high: full};
	const at = cursor === undefined ? undefined : Math.floor(cursor / 2);
	const lines = curveLines(
		[{values, meaning: 'curve', letter: 'a'}],
		{...plot, cursor: at},
		paper.theme,
	);
	const name = state.zoomed === undefined ? titles[metric] : `gpu${index} ${titles[metric]}`;
	const limit = metric === 'heat' ? `limit ${HOT}` : `of ${formatWhole(full)}`;
	const said = now === undefined ? 'not measured' : `now ${figureOf(metric)(now)} ${limit}`;
	const step = `1 column ${formatBucketLength(window.step * 2)}`;
	return [
		titled(paper, name, metric === metrics[0] ? `${said}  ${span(state)}, ${step}` : said),
		...besideAxis(lines, valueTicks(plot, formatWhole), {
			width: graph.left,
			theme: paper.theme,
		}).map(line => line.trimEnd()),
	];
}

/** A figure of a GPU from its own readings; for an only GPU from those of the machine as well. */
function samplesOfGpu({samples, instance}: UsageReadings, index: number, metric: Metric) {
	const isOnly = isSingle({zoomed: undefined}, {samples, instance});
	return samples.map(({at, gpus, machine}) => {
		const own = gpus?.[index]?.[metric];
		const value = isOnly && metric !== 'power' ? (own ?? machine?.[metric]) : own;
		return {at, value};
	});
}

/** Values of the latest buckets as a table, the last one first. */
export function tableLines(page: UsagePage): readonly string[] {
	const {state, readings, window, paper} = page;
	const index = state.zoomed ?? 0;
	const isOne = isSingle(state, readings);
	const columns = isOne
		? metrics.map(metric => ({
				name: titles[metric],
				write: figureOf(metric),
				buckets: bucketsIn(window, samplesOfGpu(readings, index, metric)),
			}))
		: gpuTracks(readings.samples, readings.instance, state.metric, window).map(
				({name, buckets}) => ({
					name,
					write: figureOf(state.metric),
					buckets,
				}),
			);
	const all = machineTrack(readings, window, {figure: 'util', name: 'all', full: 100});
	const shown = [...columns, {...all, write: formatWhole}];
	const indices = Array.from({length: window.count}, (_, at) => window.count - 1 - at).filter(at =>
		shown.some(({buckets}) => buckets[at] !== undefined),
	);
	const lines = indices.map(
		at =>
			`${fit(clock(bucketStartOf(window, at), window), 13)}${cells(shown.map(({buckets, write}) => write(buckets[at]?.mean)))}`,
	);
	const heads = `${fit('FROM', 13)}${cells(shown.map(({name}) => name))}`;
	const top = Math.max(0, Math.min(state.top, lines.length - paper.size.rows + 2));
	return [heads, ...lines.slice(top)].map(line => fit(line, paper.size.columns));
}

function cells(texts: readonly string[]): string {
	return texts.map(text => text.padStart(8)).join('');
}

/** Curves of the least, the middle and the highest of all GPUs, if they fit. */
export function spreadLines(
	page: UsagePage,
	tracks: readonly Track[],
	rows: number,
): readonly string[] {
	const {state, paper, window, graph} = page;
	const full = tracks[0]?.full ?? 1;
	const each = Array.from({length: window.count}, (_, at) =>
		tracks.flatMap(({buckets}) => buckets[at]?.mean ?? []).toSorted((a, b) => a - b),
	);
	const curve = (pick: (values: readonly number[]) => number | undefined) =>
		each.map(pick).flatMap(value => [value, value]);
	const curves: readonly Curve[] = [
		{values: curve(median), meaning: 'curve', letter: 'a'},
		{values: curve(values => values[0]), meaning: 'quiet', letter: 'b', dash: [1, 2]},
		{values: curve(values => values.at(-1)), meaning: 'quiet', letter: 'c', dash: [1, 2]},
	];
	const plot = {columns: graph.bars, rows: rows - 1, low: 0, high: full};
	const cursor = bucketAtCursor(window, state.at);
	const lines = curveLines(curves, {...plot, cursor}, paper.theme);
	return [
		titled(paper, `${titles[state.metric]}  least, middle and most of ${tracks.length} GPUs`, ''),
		...besideAxis(lines, valueTicks(plot, formatWhole), {width: graph.left, theme: paper.theme}),
	];
}
