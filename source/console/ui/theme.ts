import {canLink, withLinks, type LinkedPage} from '../terminal/output/links.ts';
import {isAsciiOnly} from '../../renter/text/ascii-only.ts';
import {ascii, type Glyphs, unicode} from './glyphs.ts';
import {themeNames, type ThemeName} from '../../renter/settings/default-settings.ts';

/**
 * Meaning of a piece of text, which decides its style. Colour adds to words, never replaces them.
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
	/** A key that ends something. */
	| 'grave-key'
	/** The present tab, and the name of the program. */
	| 'tab'
	| 'badge'
	/** A boot that goes as it should. */
	| 'booting'
	/** Sums, and never trouble. */
	| 'money'
	/** The chosen curve of a graph, and nothing else. */
	| 'curve';

export type Theme = {
	/** Text in the style of its meaning, with SGR sequences around it. */
	readonly style: (meaning: Meaning, text: string) => string;
	/** The row under a cursor, whole: a sign at its edge, and its style over all that follows. */
	readonly row: (text: string) => string;
	/** The present tab: without its key, and in brackets where no style sets it apart. */
	readonly tab: (key: string, title: string) => string;
	/** Text in one of six distinct colours, for names; plain without colours. */
	readonly tone: (at: number, text: string) => string;
	readonly glyphs: Glyphs;
	/** A line with its pages as links, where the terminal says that it has them. */
	readonly links: (line: string, pages?: readonly LinkedPage[]) => string;
};

/** Environment variables about the terminal's abilities. */
export type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

type StyleSettings = {
	readonly colour?: 'auto' | 'never';
	readonly glyphs?: 'auto' | 'ascii' | 'unicode';
	readonly theme?: ThemeName;
};

type Styles = Readonly<Record<Meaning, string>>;

const colourful: Styles = {
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
	practice: '1;7;93',
	key: '1;38;5;75',
	'grave-key': '1;91',
	tab: '7',
	badge: '1;7;38;5;75',
	booting: '36',
	money: '95',
	curve: '36',
};

const colourless: Styles = {
	...colourful,
	good: '',
	warning: '1',
	danger: '1',
	alarm: '1;7',
	practice: '1',
	key: '1',
	'grave-key': '1',
	tab: '1;7',
	badge: '1',
	booting: '',
	money: '',
	curve: '',
};

const themes: Readonly<Record<ThemeName, Styles>> = {
	default: colourful,
	// On white, bright and dimmed colours can hardly be read.
	light: {
		...colourful,
		quiet: '38;5;240',
		good: '38;5;28',
		warning: '35',
		danger: '1;38;5;124',
		alarm: '1;7;38;5;124',
		practice: '1;7;38;5;94',
		key: '1;38;5;25',
		'grave-key': '1;38;5;124',
		badge: '1;7;38;5;25',
		booting: '38;5;25',
		money: '38;5;90',
		curve: '38;5;25',
	},
	// No text is dimmed, and no two colours have to be distinguished.
	'high-contrast': {
		...colourless,
		quiet: '',
		heading: '1;4',
		danger: '1;4',
		alarm: '1;4;7',
		practice: '1;4',
		key: '1;4',
		'grave-key': '1;4',
		badge: '1;4',
		money: '1',
	},
	// Blue and orange, which nearly all people distinguish; orange is not among the 16.
	'colour-blind': {
		...colourful,
		good: '38;5;39',
		warning: '38;5;214',
		danger: '1;38;5;208',
		alarm: '1;7;38;5;208',
		practice: '1;7;38;5;222',
		key: '1;38;5;39',
		badge: '1;7;38;5;39',
		'grave-key': '1;38;5;208',
		booting: '38;5;117',
		money: '38;5;222',
		curve: '38;5;117',
	},
	mono: colourless,
};

/** The style of a row under a cursor, and of the sign at its edge, if there are 256 colours. */
type RowStyles = {readonly edge: string; readonly ground: string};

// Both colours are set, so that the row is legible on any background of the terminal.
const rowStyles: Readonly<Partial<Record<ThemeName, RowStyles>>> = {
	default: {edge: '1;38;5;75', ground: '38;5;255;48;5;237'},
	light: {edge: '1;38;5;25', ground: '38;5;16;48;5;254'},
	'colour-blind': {edge: '1;38;5;39', ground: '38;5;255;48;5;237'},
};

/** Colours without a meaning, each of them readable on the ground of its theme. */
const tones: Readonly<Record<ThemeName, readonly string[]>> = {
	default: ['36', '33', '32', '95', '38;5;75', '91'],
	light: ['38;5;25', '38;5;94', '38;5;28', '38;5;90', '38;5;23', '38;5;124'],
	'high-contrast': [''],
	'colour-blind': ['38;5;39', '38;5;214', '38;5;250', '38;5;117', '38;5;222', '38;5;75'],
	mono: [''],
};

/** Nearest of the 16 colours for each of the 256 above; 39 is the terminal's own. */
const nearest: Readonly<Record<string, string>> = {
	23: '34',
	25: '34',
	28: '39',
	39: '96',
	75: '96',
	90: '35',
	94: '39',
	117: '36',
	124: '4;39',
	208: '93',
	214: '93',
	222: '93',
	240: '39',
	250: '37',
};

/** The code in the terminal's own palette: another colour may be read as one that blinks. */
function withFewColours(code: string): string {
	return code.replace(/38;5;(\d+)/, (_, number: string) => nearest[number] ?? '39');
}

/** Chooses styles that the terminal can show, and that the user did not turn off. */
export function createTheme(environment: TerminalEnvironment, chosen: StyleSettings = {}): Theme {
	const name = themeOf(environment, chosen);
	const hasMany = hasManyColours(environment);
	const inPalette = hasMany ? (code: string) => code : withFewColours;
	const styles = themes[name];
	const isAscii = isAsciiOnly(environment, chosen.glyphs);
	return {
		style: (meaning, text) => withCode(inPalette(styles[meaning]), text),
		tab(key, title) {
			const isBracketed = isAscii || name === 'mono';
			return withCode(
				styles.tab,
				isBracketed ? `[${key} ${title}]` : `${' '.repeat(key.length + 1)}${title}  `,
			);
		},
		row: rowIn(name, isAscii ? ascii : unicode, hasMany),
		tone: (at, text) => withCode(inPalette(tones[name][at % tones[name].length] ?? ''), text),
		glyphs: isAscii ? ascii : unicode,
		links: canLink(environment) ? withLinks : line => line,
	};
}

function withCode(code: string, text: string): string {
	return code === '' || text === '' ? text : `\u001B[${code}m${text}\u001B[0m`;
}

/** Names of terminals that do not say in them that they have 256 colours. */
const MANY_COLOURS = /256|direct|kitty|alacritty|ghostty|foot|wezterm/;

/** True if the terminal says that it has 256 colours. */
export function hasManyColours({TERM = '', COLORTERM}: TerminalEnvironment): boolean {
	return isSet(COLORTERM) || MANY_COLOURS.test(TERM);
}

function rowIn(name: ThemeName, {cursor, edge, isAscii}: Glyphs, hasMany: boolean): Theme['row'] {
	if (name === 'mono') return text => withCode('1', cursor + unstyled(text));
	const sign = isAscii ? cursor : edge;
	const styles = hasMany ? rowStyles[name] : undefined;
	// Inverse text in colours can hardly be read, and an inverse bar looks like the end of its row.
	if (styles === undefined) {
		const shaded = (text: string) =>
			isAscii ? text : text.replaceAll(/█{2,}/g, bar => '▒'.repeat(bar.length));
		return text => withCode('7', sign + shaded(unstyled(text)));
	}
	const ground = `\u001B[0;${styles.ground}m`;
	return text =>
		`\u001B[${styles.edge}m${sign}${ground}${text.replaceAll('\u001B[0m', ground)}\u001B[0m`;
}

/** Text without the sequences that the theme writes. */
export function unstyled(text: string): string {
	// oxlint-disable-next-line no-control-regex -- sequences begin with it
	return text.replaceAll(/\u001B\[[\d;]*m/g, '');
}

function themeOf(
	environment: TerminalEnvironment,
	{colour, theme = 'default'}: StyleSettings,
): ThemeName {
	const isPlain = colour === 'never' || isSet(environment['NO_COLOR']);
	const name = themeNames.find(known => known === environment['RENTTY_THEME']) ?? theme;
	return isPlain && name !== 'high-contrast' ? 'mono' : name;
}

function isSet(value: string | undefined): value is string {
	return value !== undefined && value !== '';
}
