/** Signs that are drawn beside words, and what stands for them where only ASCII can be drawn. */
import {asciiStates} from '../../renter/text/ascii-only.ts';

export type Glyphs = {
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
	readonly box: BoxGlyphs;
};

type BoxGlyphs = Readonly<
	Record<'side' | 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight' | 'left' | 'right', string>
>;

export const unicode: Glyphs = {
	isAscii: false,
	rule: '─',
	cursor: '>',
	mark: '+',
	news: '•',
	edge: '▌',
	ascending: '▲',
	descending: '▼',
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

export const ascii: Glyphs = {
	...unicode,
	isAscii: true,
	rule: '-',
	news: ':',
	edge: '|',
	ascending: '^',
	descending: 'v',
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

type Drawn = {readonly glyphs: Pick<Glyphs, 'isAscii' | 'ellipsis'>};

/** Bars where only ASCII can be drawn: upright ones from the lowest to the highest, then lying ones. */
const asciiBars = '_.:-=+*####....';
const asciiSigns: Readonly<Record<string, string>> = {
	...asciiStates,
	'─': '-',
	'│': '|',
	'┤': '|',
	'└': '+',
	'┴': '+',
	'┊': ':',
	'┬': '+',
	'├': '+',
	'┼': '+',
	'▒': '=',
	'░': '.',
	'×': 'x',
	'·': '.',
	'≤': '<',
};

/** Text in the theme's glyphs: with ASCII alone, other signs for cuts, bars and axes. */
export function withGlyphs({glyphs: {isAscii, ellipsis}}: Drawn, text: string): string {
	if (!isAscii) return text;
	return text
		.replaceAll(unicode.ellipsis, ellipsis)
		.replaceAll(/[▁-▏]/g, bar => asciiBars.charAt(bar.charCodeAt(0) - '▁'.charCodeAt(0)))
		.replaceAll(/[─│┤└┴┬├┼┊▒░●◐▲✖○–×·≤]/g, sign => asciiSigns[sign] ?? sign)
		.replaceAll(/[\u2800-\u28FF]/g, dots => (dots === '\u2800' ? ' ' : '*'));
}
