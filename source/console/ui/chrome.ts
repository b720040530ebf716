/** The lines around every screen, as text: drawn before Ink has loaded, and by Ink afterwards. */
import {noFleetTexts, type FleetTexts} from '../../renter/fleet/fleet-texts.ts';
import {timeOfDay} from '../../renter/text/format.ts';
import {fit, printable, widthOf} from '../../renter/text/text-width.ts';
import {bar} from './graph.ts';
import {withGlyphs} from './glyphs.ts';
import {unstyled, type Meaning, type Theme} from './theme.ts';

/** The least size at which a screen can be used. */
export const LEAST_COLUMNS = 48;
export const LEAST_ROWS = 14;

/** Name of the service, at the top of every screen. */
export type ServiceName = {
	readonly name: string;
	readonly isPractice: boolean;
	/** Mode of access: read and write, or only read. */
	readonly mode?: 'RW' | 'RO';
	/** Colour of the name, by the user's choice. */
	readonly meaning?: Meaning;
	/** Hint to other services, shown if there is space. */
	readonly hint?: string | undefined;
};

export type Pulse = {
	/** Duration of the service's last reply. */
	readonly apiMs: number | undefined;
	/** Round trip to the terminal. */
	readonly linkMs: number | undefined;
	/** Frames reach the terminal late. */
	readonly isLineSlow: boolean;
	readonly answeredAt: Date | undefined;
};

export const noPulse: Pulse = {
	apiMs: undefined,
	linkMs: undefined,
	isLineSlow: false,
	answeredAt: undefined,
};

type HeaderTexts = FleetTexts & {readonly alerts?: string};

type Segment = {
	readonly text: string;
	readonly style: Meaning;
	/** Parts of a higher rank are dropped first; those of rank 0 never. */
	readonly rank: number;
	/** Text before it, unless it is the first. @default ' ' */
	readonly before?: string;
};

/**
 * First line of every screen: the service, its costs, the numbers of running and of troubled instances,
 * and the time of the last answer. With little space the lesser parts go, but never costs and trouble.
 */
export function headerLine(
	theme: Theme,
	width: number,
	service: ServiceName,
	pulse: Pulse,
	fleet: HeaderTexts = noFleetTexts,
): string {
	const left = [...serviceParts(service, fleet.notice, pulse), ...moneyParts(fleet)];
	const right = [...countParts(fleet), ...clockParts(pulse)];
	const [shownLeft, shownRight] = fittingParts(left, right, width);
	const gap = width - lengthOf(shownLeft) - lengthOf(shownRight);
	return drawParts(theme, shownLeft) + ' '.repeat(Math.max(0, gap)) + drawParts(theme, shownRight);
}

const DOT = ' · ';

/** Name of the service, and its trouble. */
function serviceParts(
	{name, isPractice, mode, meaning, hint = ''}: ServiceName,
	notice: string,
	{isLineSlow}: Pulse,
): readonly Segment[] {
	const full = join(' ', printable(name), mode ?? '');
	const [brief = '', ...rest] = notice.split(/(?=,)/);
	const named: readonly Segment[] = isPractice
		? [
				{text: ' practice', style: 'practice', rank: 0},
				{text: ' market', style: 'practice', rank: 8, before: ''},
				{text: ' · no money ', style: 'practice', rank: 5, before: ''},
			]
		: [{text: full, style: meaning ?? 'strong', rank: 0}];
	return [
		{text: ' rentty ', style: 'badge', rank: 11},
		...named,
		{text: hint, style: 'quiet', rank: 12, before: '  '},
		{text: brief, style: 'warning', rank: 1, before: '  '},
		{text: rest.join(''), style: 'warning', rank: 2, before: ''},
		{text: isLineSlow && notice === '' ? 'slow line' : '', style: 'quiet', rank: 11, before: '  '},
	];
}

function moneyParts({burn, most, burns, endless, today, credit, ...money}: FleetTexts) {
	const {lasts, moneyAge} = money;
	const peak = Math.max(0, ...burns.map(cost => cost ?? 0));
	const shares = burns.map(cost => (cost === undefined || peak === 0 ? undefined : cost / peak));
	const spark =
		shares.filter(share => share !== undefined).length < 2
			? ''
			: shares.map(bar).join('').trimStart();
	const few = endless.replace('without an', 'no');
	const parts: readonly Segment[] = [
		{text: burn, style: 'strong', rank: 0, before: DOT},
		{text: spark, style: 'good', rank: 14},
		{text: most, style: 'quiet', rank: 7},
		{text: few, style: 'warning', rank: 3, before: '  '},
		{text: today === '' ? '' : 'today', style: 'quiet', rank: 10, before: DOT},
		{text: today, style: 'plain', rank: 10},
		{text: credit, style: 'plain', rank: 9, before: DOT},
		{text: lasts === '' ? '' : `lasts ${lasts}`, style: 'quiet', rank: 9},
		{text: moneyAge, style: 'warning', rank: 9, before: ', '},
	];
	return parts;
}

function countParts({counts, alerts = ''}: HeaderTexts): readonly Segment[] {
	return [
		...countStyles.map(({kind, style, rank}) => ({
			text: counts[kind],
			style,
			rank,
			before: '  ',
		})),
		{text: alerts, style: 'warning', rank: 3, before: '  '},
	];
}

/** Counts from left to right: where space is short, trouble goes last. */
const countStyles = [
	{kind: 'running', style: 'good', rank: 6},
	{kind: 'booting', style: 'booting', rank: 8},
	{kind: 'stopped', style: 'quiet', rank: 12},
	{kind: 'watched', style: 'warning', rank: 4},
	{kind: 'bad', style: 'danger', rank: 0},
] as const;

/** Time of the service's last answer; over a slow line it is drawn without its seconds. */
function clockParts({answeredAt, isLineSlow}: Pulse): readonly Segment[] {
	if (answeredAt === undefined) return [];
	const time = timeOfDay(answeredAt);
	return [
		{text: time.slice(0, 5), style: 'quiet', rank: 4, before: '  '},
		{text: isLineSlow ? '' : time.slice(5), style: 'quiet', rank: 13, before: ''},
	];
}

/** The parts of both sides that fit with a blank between them: those of the highest rank are dropped together. */
function fittingParts(
	left: readonly Segment[],
	right: readonly Segment[],
	width: number,
): readonly [left: readonly Segment[], right: readonly Segment[]] {
	let shown = [left, right].map(parts => parts.filter(({text}) => text !== ''));
	for (;;) {
		const [one = [], other = []] = shown;
		const length = lengthOf(one) + lengthOf(other) + (other.length === 0 ? 0 : 1);
		const highest = Math.max(0, ...shown.flat().map(({rank}) => rank));
		if (length <= width || highest === 0) return [one, other];
		shown = shown.map(parts => parts.filter(({rank}) => rank < highest));
	}
}

function lengthOf(parts: readonly Segment[]): number {
	return parts.reduce(
		(sum, {text, before = ' '}, at) => sum + widthOf(text) + (at === 0 ? 0 : before.length),
		0,
	);
}

function drawParts(theme: Theme, parts: readonly Segment[]): string {
	return parts
		.map(
			({text, style, before = ' '}, at) =>
				(at === 0 ? '' : before.trim() === '' ? before : theme.style('quiet', before)) +
				theme.style(style, text),
		)
		.join('');
}

function join(between: string, ...parts: readonly string[]): string {
	return parts.filter(part => part !== '').join(between);
}

type TabName = {readonly key: string; readonly title: string; readonly short: string};

/** Styles of tabs, from wide screens to narrow ones. */
const tabStyles = [
	{gap: '  ', blank: ' ', isShort: false},
	{gap: ' ', blank: ' ', isShort: false},
	{gap: ' ', blank: '', isShort: false},
	{gap: ' ', blank: '', isShort: true},
];

/**
 * Index of the text, of several side by side, that a column is in; undefined between and behind
 * them.
 */
export function partAt(parts: readonly string[], gap: number, column: number): number | undefined {
	let start = 0;
	for (const [at, part] of parts.entries()) {
		const end = start + widthOf(part);
		if (column >= start && column < end) return at;
		start = end + gap;
	}
	return undefined;
}

/** Index of the button on a line, `[ Cancel ]`, that a column is in. */
export function buttonAt(line: string, column: number): number | undefined {
	const drawn = [...unstyled(line).matchAll(/\[ [^\]]+ \]/g)];
	const at = drawn.findIndex(
		({index, 0: text}) => column >= index && column < index + widthOf(text),
	);
	return at === -1 ? undefined : at;
}

type TabTexts = {readonly gap: string; readonly written: readonly string[]};

/** Tabs as they are written if there is enough space. */
function tabTexts(width: number, tabs: readonly TabName[], active: number): TabTexts {
	const styles = tabStyles.map(({gap, blank, isShort}) => ({
		gap,
		written: tabs.map(({key, title, short}, index) => {
			const name = `${key} ${isShort ? short : title}`;
			return index === active ? `[${name}]` : blank + name + blank;
		}),
	}));
	const fitting = styles.find(style => widthOf(style.written.join(style.gap).trimEnd()) <= width);
	return fitting ?? styles.at(-1) ?? {gap: ' ', written: []};
}

export function tabAt<Tab extends TabName>(
	width: number,
	tabs: readonly Tab[],
	active: number,
	column: number,
): Tab | undefined {
	const {gap, written} = tabTexts(width, tabs, active);
	return tabs[partAt(written, gap.length, column) ?? -1];
}

/** The names of the screens with the keys that lead there, the present one as a tab. */
export function tabsLine(
	theme: Theme,
	width: number,
	tabs: readonly TabName[],
	active: number,
): string {
	const {gap, written} = tabTexts(width, tabs, active);
	const shown = written.map((text, at) => {
		const {key: ownKey = '', title = '', short = ''} = tabs[at] ?? {};
		if (at === active) return theme.tab(ownKey, text.includes(title) ? title : short);
		const [, blank = '', key = '', rest = ''] = /^( *)(\S+)(.*)$/.exec(text) ?? [];
		return blank + theme.style('quiet', key) + rest;
	});
	return pad(shown.join(gap), width);
}

/** Two texts at the two ends of a line; the left one is cut first. */
export function spread(width: number, left: string, right: string): string {
	const space = width - widthOf(right) - (right === '' ? 0 : 1);
	if (space < 1) return fit(right, width);
	return right === '' ? fit(left, width) : `${fit(left, space)} ${right}`;
}

type Titled = {
	readonly name: string;
	/** The most important one first. */
	readonly facts: readonly string[];
	/** @default two blanks */
	readonly gap?: string;
	readonly right: string;
};

/** Columns that a name keeps beside facts. */
const LEAST_NAME = 22;

/**
 * A name with facts behind it, of which none is cut off, since half an amount is another amount: the
 * name gives way first, then the last facts, then what stands at the right.
 */
export function titleWithFacts(width: number, {name, facts, gap = '  ', right}: Titled): string {
	const whole = widthOf(name);
	for (let count = facts.length; ; count--) {
		const said = gap + facts.slice(0, Math.max(1, count)).join(gap);
		const end = count === 0 ? '' : right;
		const room = Math.max(0, width - widthOf(said) - (end === '' ? 0 : widthOf(end) + 1));
		if (count === 0 || room >= Math.min(whole, LEAST_NAME)) {
			return spread(width, fit(name, Math.min(whole, room)) + said, end);
		}
	}
}

/** Pads styled text, whose escape sequences take no columns. */
export function pad(text: string, width: number): string {
	return text + ' '.repeat(Math.max(0, width - widthOf(unstyled(text))));
}

/** First screen, before there is anything to show. */
export function skeleton(
	theme: Theme,
	size: {readonly columns: number; readonly rows: number},
	service: ServiceName,
	{tabs, active}: {readonly tabs: readonly TabName[]; readonly active: number},
): string {
	if (size.columns < LEAST_COLUMNS || size.rows < LEAST_ROWS) return '';
	const lines = [
		headerLine(theme, size.columns, service, noPulse),
		tabsLine(theme, size.columns, tabs, active),
	];
	return withGlyphs(theme, lines.join('\n'));
}
