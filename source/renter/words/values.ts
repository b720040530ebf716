import {readNumber, readBoolean, readVersion} from '../../contract/grammar/filter.ts';
import {refuse, type Unit, type WordField, type Value} from './clauses.ts';
import {matchGpus, type KnownGpu} from './gpu-match.ts';

/** Countries by their two letters; a line of words may also name regions. */
const countries: ReadonlySet<string> = new Set(
	(
		'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
		'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
		'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
		'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
		'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
		'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
		'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
	).split(' '),
);

const union =
	'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

const regions: ReadonlyMap<string, readonly string[]> = new Map([
	['EU', union],
	[
		'EUROPE',
		[...union, ...'AD AL BA BY CH GB GG GI IM IS JE LI MC MD ME MK NO RS SM UA VA XK'.split(' ')],
	],
	[
		'ASIA',
		'AE AM AZ BD BH GE HK ID IL IN JP KH KR KW KZ LA LK MM MN MO MY NP OM PH PK QA SA SG TH TR TW UZ VN'.split(
			' ',
		),
	],
]);

export const regionNames: readonly string[] = [...regions.keys()];

/** A country or region in its usual form; undefined if it is neither. */
export function readLocation(text: string): string | undefined {
	const code = text.toUpperCase();
	return countries.has(code) || regions.has(code) ? code : undefined;
}

/** The countries of a region; any other location is unchanged. */
export function countriesOf(location: string): readonly string[] {
	return regions.get(location) ?? [location];
}

const gigabytes = {g: 1, gb: 1, t: 1000, tb: 1000, m: 0.001, mb: 0.001};

const suffixes: Readonly<Record<Unit, Readonly<Record<string, number>>>> = {
	none: {},
	memory: gigabytes,
	gigabytes,
	days: {d: 1, h: 1 / 24, w: 7},
	hours: {h: 1, m: 1 / 60, min: 1 / 60, s: 1 / 3600, d: 24, w: 168},
	megabits: {m: 1, g: 1000},
	share: {'%': 1},
	percent: {'%': 1},
	dollars: {$: 1},
};

const amountForm = /^\$?(.*?)((?<![a-z%$])[a-z%$]*)$/i;

/** Reads a number in the unit of its field: `1t` of disk is 1000. */
export function readAmount({name, unit}: WordField, text: string): number {
	const [, digits = '', suffix = ''] = amountForm.exec(text) ?? [];
	const isMoney = unit === 'dollars' || !text.startsWith('$');
	const amount = (readNumber(digits) ?? Number.NaN) * timesOf(unit, suffix.toLowerCase());
	if (isMoney && Number.isFinite(amount)) return amount;
	return refuse(`${name} takes a number${exampleOf(unit)}, not ${text === '' ? 'nothing' : text}`);
}

function timesOf(unit: Unit, suffix: string): number {
	if (suffix === '') return 1;
	return (Object.hasOwn(suffixes[unit], suffix) ? suffixes[unit][suffix] : undefined) ?? Number.NaN;
}

function exampleOf(unit: Unit): string {
	switch (unit) {
		case 'none':
			return '';
		case 'memory':
		case 'gigabytes':
			return ' of GB';
		case 'days':
			return ' of days';
		case 'hours':
			return ' of hours, or such as 30m or 2d';
		case 'megabits':
			return ' of Mb/s';
		case 'share':
		case 'percent':
			return ' of percent';
		case 'dollars':
			return ' of $ per hour';
	}
}

/** A value of a list. A quoted value is taken literally. */
export type Item = {readonly text: string; readonly isQuoted: boolean};

const piece = /"[^"]*"?|'[^']*'?|,|[^"',]+/g;

/** The values between commas, without brackets and quotes. */
export function splitItems(written: string): readonly Item[] {
	const isList = written.startsWith('[');
	if (isList && !written.endsWith(']')) refuse('the list has no ] at its end');
	const pieces = (isList ? written.slice(1, -1) : written).match(piece) ?? [];
	const items: Array<{text: string; isQuoted: boolean}> = [{text: '', isQuoted: false}];
	for (const part of pieces) {
		const last = items.at(-1);
		if (part === ',' || last === undefined) {
			items.push({text: '', isQuoted: false});
		} else if (/^["']/.test(part)) {
			last.text = last.text.trimStart() + unquoted(part);
			last.isQuoted = true;
		} else {
			last.text += last.isQuoted ? part.trimEnd() : part;
		}
	}
	return items
		.map(({text, isQuoted}) => ({text: isQuoted ? text : text.trim(), isQuoted}))
		.filter(({text, isQuoted}) => isQuoted || text !== '');
}

function unquoted(part: string): string {
	const quote = part.charAt(0);
	if (part.length < 2 || !part.endsWith(quote)) refuse(`the text has no ${quote} at its end`);
	return part.slice(1, -1);
}

/** Reads a value by the type of its field; a short name of a GPU can mean several. */
export function readItem(
	field: WordField,
	item: Item,
	gpus: readonly KnownGpu[],
): readonly Value[] {
	switch (field.type) {
		case 'number':
		case 'flag':
		case 'numbers':
			return [readAmount(field, item.text)];
		case 'boolean':
			return [readYes(field, item.text)];
		case 'version':
			return [readDriver(field, item.text)];
		case 'place':
			return [readWhere(field, item)];
		case 'name':
			return item.isQuoted ? [notEmpty(field, item.text)] : readGpu(field, item.text, gpus);
		case 'text':
			return [notEmpty(field, item.isQuoted ? item.text : item.text.replaceAll('_', ' '))];
	}
}

function readYes({name}: WordField, text: string): boolean {
	const word = text.toLowerCase();
	const value = word === 'yes' ? true : word === 'no' ? false : readBoolean(word);
	return value ?? refuse(`${name} is yes, no or any, not ${text}`);
}

function readDriver({name}: WordField, text: string): number {
	return readVersion(text) ?? refuse(`${name} takes a version such as 535.86.05, not ${text}`);
}

function readWhere({name}: WordField, {text, isQuoted}: Item): string {
	if (isQuoted) return notEmpty({name}, text);
	const known = regionNames.join(', ').toLowerCase();
	return (
		readLocation(text) ??
		refuse(`${name} takes countries by two letters, such as us,ca, or one of ${known}, not ${text}`)
	);
}

/** GPUs of a name; an unknown name is sent unchanged: the service may know it. */
function readGpu(field: WordField, text: string, gpus: readonly KnownGpu[]): readonly string[] {
	const meant = matchGpus(gpus, text);
	return meant.length > 0 ? meant : [notEmpty(field, text.replaceAll('_', ' '))];
}

function notEmpty({name}: Pick<WordField, 'name'>, text: string): string {
	return text.trim() === '' ? refuse(`${name} takes a text, not nothing`) : text.toWellFormed();
}
