/** A comparison as text that a spreadsheet takes. */
import type {Job} from '../../../contract/offer-cost.ts';
import {compareRows} from './compare.ts';
import type {Compared} from './compared.ts';

/** A line for each row, with its columns between tabs; the first names the offers. */
export function comparisonText(offers: readonly Compared[], job: Job): string {
	const rows = compareRows(offers, job).map(({title, cells}) => [
		title.trim(),
		...cells.map(({text}) => text),
	]);
	const names = ['offer', ...offers.map(({offer}) => String(offer.id))];
	return [names, ...rows].map(cells => cells.join('\t')).join('\n');
}
