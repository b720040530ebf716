/** The lines around every screen, as text: drawn before Ink is there, and by Ink afterwards. */
import {timeOfDay} from './format.ts';
import {fit, widthOf} from './terminal/output/text-width.ts';
import type {Theme} from './theme.ts';

/** The least size at which a screen can be used. */
export const LEAST_COLUMNS = 48;
export const LEAST_ROWS = 14;

/** Which service this is, as every screen says first. */
export type ServiceName = {readonly name: string; readonly isPractice: boolean};

/** What is known of the links to the service and to the user's terminal. */
export type Pulse = {
	/** How long the last answer of the service took. */
	readonly apiMs: number | undefined;
	/** How long the terminal takes to answer. */
	readonly linkMs: number | undefined;
	/** When the service last answered. */
	readonly answeredAt: Date | undefined;
};

export const noPulse: Pulse = {apiMs: undefined, linkMs: undefined, answeredAt: undefined};

/** The first line of every screen: which service, how quick it is, and when it last answered. */
export function headerLine(
	theme: Theme,
	width: number,
	service: ServiceName,
	pulse: Pulse,
): string {
	const name = service.isPractice ? 'PRACTICE no money' : service.name;
	const links = [milliseconds('api', pulse.apiMs), milliseconds('link', pulse.linkMs)];
	const known = links.filter(part => part !== '').join(' ');
	const left = known === '' ? name : `${name} | ${known}`;
	const right = pulse.answeredAt === undefined ? '' : timeOfDay(pulse.answeredAt);
	const line = spread(width, left, right);
	const meaning = service.isPractice ? 'practice' : 'strong';
	return theme.style(meaning, line.slice(0, name.length)) + line.slice(name.length);
}

function milliseconds(title: string, value: number | undefined): string {
	return value === undefined ? '' : `${title} ${Math.round(value)}ms`;
}

/** The names of the screens with the keys that lead there, the present one in brackets. */
export function tabsLine(
	theme: Theme,
	width: number,
	tabs: ReadonlyArray<{readonly key: string; readonly title: string}>,
	active: number,
): string {
	const written = tabs.map(({key, title}, index) =>
		index === active ? `[${key} ${title}]` : ` ${key} ${title} `,
	);
	const [before, shown, after] = [
		written.slice(0, active).join('  '),
		written[active] ?? '',
		written.slice(active + 1).join('  '),
	];
	const parts = [before, theme.style('heading', shown), after].filter(part => part !== '');
	return pad(parts.join('  '), width);
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
	// oxlint-disable-next-line no-control-regex -- these are the sequences that the theme writes
	const plain = text.replaceAll(/\u001B\[[\d;]*m/g, '');
	return text + ' '.repeat(Math.max(0, width - widthOf(plain)));
}

/** What is shown before there is anything else to show. */
export function skeleton(
	theme: Theme,
	size: {readonly columns: number; readonly rows: number},
	service: ServiceName,
	tabs: ReadonlyArray<{readonly key: string; readonly title: string}>,
): string {
	if (size.columns < LEAST_COLUMNS || size.rows < LEAST_ROWS) return '';
	return [
		headerLine(theme, size.columns, service, noPulse),
		tabsLine(theme, size.columns, tabs, 0),
	].join('\n');
}
