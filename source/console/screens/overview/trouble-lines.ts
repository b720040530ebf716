/** Work for the user: stuck and dead instances, ends that passed, runs that go wrong, and idle GPUs. */
import {isTrouble} from '../../../renter/instance/condition.ts';
import {isSick} from '../../../renter/instance/examined.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {wasteIn} from '../../../renter/instance/burn.ts';
import {lateMs} from '../../../renter/leases/held.ts';
import {hourly, wholePercent} from '../../../renter/text/format.ts';
import type {UseSample} from '../../../renter/history/use-history.ts';
import {fit, fitMiddle, printable} from '../../../renter/text/text-width.ts';
import type {RunReading} from '../../../renter/training/run-reading.ts';
import {trainingVerdicts} from '../../../renter/training/verdict.ts';
import type {Meaning, Theme} from '../../ui/theme.ts';
import {rateText} from '../instances/words.ts';
import {isEndMissed} from '../instances/ends.ts';
import {isHot, slowGpus} from '../instances/usage/usage-state.ts';
import {conditionNote, troubledRows} from '../instances/trouble.ts';
import {ageOf, gpusWithin, labelOf, meaningOf, roughly, shortState} from '../instances/words.ts';
import type {OverviewRow, OverviewData} from './overview-state.ts';
import {DAY_MS} from '../../../contract/rules/durations.ts';

type Trouble = {
	readonly row: FleetRow;
	readonly word: string;
	readonly meaning: Meaning;
	readonly text: string;
	readonly rate?: string;
	readonly page?: 'Run' | 'Usage';
};

/** Name of an instance in a line: its label, else its number. */
export const shortName = ({instance}: Pick<FleetRow, 'instance'>) =>
	labelOf(instance) || String(instance.id);

export const NAME_WIDTH = 15;

type Troubled = Pick<OverviewData, 'fleet' | 'runs' | 'history' | 'now'>;

/** Everything in trouble: what costs and does nothing first, the newest first. */
export function troublesIn({fleet: {rows}, runs, history, now}: Troubled): readonly Trouble[] {
	const left = rows.filter(({condition}) => condition !== 'gone');
	return [
		...troubledRows(left).map(row => ({
			row,
			word: shortState(row),
			meaning: meaningOf(row),
			text: `${ageOf(row)}  ${conditionNote(row)}`,
			rate: rateText(row.rate),
		})),
		...left.filter(({condition}) => condition === 'failed').map(failedTrouble),
		...left.filter(isEndMissed).map(lateTrouble),
		...left.flatMap(row => runTrouble(row, runs.get(row.instance.id))),
		...left.flatMap(row => gpuTroubles(row, history.gpus.get(row.instance.id) ?? [], now)),
		...left.filter(({condition}) => condition === 'idle').map(idleTrouble),
	];
}

function failedTrouble(row: FleetRow): Trouble {
	const text = conditionNote(row);
	return {row, word: '  FAILED', meaning: 'danger', text, rate: rateText(row.rate)};
}

function lateTrouble(row: FleetRow): Trouble {
	const late = lateMs(row.instance, row.now);
	const text =
		late === undefined ? 'its label has lost its lease' : `its end passed ${roughly(late)} ago`;
	return {row, word: '  LATE', meaning: 'alarm', text, rate: rateText(row.rate)};
}

function runTrouble(row: FleetRow, reading: RunReading | undefined): readonly Trouble[] {
	// A stuck or dead instance has a line of its own.
	if (reading === undefined || isTrouble(row.condition) || !reading.isAgreed) return [];
	const gravity = trainingVerdicts[reading.verdict];
	if (gravity !== 'alarm' && gravity !== 'danger') return [];
	const {step} = reading.training;
	const text = `its run, at step ${step ?? '-'}`;
	return [{row, word: `  ${reading.verdict}`, meaning: gravity, text, page: 'Run'}];
}

/** Age beyond which a reading of GPUs counts as past. */
const FRESH_MS = 300_000;
/** Age beyond which an examination counts as past. */
const EXAMINED_MS = DAY_MS;

/** GPUs that are sick by the last examination, or hot, or far slower than the others at present. */
function gpuTroubles(
	row: FleetRow,
	samples: readonly UseSample[],
	now: number,
): readonly Trouble[] {
	// Trouble of the instance has a line of its own, and only running GPUs can be judged.
	if (isTrouble(row.condition) || row.instance.actual_status !== 'running') return [];
	const found = new Map<number, Trouble>();
	for (const {gpu, meaning, text} of [...sickGpus(row, now), ...badGpus(samples, now)]) {
		// One line a GPU: the examination comes before the readings.
		if (!found.has(gpu)) found.set(gpu, {row, word: `  gpu${gpu}`, meaning, text, page: 'Usage'});
	}
	return [...found.values()];
}

type BadGpu = Pick<Trouble, 'meaning' | 'text'> & {readonly gpu: number};

function sickGpus({examined}: FleetRow, now: number): readonly BadGpu[] {
	if (examined === undefined || now - examined.at >= EXAMINED_MS) return [];
	return examined.gpus
		.filter(isSick)
		.map(({index, evidence}) => ({gpu: index, meaning: 'danger', text: printable(evidence)}));
}

function badGpus(samples: readonly UseSample[], now: number): readonly BadGpu[] {
	const last = samples.at(-1);
	if (last === undefined || now - last.at >= FRESH_MS) return [];
	const {gpus = []} = last;
	const hot = gpus.flatMap((gpu, index): readonly BadGpu[] =>
		isHot(gpu) ? [{gpu: index, meaning: 'danger', text: `${gpu.heat} C: it slows down`}] : [],
	);
	const slow = [...slowGpus(samples, gpus.length)].map(([gpu, {own, others, minutes}]): BadGpu => ({
		gpu,
		meaning: 'warning',
		text: `${wholePercent(own)}, the others ${wholePercent(others)}: ${minutes} min`,
	}));
	return [...hot, ...slow];
}

function idleTrouble(row: FleetRow): Trouble {
	return {
		row,
		word: '  IDLE',
		meaning: 'warning',
		text: conditionNote(row),
		rate: rateText(row.rate),
	};
}

const WORD_WIDTH = 8;
const GPU_WIDTH = 12;
const RATE_WIDTH = 6;

export function troubleLines(data: Troubled): readonly OverviewRow[] {
	return troublesIn(data).map(trouble => {
		const {id} = trouble.row.instance;
		return {
			part: 'TROUBLE',
			key: `trouble ${trouble.word.trim()} ${id}`,
			goes: {name: 'instance', id, ...(trouble.page !== undefined && {page: trouble.page})},
			write: (width, theme) => troubleLine(trouble, width, theme),
		};
	});
}

function troubleLine(trouble: Trouble, width: number, theme: Theme): string {
	const {row, word, meaning, text, rate = ''} = trouble;
	const gpus = width < 70 ? '' : `${fit(gpusWithin(GPU_WIDTH, row.instance), GPU_WIDTH)} `;
	const long = Math.max(0, word.length + 1 - WORD_WIDTH);
	const start = theme.style(meaning, fit(word, WORD_WIDTH + long - 1));
	const name = fit(fitMiddle(shortName(row), NAME_WIDTH), NAME_WIDTH);
	const rest = width - WORD_WIDTH - long - NAME_WIDTH - 1 - gpus.length - RATE_WIDTH - 1;
	return `${start} ${name} ${gpus}${fit(text, Math.max(0, rest))} ${fit(rate, RATE_WIDTH, 'right')}`;
}

/** Savings of a sweep, in words; empty if there are none. */
export function wasteText({fleet: {rows}}: Pick<OverviewData, 'fleet'>): string {
	const waste = wasteIn(rows).filter(({reason}) => reason === 'stuck' || reason === 'dead');
	if (waste.length === 0) return '';
	const perHour = waste.reduce((sum, one) => sum + one.perHour, 0);
	const most = waste.some(({isAtMost}) => isAtMost) ? 'up to ' : '';
	return `What is stuck or dead wastes ${most}${hourly(perHour)}/h: X sweeps it.`;
}
