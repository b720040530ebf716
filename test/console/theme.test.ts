import {expect, test} from 'vitest';
import {themeNames} from '../../source/renter/settings/default-settings.ts';
import {createTheme, withGlyphs} from '../../source/console/theme.ts';
import type {Meaning} from '../../source/console/theme.ts';
import {stateOf} from '../../source/console/screens/instances/words.ts';
import type {Condition} from '../../source/renter/fleet/condition.ts';

const meanings: readonly Meaning[] = [
	'plain',
	'strong',
	'quiet',
	'chosen',
	'heading',
	'good',
	'warning',
	'danger',
	'practice',
	'key',
];

/** The numbers of all SGR sequences of a theme. */
function codesOf(environment: Readonly<Record<string, string>>, wishes = {}): readonly number[] {
	const {style} = createTheme(environment, wishes);
	const styled = meanings.map(meaning => style(meaning, 'x')).join('');
	// oxlint-disable-next-line no-control-regex -- these are the sequences that the theme writes
	return [...styled.matchAll(/\u001B\[([\d;]+)m/g)].flatMap(([, codes = '']) =>
		codes.split(';').map(Number),
	);
}

const isColour = (code: number) => (code >= 30 && code <= 49) || code >= 90;

test('no theme has a background, which would cover that of the terminal', () => {
	for (const theme of themeNames) {
		const codes = codesOf({}, {theme});
		expect(codes.filter(code => (code >= 40 && code < 50) || (code >= 100 && code < 108))).toEqual(
			[],
		);
	}
});

test('mono and high contrast use no colour, and NO_COLOR takes it from every theme', () => {
	expect(codesOf({}, {theme: 'mono'}).filter(isColour)).toEqual([]);
	expect(codesOf({}, {theme: 'high-contrast'}).filter(isColour)).toEqual([]);
	for (const theme of themeNames) {
		expect(codesOf({NO_COLOR: '1'}, {theme}).filter(isColour)).toEqual([]);
	}
	expect(codesOf({}, {theme: 'default'}).some(isColour)).toBe(true);
});

test('the theme for colour blindness has no red and no green', () => {
	const {style} = createTheme({}, {theme: 'colour-blind'});
	const looks = meanings.map(meaning => style(meaning, 'x')).join('');
	expect(looks).not.toMatch(/[[;](31|32|91|92)[;m]/);
});

test('what the command line says comes before the settings', () => {
	const {style, glyphs} = createTheme(
		{RENTTY_THEME: 'mono', RENTTY_ASCII: '1', LANG: 'C.UTF-8'},
		{theme: 'light', glyphs: 'unicode'},
	);
	expect(style('good', 'x')).toBe('x');
	expect(glyphs.rule).toBe('-');
});

test('with ASCII alone, what was cut off ends with an ASCII sign', () => {
	expect(withGlyphs(createTheme({LANG: 'C'}), 'pytor…')).toBe('pytor~');
	expect(withGlyphs(createTheme({LANG: 'C.UTF-8'}), 'pytor…')).toBe('pytor…');
});

test('without any colour every state of an instance reads differently from the others', () => {
	const conditions: Readonly<Record<Condition, string>> = {
		undead: 'running',
		stuck: 'loading',
		dead: 'offline',
		noSsh: 'running',
		failing: 'exited',
		slow: 'loading',
		provisioning: '',
		loading: 'loading',
		destroying: 'running',
		other: 'frozen',
		running: 'running',
		idle: 'running',
		waiting: 'running',
		stopped: 'stopped',
		unlisted: 'running',
		gone: 'running',
	};
	const read = Object.entries(conditions).map(([condition, status]) =>
		stateOf({
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record of conditions
			condition: condition as Condition,
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is read
			instance: {actual_status: status} as never,
		}),
	);
	// One that idles runs: its note says so.
	expect(new Set(read).size).toBe(read.length - 1);
});
