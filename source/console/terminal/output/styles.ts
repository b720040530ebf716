import {linkSequence} from './links.ts';

type Style = {
	readonly attributes: number;
	/** 0: the terminal's own; 1–16: the basic colours; 17–272: the palette; from `direct` on: 24 bits. */
	readonly foreground: number;
	readonly background: number;
	/** 0: none; else an index among those of `links.ts`. */
	readonly link: number;
};

type Draft = {-readonly [Name in keyof Style]: Style[Name]};

const direct = 0x100_0000;
const bold = 1;
const dim = 2;
const underline = 8;
const inverse = 16;
const strikethrough = 64;

// Columns: bit, code that sets it, code that clears it.
const switches = [
	[bold, 1, 22],
	[dim, 2, 22],
	[4, 3, 23],
	[underline, 4, 24],
	[inverse, 7, 27],
	[32, 8, 28],
	[strikethrough, 9, 29],
] as const;

// A style is known by its index in this list, which only grows; a frame holds some tens of styles.
const plain: Style = {attributes: 0, foreground: 0, background: 0, link: 0};
const styles: Style[] = [plain];
const indexes = new Map<string, number>([['0,0,0,0', 0]]);
// For each style the one that `blankStyle` gives.
const blanks: number[] = [0];
// Most styles: text with endless colours stays readable without more of them.
const mostStyles = 50_000;

function intern(style: Style): number {
	const name = `${style.attributes},${style.foreground},${style.background},${style.link}`;
	const known = indexes.get(name);
	if (known !== undefined) return known;
	if (styles.length >= mostStyles) return 0;
	const index = styles.push({...style}) - 1;
	indexes.set(name, index);
	const isVisibleOnBlanks = (style.attributes & (underline | inverse | strikethrough)) !== 0;
	// A blank after a link ends it; a blank inside belongs to it.
	const background = {...plain, background: style.background, link: style.link};
	blanks[index] = isVisibleOnBlanks ? index : intern(background);
	return index;
}

function styleOf(index: number): Style {
	return styles[index] ?? plain;
}

const isByte = (value: number | undefined): value is number =>
	value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;

/** Colour behind 38 or 48: `5;n` or `2;r;g;b`. */
function colourOf([kind, first, second, third]: readonly number[]): number | undefined {
	if (!isByte(first)) return undefined;
	if (kind === 5) return 17 + first;
	if (kind !== 2 || !isByte(second) || !isByte(third)) return undefined;
	return direct + first * 0x1_0000 + second * 0x100 + third;
}

function setColour(draft: Draft, code: number, colour: number | undefined): void {
	if (colour === undefined) return;
	if (code === 38) draft.foreground = colour;
	if (code === 48) draft.background = colour;
}

function setBasicColour(draft: Draft, code: number): void {
	const isBright = code >= 90;
	const index = code % 10;
	const base = code - index - (isBright ? 60 : 0);
	if ((base !== 30 && base !== 40) || index === 8 || (index === 9 && isBright)) return;
	const colour = index === 9 ? 0 : 1 + index + (isBright ? 8 : 0);
	if (base === 30) draft.foreground = colour;
	else draft.background = colour;
}

function setCode(draft: Draft, code: number): void {
	if (code === 0) Object.assign(draft, {...plain, link: draft.link});
	else if (code >= 30) setBasicColour(draft, code);
	for (const [bit, on, off] of switches) {
		if (code === on) draft.attributes |= bit;
		if (code === off) draft.attributes &= ~bit;
	}
}

/** `4:3` is a curly underline, `38:5:n` and `38:2:space:r:g:b` are colours. */
function setColonForm(draft: Draft, [code = 0, ...values]: readonly number[]): void {
	if (code === 4) setCode(draft, values[0] === 0 ? 24 : 4);
	else setColour(draft, code, colourOf(values.length > 4 ? [2, ...values.slice(2)] : values));
}

function compute(style: number, parameters: string): number {
	if (!/^[\d;:]*$/.test(parameters)) return style;
	const draft: Draft = {...styleOf(style)};
	const fields = parameters.split(';');
	for (let index = 0; index < fields.length; index++) {
		const field = fields[index] ?? '';
		const code = Number(field);
		if (field.includes(':')) {
			setColonForm(draft, field.split(':').map(Number));
		} else if (code === 38 || code === 48 || code === 58) {
			setColour(draft, code, colourOf(fields.slice(index + 1).map(Number)));
			index += fields[index + 1] === '2' ? 4 : 2;
		} else {
			setCode(draft, code);
		}
	}
	return intern(draft);
}

const mostMemories = 4096;

/** Caches results, and forgets all of them when they become many. */
function remember<Result>(memory: Map<string, Result>, key: string, make: () => Result): Result {
	const known = memory.get(key);
	if (known !== undefined) return known;
	if (memory.size >= mostMemories) memory.clear();
	const result = make();
	memory.set(key, result);
	return result;
}

const applied = new Map<string, number>();
const transitions = new Map<string, string>();

/** The style after `CSI <parameters> m`; unknown codes change nothing. */
export function applySgr(style: number, parameters: string): number {
	return remember(applied, `${style} ${parameters}`, () => compute(style, parameters));
}

/** The style of what is drawn in a link; 0 ends it. */
export function applyLink(style: number, link: number): number {
	const from = styleOf(style);
	return from.link === link ? style : intern({...from, link});
}

/** The style that looks the same on a blank, where only lines and backgrounds are seen. */
export function blankStyle(style: number): number {
	return blanks[style] ?? 0;
}

const isPlain = ({attributes, foreground, background}: Style) =>
	attributes === 0 && foreground === 0 && background === 0;

function colourCodes(colour: number, base: 30 | 40): string {
	if (colour === 0) return `${base + 9}`;
	if (colour <= 8) return `${base + colour - 1}`;
	if (colour <= 16) return `${base + 60 + colour - 9}`;
	if (colour < direct) return `${base + 8};5;${colour - 17}`;
	const value = colour - direct;
	return `${base + 8};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
}

function codesBetween(from: Style, to: Style): readonly string[] {
	const codes: string[] = [];
	let gone = from.attributes & ~to.attributes;
	// One code clears both bold and dim: the remaining one is set again.
	const kept = (gone & (bold | dim)) === 0 ? from.attributes : from.attributes & ~(bold | dim);
	if ((gone & bold) !== 0) gone &= ~dim;
	for (const [bit, , off] of switches) if ((gone & bit) !== 0) codes.push(`${off}`);
	for (const [bit, on] of switches) if ((to.attributes & ~kept & bit) !== 0) codes.push(`${on}`);
	if (from.foreground !== to.foreground) codes.push(colourCodes(to.foreground, 30));
	if (from.background !== to.background) codes.push(colourCodes(to.background, 40));
	return codes;
}

/** The shortest sequence after which the terminal draws in style `to`, when it drew in style `from`. */
export function transition(from: number, to: number): string {
	if (from === to) return '';
	const [before, after] = [styleOf(from), styleOf(to)];
	const link = before.link === after.link ? '' : linkSequence(after.link);
	return `${link}${sequenceBetween(from, to)}`;
}

/** SGR sequence between two styles, regardless of their links. */
function sequenceBetween(from: number, to: number): string {
	return remember(transitions, `${from} ${to}`, () => {
		const codes = codesBetween(styleOf(from), styleOf(to));
		if (codes.length === 0) return '';
		if (isPlain(styleOf(to))) return '\u001B[m';
		const change = codes.join(';');
		// An empty parameter is 0, the reset.
		const afresh = ['', ...codesBetween(styleOf(0), styleOf(to))].join(';');
		return `\u001B[${change.length <= afresh.length ? change : afresh}m`;
	});
}
