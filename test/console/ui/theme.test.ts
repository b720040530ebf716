import {expect, test} from 'vitest';
import {themeNames} from '../../../source/renter/settings/default-settings.ts';
import {withGlyphs} from '../../../source/console/ui/glyphs.ts';
import {createTheme, type Meaning} from '../../../source/console/ui/theme.ts';
import {conditionText} from '../../../source/console/screens/instances/words.ts';
import type {InstanceCondition} from '../../../source/renter/instance/condition.ts';

const meanings: readonly Meaning[] = [
	'plain',
	'strong',
	'quiet',
	'chosen',
	'heading',
	'good',
	'warning',
	'danger',
	'alarm',
	'practice',
	'key',
	'grave-key',
	'tab',
	'badge',
	'booting',
	'money',
	'curve',
];

/** The numbers of all SGR sequences of a theme. */
function codesOf(environment: Readonly<Record<string, string>>, wishes = {}): readonly number[] {
	const {style, tone} = createTheme(environment, wishes);
	const styled = [
		...meanings.map(meaning => style(meaning, 'x')),
		...[0, 1, 2, 3, 4, 5].map(at => tone(at, 'x')),
	].join('');
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

test('a terminal with 16 colours is sent none of the others, in any theme', () => {
	for (const theme of themeNames) {
		expect(codesOf({TERM: 'linux'}, {theme})).not.toContain(38);
	}
	expect(codesOf({TERM: 'xterm-256color'}, {theme: 'default'})).toContain(38);
});

function rowIn(environment: Readonly<Record<string, string>>): string {
	const {style, row} = createTheme({LANG: 'C.UTF-8', ...environment});
	return row(`a ${style('good', 'b')} c`);
}

test('the row under the cursor has a ground of its own where there are 256 colours, and its text says its colour', () => {
	const ground = '\u001B[0;38;5;255;48;5;237m';
	expect(rowIn({TERM: 'xterm-256color'})).toBe(
		`\u001B[1;38;5;75m▌${ground}a \u001B[32mb${ground} c\u001B[0m`,
	);
	expect(rowIn({TERM: 'linux'})).toBe('\u001B[7m▌a b c\u001B[0m');
	// A bar of full blocks would be as dark as what is behind the row.
	expect(createTheme({LANG: 'C.UTF-8', TERM: 'linux'}).row('a ███ █')).toBe(
		'\u001B[7m▌a ▒▒▒ █\u001B[0m',
	);
	expect(rowIn({TERM: 'xterm-256color', NO_COLOR: '1'})).toBe('\u001B[1m>a b c\u001B[0m');
});

test('mono and high contrast use no colour, and NO_COLOR takes it from every theme', () => {
	expect(codesOf({}, {theme: 'mono'}).filter(isColour)).toEqual([]);
	expect(codesOf({}, {theme: 'high-contrast'}).filter(isColour)).toEqual([]);
	for (const theme of themeNames) {
		expect(codesOf({NO_COLOR: '1'}, {theme}).filter(isColour)).toEqual([]);
	}
	expect(codesOf({}, {theme: 'default'}).some(isColour)).toBe(true);
});

test('names of several have six colours, and each of them again for the seventh', () => {
	const {tone} = createTheme({}, {theme: 'default'});
	const six = [0, 1, 2, 3, 4, 5].map(at => tone(at, 'x'));
	expect(new Set(six).size).toBe(6);
	expect(tone(6, 'x')).toBe(six[0]);
	expect(createTheme({NO_COLOR: '1'}).tone(1, 'x')).toBe('x');
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
	const conditions: Readonly<Record<InstanceCondition, string>> = {
		undead: 'running',
		stuck: 'loading',
		dead: 'offline',
		noSsh: 'running',
		failing: 'exited',
		failed: 'exited',
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
		conditionText({
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record of conditions
			condition: condition as InstanceCondition,
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is read
			instance: {actual_status: status} as never,
		}),
	);
	expect(new Set(read).size).toBe(read.length);
});

type Colour = readonly [red: number, green: number, blue: number];

/** The 16 colours as xterm has them: eight, and the same eight bright. */
const palette: readonly Colour[] = [
	[0, 0, 0],
	[205, 0, 0],
	[0, 205, 0],
	[205, 205, 0],
	[0, 0, 238],
	[205, 0, 205],
	[0, 205, 205],
	[229, 229, 229],
	[127, 127, 127],
	[255, 0, 0],
	[0, 255, 0],
	[255, 255, 0],
	[92, 92, 255],
	[255, 0, 255],
	[0, 255, 255],
	[255, 255, 255],
];

const black: Colour = [0, 0, 0];
const white: Colour = [255, 255, 255];

const level = (part: number) => (part === 0 ? 0 : 55 + 40 * part);

/** A colour of the cube of 6x6x6, or one of the 24 greys behind it. */
function furtherColour(number: number): Colour {
	if (number >= 232) {
		const grey = 8 + 10 * (number - 232);
		return [grey, grey, grey];
	}
	const place = number - 16;
	return [level(Math.floor(place / 36)), level(Math.floor(place / 6) % 6), level(place % 6)];
}

/** The colours that a look may have: some terminals show bold text in the bright colour. */
function coloursOf(look: string, usual: Colour): readonly Colour[] {
	const [, further] = /38;5;(\d+)/.exec(look) ?? [];
	if (further !== undefined) return [furtherColour(Number(further))];
	const codes = look.split(';').map(Number);
	// xterm and VTE show two thirds of what is dimmed.
	const [red, green, blue] = usual;
	if (codes.includes(2)) return [[(red * 2) / 3, (green * 2) / 3, (blue * 2) / 3]];
	const code = codes.find(isColour);
	// 39 is the terminal's own.
	if (code === undefined || code === 39) return [usual];
	const place = code >= 90 ? code - 90 + 8 : code - 30;
	const places = codes.includes(1) && place < 8 ? [place, place + 8] : [place];
	return palette.filter((_, at) => places.includes(at));
}

/** How bright a colour is to the eye, by the rules of WCAG 2. */
function luminance(colour: Colour): number {
	const [red = 0, green = 0, blue = 0] = colour.map(part => {
		const share = part / 255;
		return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
	const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}

const terminals = ['linux', 'xterm-256color'];
const written = themeNames.flatMap(theme => terminals.map(terminal => [theme, terminal] as const));

test.each(written)('the theme %s has a contrast of at least 4.5 to 1 on %s', (theme, TERM) => {
	const ground = theme === 'light' ? white : black;
	const usual: Colour = theme === 'light' ? black : [229, 229, 229];
	const {style} = createTheme({TERM}, {theme});
	for (const meaning of meanings) {
		// oxlint-disable-next-line no-control-regex -- these are the sequences that the theme writes
		const look = /\u001B\[([\d;]+)m/.exec(style(meaning, 'x'))?.[1] ?? '';
		for (const colour of coloursOf(look, usual)) {
			const found = contrast(colour, ground);
			expect([meaning, look, found >= 4.5]).toEqual([meaning, look, true]);
		}
	}
});
