/** Pictures of frames: what an emulator shows as SVG, in the colours of a light or a dark page. */
import type xterm from '@xterm/headless';

type Emulator = InstanceType<typeof xterm.Terminal>;
type Cell = NonNullable<
	ReturnType<NonNullable<ReturnType<Emulator['buffer']['active']['getLine']>>['getCell']>
>;

/** Cells that look alike, one after the other. */
type Run = {readonly column: number; text: string; readonly looks: string};

/** The rows of a screen as they are to be drawn. */
export type Frame = {
	readonly columns: number;
	readonly rows: readonly string[];
};

const CELL = {width: 8.4, height: 18} as const;
const MARGIN = 12;

/** The colours that rentty uses of a terminal's own, for a light page and for a dark one. */
const palette: Readonly<Record<number, readonly [light: string, dark: string]>> = {
	2: ['#1a7f37', '#3fb950'],
	3: ['#9a6700', '#d29922'],
	6: ['#1b7c83', '#56d4dd'],
	9: ['#cf222e', '#ff7b72'],
	11: ['#9a6700', '#f2cc60'],
	75: ['#0969da', '#58a6ff'],
};
const ground = ['#ffffff', '#0d1117'] as const;
/** The ground of the row under the cursor, and the brightest ink on it. */
const [ROW, BRIGHT] = [237, 255];
const rowGround = ['#e4e9ef', '#2a3038'] as const;
const ink = ['#1f2328', '#e6edf3'] as const;

/** What an emulator shows now. */
export function frameOf(emulator: Emulator): Frame {
	const {active} = emulator.buffer;
	const rows = Array.from({length: emulator.rows}, (_, row) => {
		const line = active.getLine(active.viewportY + row);
		const runs: Run[] = [];
		for (let column = 0; column < emulator.cols; column++) {
			const cell = line?.getCell(column);
			if (cell === undefined || cell.getWidth() === 0) continue;
			const last = runs.at(-1);
			const text = cell.getChars() || ' ';
			const looks = text === ' ' ? looksOfBlank(cell, last) : looksOf(cell);
			if (last?.looks === looks) last.text += text;
			else runs.push({column, text, looks});
		}
		return runs.map(draw).join('');
	});
	return {columns: emulator.cols, rows};
}

/** A blank without a ground or a line goes with what is before it: how it was drawn is not seen. */
function looksOfBlank(cell: Cell, last: Run | undefined): string {
	if (cell.isInverse() || cell.isUnderline() || cell.isBgPalette()) return looksOf(cell);
	const isSeen = last !== undefined && /\b[iug]\b/.test(last.looks);
	return isSeen ? '' : (last?.looks ?? '');
}

function looksOf(cell: Cell): string {
	const colour = cell.isFgPalette() ? cell.getFgColor() : undefined;
	const below = cell.isBgPalette() ? cell.getBgColor() : undefined;
	if (!isDrawable(colour, below)) {
		throw new Error(`colour ${colour} on ${below} has no place in pictures`);
	}
	return [
		cell.isBold() && 'b',
		cell.isDim() && 'd',
		cell.isUnderline() && 'u',
		cell.isInverse() && 'i',
		below !== undefined && 'g',
		colour !== undefined && colour !== BRIGHT && `c${colour}`,
	]
		.filter(Boolean)
		.join(' ');
}

function isDrawable(colour: number | undefined, below: number | undefined): boolean {
	const isKnown = colour === undefined || colour === BRIGHT || palette[colour] !== undefined;
	return isKnown && (below === undefined || below === ROW);
}

const rounded = (number: number) => Number(number.toFixed(1));

/** A run as boxes and texts: blanks are left out, which not all who show pictures keep. */
function draw({column, text, looks}: Run): string {
	const kind = looks === '' ? '' : ` class="${looks}"`;
	const place = (at: number, words: string) => {
		const [x, width] = [column + at, words.length].map(cells => rounded(cells * CELL.width));
		return {x, width};
	};
	const whole = place(0, text);
	const names = looks.split(' ');
	const boxed = names.includes('i')
		? looks.replace(/\bi\b/, '')
		: names.includes('g')
			? 'g'
			: undefined;
	const box =
		boxed === undefined
			? ''
			: `<rect x="${whole.x}" width="${whole.width}" height="${CELL.height}" class="${boxed}"/>`;
	const texts = [...text.matchAll(/\S+(?: \S+)*/g)].map(({0: words, index}) => {
		const {x, width} = place(index, words);
		const safe = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
		return `<text x="${x}" y="13" textLength="${width}"${kind}>${safe}</text>`;
	});
	return box + texts.join('');
}

/** One frame that stands, or several that follow each other for so many seconds each, again and again. */
export function pictureOf(
	title: string,
	frames: ReadonlyArray<{readonly frame: Frame; readonly seconds: number}>,
): string {
	const [first] = frames;
	const columns = first?.frame.columns ?? 0;
	const height = rounded((first?.frame.rows.length ?? 0) * CELL.height + 2 * MARGIN);
	const width = rounded(columns * CELL.width + 2 * MARGIN);
	const kept = [...new Set(frames.flatMap(({frame}) => frame.rows))].filter(row => row !== '');
	const names = new Map(kept.map((row, at) => [row, `r${at}`]));
	const total = frames.reduce((sum, {seconds}) => sum + seconds, 0);
	let from = 0;
	const moves: string[] = [];
	const drawn = frames.map(({frame, seconds}, at) => {
		if (frames.length > 1) moves.push(movementOf(at, {from, seconds, total}));
		from += seconds;
		const rows = frame.rows.flatMap((row, y) => {
			const name = names.get(row);
			return name === undefined ? [] : `<use href="#${name}" y="${y * CELL.height}"/>`;
		});
		return `<g${frames.length > 1 ? ` id="f${at}"` : ''}>${rows.join('')}</g>`;
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
		`<title>${title}</title>`,
		`<style>${styles}${moves.join('')}</style>`,
		`<rect class="ground" width="${width}" height="${height}" rx="8"/>`,
		`<defs>${kept.map(row => `<g id="${names.get(row)}">${row}</g>`).join('\n')}</defs>`,
		`<g transform="translate(${MARGIN} ${MARGIN})">${drawn.join('\n')}</g>`,
		'</svg>',
		'',
	].join('\n');
}

type Moment = {readonly from: number; readonly seconds: number; readonly total: number};

/** Shows a frame in its turn. Who wants no movement sees the first. */
function movementOf(at: number, {from, seconds, total}: Moment): string {
	const percent = (time: number) => `${rounded((100 * time) / total)}%`;
	const shown = `${percent(from)}{visibility:visible}${percent(from + seconds)}{visibility:hidden}`;
	const before = at === 0 ? '' : '0%{visibility:hidden}';
	const still = at === 0 ? 'visible' : 'hidden';
	return (
		`@keyframes k${at}{${before}${shown}}` +
		`#f${at}{visibility:${at === 0 ? 'visible' : 'hidden'};animation:k${at} ${total}s step-end infinite}` +
		`@media(prefers-reduced-motion:reduce){#f${at}{animation:none;visibility:${still}}}`
	);
}

function coloursOf(at: 0 | 1): string {
	const shades = Object.entries(palette).map(([number, both]) => `.c${number}{fill:${both[at]}}`);
	return `text,rect{fill:${ink[at]}}${shades.join('')}.ground,text.i{fill:${ground[at]}}rect.g{fill:${rowGround[at]}}`;
}

const styles = [
	'text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}',
	'.b{font-weight:bold}.d{opacity:.65}.u{text-decoration:underline}',
	`${coloursOf(0)}@media(prefers-color-scheme:dark){${coloursOf(1)}}`,
].join('');
