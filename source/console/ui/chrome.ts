/** The lines around every screen, as text: drawn before Ink is there, and by Ink afterwards. */
import type {FleetWords} from '../../renter/fleet/fleet-words.ts';
import {timeOfDay} from '../../renter/text/format.ts';
import {fit, printable, widthOf} from '../../renter/text/text-width.ts';
import {withGlyphs, type Meaning, type Theme} from './theme.ts';

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
	/** Hint to other services, shown where there is room. */
	readonly hint?: string | undefined;
};

/** Round trips to the service and to the user's terminal. */
export type Pulse = {
	/** Duration of the service's last reply. */
	readonly apiMs: number | undefined;
	/** Round trip to the terminal. */
	readonly linkMs: number | undefined;
	/** Frames reach the terminal late. */
	readonly isLineSlow: boolean;
	/** Time of the service's last answer. */
	readonly answeredAt: Date | undefined;
};

export const noPulse: Pulse = {
	apiMs: undefined,
	linkMs: undefined,
	isLineSlow: false,
	answeredAt: undefined,
};

/** Words of the header about the fleet and about new alerts. */
type HeaderWords = FleetWords & {readonly alerts?: string};

const noFleetWords: FleetWords = {burn: '', trouble: '', endless: '', more: '', notice: ''};

/**
 * The first line of every screen: the service, its speed, the cost, the troubles, and the time of the
 * last answer, or the state of its retries. With little room the links go first, then the seconds, but
 * never cost and troubles.
 */
export function headerLine(
	theme: Theme,
	width: number,
	service: ServiceName,
	pulse: Pulse,
	fleet: HeaderWords = noFleetWords,
): string {
	const {name, short} = namesOf(service);
	const links = linksText(pulse);
	const {clock, minute} = timesOf(pulse);
	const {burn, endless, more, notice, alerts = ''} = fleet;
	const trouble = join('  ', fleet.trouble, alerts);
	const {hint = ''} = service;
	const few = endless.replace('without an', 'no');
	const link = notice === '' ? links : notice;
	const [brief = ''] = notice.split(',');
	const sides = [
		[join(' | ', name, hint, link, join('  ', burn, endless, more)), join('  ', trouble, clock)],
		[join(' | ', name, link, join('  ', burn, endless, more)), join('  ', trouble, clock)],
		[join(' | ', name, link, join('  ', burn, endless)), join('  ', trouble, clock)],
		// A failing service is shown in full before the count of endless instances.
		...(notice === '' ? [] : [join('  ', burn, few), burn]).flatMap(money =>
			[clock, minute].map(at => [join(' | ', name, link, money), join('  ', trouble, at)] as const),
		),
		[join(' | ', name, brief, join('  ', burn, endless)), join('  ', trouble, clock)],
		[join(' | ', name, brief, join('  ', burn, few)), join('  ', trouble, clock)],
		...[minute, ...(alerts === '' ? [] : [''])].map(
			at => [join(' | ', name, brief, join('  ', burn, few)), join('  ', trouble, at)] as const,
		),
		[join(' | ', name, link, burn), join('  ', trouble, clock)],
		[join(' | ', name, brief, burn), join('  ', trouble, clock)],
		[join(' ', short, brief, burn), join(' ', trouble, minute)],
		[join(' ', short, brief, burn), trouble],
		[join(' ', short, burn), trouble],
		[join(' ', short, burn), fleet.trouble],
	];
	// True if both sides fit with a blank between them.
	const fits = ([left, right]: (typeof sides)[number]) =>
		widthOf(left) + widthOf(right) + (right === '' ? 0 : 1) <= width;
	const [left, right] = sides.find(fits) ?? [name, trouble];
	const line = spread(width, left, right);
	const shown = (left.startsWith(name) ? name : short).length;
	const tail = width - right.length;
	const meaning = service.meaning ?? (service.isPractice ? 'practice' : 'strong');
	return (
		theme.style(meaning, line.slice(0, shown)) +
		withEndless(theme, line.slice(shown, tail), [endless, few]) +
		theme.style('danger', line.slice(tail, tail + trouble.length)) +
		line.slice(tail + trouble.length)
	);
}

/** Time of the service's last answer; over a slow line without seconds. */
function timesOf({answeredAt, isLineSlow}: Pulse) {
	const time = answeredAt === undefined ? '' : timeOfDay(answeredAt);
	const minute = time.slice(0, 5);
	return {minute, clock: isLineSlow ? minute : time};
}

/** Highlights the costs of endless instances, in any of their wordings. */
function withEndless(theme: Theme, text: string, words: readonly string[]): string {
	const said = words.find(word => word !== '' && text.includes(word));
	return said === undefined ? text : text.replace(said, () => theme.style('warning', said));
}

/** Names of the service: in full, and where there is little room. */
function namesOf({name, isPractice, mode}: ServiceName) {
	if (isPractice) return {name: 'PRACTICE no money', short: 'PRACTICE'};
	const full = join(' ', printable(name), mode ?? '');
	return {name: full, short: full};
}

function join(between: string, ...parts: readonly string[]): string {
	return parts.filter(part => part !== '').join(between);
}

/** Times of service and terminal; a slow line gets no numbers, which would change with each answer. */
function linksText({apiMs, linkMs, isLineSlow}: Pulse): string {
	if (isLineSlow) return 'slow line';
	return join(' ', milliseconds('api', apiMs), milliseconds('link', linkMs));
}

function milliseconds(title: string, value: number | undefined): string {
	return value === undefined ? '' : `${title} ${Math.round(value)}ms`;
}

/** A tab as its line shows it. */
type TabName = {readonly key: string; readonly title: string; readonly short: string};

/** Looks of tabs, from wide screens to narrow ones. */
const tabLooks = [
	{gap: '  ', blank: ' ', isShort: false},
	{gap: ' ', blank: ' ', isShort: false},
	{gap: ' ', blank: '', isShort: false},
	{gap: ' ', blank: '', isShort: true},
];

/** Which of some texts side by side a column is in; undefined between and behind them. */
export function partAt(parts: readonly string[], gap: number, column: number): number | undefined {
	let start = 0;
	for (const [at, part] of parts.entries()) {
		const end = start + widthOf(part);
		if (column >= start && column < end) return at;
		start = end + gap;
	}
	return undefined;
}

/** Which of the buttons on a line, `[ Cancel ]`, a column is in. */
export function buttonAt(line: string, column: number): number | undefined {
	const drawn = [...unstyled(line).matchAll(/\[ [^\]]+ \]/g)];
	const at = drawn.findIndex(
		({index, 0: text}) => column >= index && column < index + widthOf(text),
	);
	return at === -1 ? undefined : at;
}

type TabTexts = {readonly gap: string; readonly written: readonly string[]};

/** Tabs as they are written where there is so much room. */
function tabTexts(width: number, tabs: readonly TabName[], active: number): TabTexts {
	const looks = tabLooks.map(({gap, blank, isShort}) => ({
		gap,
		written: tabs.map(({key, title, short}, index) => {
			const name = `${key} ${isShort ? short : title}`;
			return index === active ? `[${name}]` : blank + name + blank;
		}),
	}));
	const fitting = looks.find(look => widthOf(look.written.join(look.gap).trimEnd()) <= width);
	return fitting ?? looks.at(-1) ?? {gap: ' ', written: []};
}

/** The tab that is in a column of their line. */
export function tabAt<Tab extends TabName>(
	width: number,
	tabs: readonly Tab[],
	active: number,
	column: number,
): Tab | undefined {
	const {gap, written} = tabTexts(width, tabs, active);
	return tabs[partAt(written, gap.length, column) ?? -1];
}

/** The names of the screens with the keys that lead there, the present one in brackets. */
export function tabsLine(
	theme: Theme,
	width: number,
	tabs: readonly TabName[],
	active: number,
): string {
	const {gap, written} = tabTexts(width, tabs, active);
	const [before, shown, after] = [
		written.slice(0, active).join(gap),
		written[active] ?? '',
		written.slice(active + 1).join(gap),
	];
	const parts = [before, theme.style('heading', shown), after].filter(part => part !== '');
	return pad(parts.join(gap).trimEnd(), width);
}

export function ruleLine(theme: Theme, width: number, right = ''): string {
	const tail = right === '' ? '' : ` ${right} `;
	return theme.style('quiet', theme.glyphs.rule.repeat(Math.max(0, width - tail.length)) + tail);
}

/** Two texts at the two ends of a line; the left one is cut first. */
export function spread(width: number, left: string, right: string): string {
	const space = width - widthOf(right) - (right === '' ? 0 : 1);
	if (space < 1) return fit(right, width);
	return right === '' ? fit(left, width) : `${fit(left, space)} ${right}`;
}

/** Pads styled text, whose escape sequences take no columns. */
export function pad(text: string, width: number): string {
	return text + ' '.repeat(Math.max(0, width - widthOf(unstyled(text))));
}

/** Text without the sequences that the theme writes. */
export function unstyled(text: string): string {
	// oxlint-disable-next-line no-control-regex -- sequences begin with it
	return text.replaceAll(/\u001B\[[\d;]*m/g, '');
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
