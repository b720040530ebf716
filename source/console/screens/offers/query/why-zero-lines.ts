/** An empty list says which of its words keep everything away. */
import type {Finding, WhyZero} from '../../../../renter/offers/words/why-zero.ts';
import {spread} from '../../../chrome.ts';
import {count, money} from '../../../../renter/format.ts';
import {fit, printable, widthOf} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../theme.ts';

/** As many as there are digits for. */
const MOST_ROWS = 5;
/** From this width on there is room for whole sentences. */
const ROOMY = 72;

/** Rows of words to leave out: single ones, those that help first, or pairs where none does. */
export function rowsOf({singles, pairs}: WhyZero): readonly Finding[] {
	const helping = singles.filter(finding => finding.count > 0);
	if (helping.length === 0 && pairs.length > 0) return pairs.slice(0, MOST_ROWS);
	return [...helping, ...singles.filter(finding => finding.count === 0)].slice(0, MOST_ROWS);
}

export type Explanation = {
	readonly theme: Theme;
	readonly width: number;
	/** Count of the search's conditions. */
	readonly conditions: number;
	readonly chosen: number;
	/** The disk that is asked for, and how many offers there are for a smaller one, where that is known. */
	readonly diskGb?: number | undefined;
	readonly smallerDisk?: number | undefined;
};

export function whyZeroLines(
	why: WhyZero,
	{theme, width, conditions, chosen, diskGb, smallerDisk}: Explanation,
): readonly string[] {
	const rows = rowsOf(why);
	const helps = rows.some(finding => finding.count > 0);
	const isPair = rows.some(({without}) => without.length > 1);
	const labels = rows.map(labelOf);
	const room = Math.min(Math.floor(width / 2), Math.max(12, ...labels.map(widthOf)));
	const calls = `${why.calls} ${why.calls === 1 ? 'call' : 'calls'}`;
	const asked = width < ROOMY ? `(${calls})` : `(checked just now, ${calls})  `;
	return [
		'',
		theme.style('heading', fit(` No offer matches ${allOf(conditions)}.`, width)),
		'',
		spread(width, ` ${introduction(isPair, helps)}`, asked),
		'',
		...rows.map((finding, index) => {
			const line = rowLine(finding, index, room, theme.glyphs.cursor, index === chosen);
			return index === chosen ? theme.style('strong', fit(line, width)) : fit(line, width);
		}),
		'',
		...diskLines(diskGb, smallerDisk),
		...restLines(why, rows).map(line => fit(` ${line}`, width)),
	];
}

function allOf(conditions: number): string {
	if (conditions === 1) return 'this condition';
	return conditions === 2 ? 'both conditions' : `all ${conditions} conditions`;
}

function introduction(isPair: boolean, helps: boolean): string {
	if (isPair) return 'No single word helps. Leave two out:';
	return helps ? 'Leave one out and you get:' : 'Leaving one or two out does not help:';
}

function labelOf({without}: Finding): string {
	return printable(without.map(({label}) => label).join(' + '));
}

function rowLine(
	finding: Finding,
	index: number,
	room: number,
	cursor: string,
	isChosen: boolean,
): string {
	const mark = isChosen ? cursor : ' ';
	const amount = `${count(finding.count)}${finding.isLeast && finding.count > 0 ? '+' : ''}`;
	const start = ` ${mark} ${index + 1}  ${fit(labelOf(finding), room)}  -> ${fit(amount, 6, 'right')}`;
	if (finding.count === 0) return start;
	const word = finding.count === 1 && !finding.isLeast ? 'offer ' : 'offers';
	return `${start} ${word}${bestOf(finding)}`;
}

/** The cheapest of them, with its disk. */
function bestOf({best}: Finding): string {
	if (best?.dph_total === undefined || best.dph_total === null) return '';
	const gpus = typeof best.num_gpus === 'number' ? ` (${best.num_gpus}x)` : '';
	return `   best ${money(best.dph_total)}/h with disk${gpus}`;
}

function diskLines(diskGb: number | undefined, smallerDisk = 0): readonly string[] {
	if (diskGb === undefined || smallerDisk === 0) return [];
	const offers = smallerDisk === 1 ? '1 offer' : `${count(smallerDisk)} offers`;
	return [` For a smaller disk than ${diskGb}G there is: ${offers} (diskGb in the settings).`];
}

function restLines({singles, untried}: WhyZero, rows: readonly Finding[]): readonly string[] {
	const shown = new Set(rows.flatMap(({without}) => without));
	const rest = singles.filter(({without}) => without.every(part => !shown.has(part))).map(labelOf);
	const isAbout = rest.length > 0 && rows.every(({without}) => without.length === 1);
	return [
		...(isAbout ? [`Leaving out ${rest.join(' or ')} alone gives 0.`] : []),
		...(untried.length > 0
			? [
					`Not tried, to spare the service: ${untried.map(({label}) => printable(label)).join(' ')}.`,
				]
			: []),
		'Nothing was filtered silently: every word is in the line above.',
		'',
		'm  tell me when one appears, while rentty runs',
		'b  keep this search for later',
	];
}
