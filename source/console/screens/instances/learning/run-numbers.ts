import type {NumberTable} from '../../../ui/number-table.ts';
import {seriesOf, type LearningState} from './learning-state.ts';

/** Steps of a run as numbers; the means are those of the curve. */
export function runNumbers(state: LearningState): NumberTable {
	const steps = state.reading?.training.steps ?? [];
	const {means} = seriesOf(steps, {...state, series: 'loss'});
	return {
		title: `Steps of the run, mean of ${state.smooth}`,
		heads: ['TIME (UTC)', 'STEP', 'LOSS', 'MEAN', 'LR'],
		rows: steps.map(({step, loss, rate, at}, index) => [
			at === undefined ? '-' : new Date(at).toISOString().slice(0, 19),
			String(step),
			digits(loss),
			digits(means[index]),
			digits(rate),
		]),
	};
}

/** A figure as a table has it, with more digits than a sentence. */
const digits = (value: number | undefined) =>
	value === undefined ? '-' : Number.isNaN(value) ? 'NaN' : String(Number(value.toPrecision(6)));
