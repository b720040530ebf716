/** Use of running instances, and whether they learn. */
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {bucketsIn, windowAt, type Bucket} from '../../../renter/history/buckets.ts';
import {duration, MISSING, wholePercent} from '../../../renter/text/format.ts';
import {fit, fitMiddle} from '../../../renter/text/text-width.ts';
import type {RunReading} from '../../../renter/training/run-reading.ts';
import {trainingVerdicts} from '../../../renter/training/verdict.ts';
import {percentBars} from '../../ui/graph.ts';
import type {Meaning, Theme} from '../../ui/theme.ts';
import {meaningOfUse} from '../instances/words.ts';
import {endsText} from '../instances/ends.ts';
import {conditionNote} from '../instances/trouble.ts';
import {gpusWithin} from '../instances/words.ts';
import {
	overviewSpans,
	type OverviewRow,
	type OverviewState,
	type OverviewData,
} from './overview-state.ts';
import {NAME_WIDTH, shortName} from './trouble-lines.ts';

/** Instances that run, the dearest first. */
export function runningRows(rows: readonly FleetRow[]): readonly FleetRow[] {
	return rows
		.filter(({instance, condition}) => instance.actual_status === 'running' && condition !== 'gone')
		.toSorted((a, b) => (b.rate.now ?? 0) - (a.rate.now ?? 0) || a.instance.id - b.instance.id);
}

export function linesOfUse(data: OverviewData, state: OverviewState): readonly OverviewRow[] {
	return runningRows(data.fleet.rows).map(row => {
		const {id} = row.instance;
		const reading = data.runs.get(id);
		const isRun = reading !== undefined && reading.verdict !== 'NO RUN';
		return {
			part: 'USE',
			key: `use ${id}`,
			goes: {name: 'instance', id, page: isRun ? 'Run' : 'Usage'},
			write: (width, theme) => lineOfUse(row, {data, state, width, theme}),
		};
	});
}

type Paper = {
	readonly data: OverviewData;
	readonly state: OverviewState;
	readonly width: number;
	readonly theme: Theme;
};

const GPU_WIDTH = 12;
const UTIL_WIDTH = 5;

function lineOfUse(row: FleetRow, {data, state, width, theme}: Paper): string {
	const {instance} = row;
	const bars = width < 100 ? 18 : 40;
	const name = fit(fitMiddle(shortName(row), NAME_WIDTH), NAME_WIDTH);
	const gpus = fit(gpusWithin(GPU_WIDTH, instance), GPU_WIDTH);
	const util = fit(wholePercent(instance.gpu_util), UTIL_WIDTH, 'right');
	const ms = (overviewSpans[state.span] ?? overviewSpans[1]).ms;
	const window = windowAt(data.now, ms, {count: bars});
	const buckets = bucketsIn(window, data.history.use.get(instance.id) ?? []);
	const shown = state.isTable ? numbers(buckets) : percentBars(buckets.map(one => one?.mean));
	const start = `${theme.style('strong', name)} ${theme.style('quiet', gpus)}${util}  `;
	const graph = theme.style(state.isTable ? 'plain' : meaningOfUse(row), fit(shown, bars));
	const {text, meaning} = learningOf(row, data.runs.get(instance.id));
	const room = width - NAME_WIDTH - GPU_WIDTH - UTIL_WIDTH - bars - 5;
	return `${start}${graph}  ${theme.style(meaning, fit(text, Math.max(0, room)))}`;
}

/** Least, mean and most of a span. */
function numbers(buckets: ReadonlyArray<Bucket | undefined>): string {
	const known = buckets.filter(bucket => bucket !== undefined);
	if (known.length === 0) return MISSING;
	const mean = known.reduce((sum, one) => sum + one.mean, 0) / known.length;
	const [low, high] = [
		Math.min(...known.map(({min}) => min)),
		Math.max(...known.map(({max}) => max)),
	];
	return [low, mean, high].map(value => wholePercent(value).padStart(4)).join(' ');
}

/** Verdict on a run with its progress and its loss; without a run, whether the instance is idle. */
function learningOf(
	row: FleetRow,
	reading: RunReading | undefined,
): {readonly text: string; readonly meaning: Meaning} {
	const idle = row.condition === 'idle' ? conditionNote(row) : '';
	if (reading === undefined || reading.verdict === 'NO RUN') {
		const text = reading === undefined ? idle : ['no run found', idle].join('   ').trimEnd();
		return {text, meaning: idle === '' ? 'quiet' : 'warning'};
	}
	const gravity = trainingVerdicts[reading.verdict];
	const isEarly = reading.endsEarlyBy !== undefined && gravity === 'fine';
	return {text: runText(row, reading), meaning: isEarly ? 'danger' : meanings[gravity]};
}

/** "LEARNING 77%  loss 1.87  ETA 3h", and the end of the lease if that is earlier. */
function runText(row: FleetRow, {verdict, training, rest, endsEarlyBy}: RunReading): string {
	const {step = 0, of, steps} = training;
	const loss = steps.at(-1)?.loss;
	const parts = [
		of === undefined ? verdict : `${verdict} ${Math.floor((100 * step) / of)}%`,
		loss !== undefined && `loss ${Number(loss.toPrecision(3))}`,
		rest !== undefined && `ETA ${duration(rest.seconds)}`,
	];
	const early = endsEarlyBy === undefined ? '' : ` > END ${endsText({...row, keepers: undefined})}`;
	return parts.filter(Boolean).join('  ') + early;
}

const meanings = {fine: 'good', warning: 'warning', danger: 'danger', alarm: 'alarm'} as const;
