/** What a piece of text is, from which its looks follow. Colour adds to words, never replaces them. */
export type Meaning =
	| 'plain'
	| 'strong'
	| 'quiet'
	| 'chosen'
	| 'heading'
	| 'good'
	| 'warning'
	| 'danger'
	| 'practice'
	| 'key';

/** Signs that are drawn beside words. */
export type Glyphs = {
	readonly rule: string;
	readonly cursor: string;
	readonly ascending: string;
	readonly descending: string;
	readonly missing: string;
};

export type Theme = {
	/** Text with the looks of its meaning, as SGR sequences around it. */
	readonly style: (meaning: Meaning, text: string) => string;
	readonly glyphs: Glyphs;
};

/** What the environment says about the terminal's abilities. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the user's settings say about looks. */
export type Wishes = {
	readonly colour?: 'auto' | 'never';
	readonly glyphs?: 'auto' | 'ascii' | 'unicode';
};

// Only the 16 colours of the terminal's own palette, and never a background of ours.
const colourful: Readonly<Record<Meaning, string>> = {
	plain: '',
	strong: '1',
	quiet: '2',
	chosen: '1;7',
	heading: '1',
	good: '32',
	warning: '33',
	danger: '1;31',
	practice: '1;36',
	key: '1',
};

const colourless: Readonly<Record<Meaning, string>> = {
	...colourful,
	good: '',
	warning: '1',
	danger: '1',
	practice: '1',
};

const unicode: Glyphs = {
	rule: '─',
	cursor: '>',
	ascending: '^',
	descending: 'v',
	missing: '-',
};

const ascii: Glyphs = {...unicode, rule: '-'};

/** Chooses looks that the terminal can show, and that the user did not turn off. */
export function createTheme(environment: Environment, wishes: Wishes = {}): Theme {
	const isPlain = wishes.colour === 'never' || isSet(environment['NO_COLOR']);
	const looks = isPlain ? colourless : colourful;
	const {LC_ALL, LC_CTYPE, LANG} = environment;
	const isUnicode = /utf-?8/i.test([LC_ALL, LC_CTYPE, LANG].find(isSet) ?? '');
	const isAscii = wishes.glyphs === 'ascii' || (wishes.glyphs !== 'unicode' && !isUnicode);
	return {
		style(meaning, text) {
			const look = looks[meaning];
			return look === '' || text === '' ? text : `\u001B[${look}m${text}\u001B[m`;
		},
		glyphs: isAscii ? ascii : unicode,
	};
}

function isSet(value: string | undefined): value is string {
	return value !== undefined && value !== '';
}
