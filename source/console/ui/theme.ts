import {canLink, withLinks, type Page} from '../terminal/output/links.ts';
import {themeNames, type ThemeName} from '../../renter/settings/default-settings.ts';

/**
 * Meaning of a piece of text, which decides its looks. Colour adds to words, never replaces them.
 */
export type Meaning =
	| 'plain'
	| 'strong'
	| 'quiet'
	| 'chosen'
	| 'heading'
	| 'good'
	| 'warning'
	| 'danger'
	/** Grave and new. */
	| 'alarm'
	| 'practice'
	| 'key'
	/** Sums, and never trouble. */
	| 'money'
	/** The chosen curve of a graph, and nothing else. */
	| 'curve';

/** Signs that are drawn beside words. */
type Glyphs = {
	/** Only ASCII can be drawn. */
	readonly isAscii: boolean;
	readonly rule: string;
	readonly cursor: string;
	readonly mark: string;
	/** Stands at the edge of a row that has changed. */
	readonly news: string;
	/** Stands at the edge of a row that needs attention. */
	readonly edge: string;
	readonly ascending: string;
	readonly descending: string;
	readonly missing: string;
	/** Stands where a text was cut off. */
	readonly ellipsis: string;
	/** Glyphs of frames, beside rules. */
	readonly box: BoxGlyphs;
};

type BoxGlyphs = Readonly<
	Record<'side' | 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight' | 'left' | 'right', string>
>;

export type Theme = {
	/** Text with the looks of its meaning, as SGR sequences around it. */
	readonly style: (meaning: Meaning, text: string) => string;
	/** Text in one of six distinct colours, for names; plain without colours. */
	readonly tone: (at: number, text: string) => string;
	readonly glyphs: Glyphs;
	/** A line with its pages as links, where the terminal says that it has them. */
	readonly links: (line: string, pages?: readonly Page[]) => string;
};

/** Environment variables about the terminal's abilities. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Looks in the user's settings. */
type LookSettings = {
	readonly colour?: 'auto' | 'never';
	readonly glyphs?: 'auto' | 'ascii' | 'unicode';
	readonly theme?: ThemeName;
};

type Looks = Readonly<Record<Meaning, string>>;

// Only the 16 colours of the terminal's own palette, and never a background of ours.
const colourful: Looks = {
	plain: '',
	strong: '1',
	quiet: '2',
	chosen: '7',
	heading: '1',
	good: '32',
	warning: '33',
	// Dark red on black can hardly be read.
	danger: '1;91',
	alarm: '1;7;91',
	practice: '1;36',
	key: '1',
	money: '95',
	curve: '36',
};

const colourless: Looks = {
	...colourful,
	good: '',
	warning: '1',
	danger: '1',
	alarm: '1;7',
	practice: '1',
	money: '',
	curve: '',
};

const themes: Readonly<Record<ThemeName, Looks>> = {
	default: colourful,
	// On white, bright colours and what is dimmed can hardly be read.
	light: {
		...colourful,
		quiet: '38;5;240',
		good: '38;5;28',
		warning: '35',
		danger: '1;38;5;124',
		alarm: '1;7;38;5;124',
		practice: '1;34',
		money: '38;5;90',
		curve: '38;5;25',
	},
	// No text is dimmed, and no colour has to be told from another.
	'high-contrast': {
		...colourless,
		quiet: '',
		heading: '1;4',
		danger: '1;4',
		alarm: '1;4;7',
		practice: '1;4',
		key: '1;4',
		money: '1',
	},
	// Blue and orange, which nearly all people distinguish; orange is not among the 16.
	'colour-blind': {
		...colourful,
		good: '38;5;39',
		warning: '38;5;214',
		danger: '1;38;5;208',
		alarm: '1;7;38;5;208',
		practice: '1;38;5;39',
		money: '38;5;222',
		curve: '38;5;117',
	},
	mono: colourless,
};

/** Colours without a meaning, each of them readable on the ground of its theme. */
const tones: Readonly<Record<ThemeName, readonly string[]>> = {
	default: ['36', '33', '32', '95', '38;5;75', '91'],
	light: ['38;5;25', '38;5;94', '38;5;28', '38;5;90', '38;5;23', '38;5;124'],
	'high-contrast': [''],
	'colour-blind': ['38;5;39', '38;5;214', '38;5;250', '38;5;117', '38;5;222', '38;5;75'],
	mono: [''],
};

const unicode: Glyphs = {
	isAscii: false,
	rule: '─',
	cursor: '>',
	mark: '+',
	news: '•',
	edge: '▌',
	ascending: '^',
	descending: 'v',
	missing: '-',
	ellipsis: '…',
	box: {
		side: '│',
		topLeft: '┌',
		topRight: '┐',
		bottomLeft: '└',
		bottomRight: '┘',
		left: '├',
		right: '┤',
	},
};

const ascii: Glyphs = {
	...unicode,
	isAscii: true,
	rule: '-',
	news: ':',
	edge: '|',
	ellipsis: '~',
	box: {
		side: '|',
		topLeft: '+',
		topRight: '+',
		bottomLeft: '+',
		bottomRight: '+',
		left: '+',
		right: '+',
	},
};

/** Chooses looks that the terminal can show, and that the user did not turn off. */
export function createTheme(environment: Environment, chosen: LookSettings = {}): Theme {
	const name = themeOf(environment, chosen);
	const looks = themes[name];
	const {LC_ALL, LC_CTYPE, LANG} = environment;
	const isUnicode = /utf-?8/i.test([LC_ALL, LC_CTYPE, LANG].find(isSet) ?? '');
	const isAscii =
		isSet(environment['RENTTY_ASCII']) ||
		chosen.glyphs === 'ascii' ||
		(chosen.glyphs !== 'unicode' && !isUnicode);
	return {
		style: (meaning, text) => withLook(looks[meaning], text),
		tone: (at, text) => withLook(tones[name][at % tones[name].length] ?? '', text),
		glyphs: isAscii ? ascii : unicode,
		links: canLink(environment) ? withLinks : line => line,
	};
}

function withLook(look: string, text: string): string {
	return look === '' || text === '' ? text : `\u001B[${look}m${text}\u001B[0m`;
}

function themeOf(environment: Environment, {colour, theme = 'default'}: LookSettings): ThemeName {
	const isPlain = colour === 'never' || isSet(environment['NO_COLOR']);
	const name = themeNames.find(known => known === environment['RENTTY_THEME']) ?? theme;
	return isPlain && name !== 'high-contrast' ? 'mono' : name;
}

/** Bars where only ASCII can be drawn: upright ones from the lowest to the highest, then lying ones. */
const asciiBars = '_.:-=+*####....';
/** Signs of axes and cursors in ASCII. */
const asciiAxes: Readonly<Record<string, string>> = {
	'─': '-',
	'│': '|',
	'┤': '|',
	'└': '+',
	'┴': '+',
	'┊': ':',
	'▒': '=',
	'░': '.',
};

/** Text in the theme's glyphs: with ASCII alone, other signs for cuts, bars and axes. */
export function withGlyphs({glyphs: {isAscii, ellipsis}}: Theme, text: string): string {
	if (!isAscii) return text;
	return text
		.replaceAll(unicode.ellipsis, ellipsis)
		.replaceAll(/[▁-▏]/g, bar => asciiBars.charAt(bar.charCodeAt(0) - '▁'.charCodeAt(0)))
		.replaceAll(/[─│┤└┴┊▒░]/g, sign => asciiAxes[sign] ?? sign)
		.replaceAll(/[\u2800-\u28FF]/g, dots => (dots === '\u2800' ? ' ' : '*'));
}

function isSet(value: string | undefined): value is string {
	return value !== undefined && value !== '';
}
