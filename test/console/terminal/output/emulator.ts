import xterm from '@xterm/headless';

/** A cell as a test thinks of it: '' follows a wide glyph; the style is a list of SGR parameters. */
export type Cell = {readonly glyph: string; readonly style: string};

export const blank: Cell = {glyph: ' ', style: ''};

/** A line of text as Ink would write it. */
export function encodeLine(cells: readonly Cell[]): string {
	let line = '';
	let style = '';
	for (const cell of cells) {
		if (cell.style !== style) line += `\u001B[${cell.style === '' ? '0' : `0;${cell.style}`}m`;
		style = cell.style;
		line += cell.glyph;
	}
	return style === '' ? line.trimEnd() : `${line}\u001B[0m`;
}

/** Cells one at a time, each in its place, with nothing of the cleverness that is under test. */
export function encodePlainly(screen: readonly (readonly Cell[])[]): string {
	let data = '\u001B[?7l\u001B[m\u001B[2J';
	for (const [row, cells] of screen.entries()) {
		for (const [column, {glyph, style}] of cells.entries()) {
			if (glyph === '') continue;
			const place = `\u001B[${row + 1};${column + 1}H`;
			const ground = cells[column + 1]?.glyph === '' ? `  ${place}` : '';
			data += `${place}\u001B[0;${style}m${ground}${glyph}\u001B[m`;
		}
	}
	return data;
}

type XtermCell = NonNullable<ReturnType<xterm.IBufferLine['getCell']>>;

function describe(cell: XtermCell): string {
	const glyph = cell.getChars() === '' && cell.getWidth() === 1 ? ' ' : cell.getChars();
	const back = `${cell.getBgColorMode()}:${cell.getBgColor()}`;
	const isSeen = cell.isInverse() + cell.isUnderline() + cell.isStrikethrough() !== 0;
	if (glyph === ' ' && !isSeen) return ` ${back}`;
	const weights = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isInvisible()];
	const lines = [cell.isInverse(), cell.isUnderline(), cell.isStrikethrough()];
	const flags = [...weights, ...lines].map(flag => (flag === 0 ? '-' : '+')).join('');
	return `${glyph} ${flags} ${cell.getFgColorMode()}:${cell.getFgColor()} ${back}`;
}

export type Emulator = {
	readonly write: (data: string) => Promise<void>;
	readonly resize: (columns: number, rows: number) => void;
	/** Every cell in words: glyph, attributes, colours; of a blank only what can be seen. */
	readonly cells: () => readonly string[];
	readonly text: () => readonly string[];
	/** How many rows were ever scrolled off the screen. */
	readonly scrolled: () => number;
	readonly cursor: () => {readonly row: number; readonly column: number};
};

export function openEmulator(columns: number, rows: number): Emulator {
	const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	const {active} = terminal.buffer;
	const line = (row: number) => active.getLine(active.baseY + row);
	const everyRow = () => Array.from({length: terminal.rows}, (_, row) => row);
	return {
		write: data => new Promise(resolve => terminal.write(data, resolve)),
		resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
		cells: () =>
			everyRow().flatMap(row =>
				Array.from({length: terminal.cols}, (_, column) => {
					const cell = line(row)?.getCell(column);
					return `${row},${column} ${cell === undefined ? 'nothing' : describe(cell)}`;
				}),
			),
		text: () => everyRow().map(row => line(row)?.translateToString(true, 0, terminal.cols) ?? ''),
		scrolled: () => active.baseY,
		cursor: () => ({row: active.cursorY, column: active.cursorX}),
	};
}
