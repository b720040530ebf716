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
	| 'key';

/** Signs that are drawn beside words. */
type Glyphs = {
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
};

const colourless: Looks = {
	...colourful,
	good: '',
	warning: '1',
	danger: '1',
	alarm: '1;7',
	practice: '1',
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
	},
	// Blue and orange, which nearly all people distinguish; orange is not among the 16.
	'colour-blind': {
		...colourful,
		good: '38;5;39',
		warning: '38;5;214',
		danger: '1;38;5;208',
		alarm: '1;7;38;5;208',
		practice: '1;38;5;39',
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

/** Bars of sparklines where only ASCII can be drawn, from the lowest to the highest. */
const asciiBars = '_.:-=+*#';

/** Text as the theme's glyphs allow: where only ASCII can be drawn, with other signs for cuts and bars. */
export function withGlyphs({glyphs: {ellipsis}}: Theme, text: string): string {
	if (ellipsis === unicode.ellipsis) return text;
	return text
		.replaceAll(unicode.ellipsis, ellipsis)
		.replaceAll(/[▁-█]/g, bar => asciiBars.charAt(bar.charCodeAt(0) - '▁'.charCodeAt(0)));
}

function isSet(value: string | undefined): value is string {
	return value !== undefined && value !== '';
}
