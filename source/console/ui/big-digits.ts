/** Figures in large signs, which can be read from across a room. */

/** Five rows of a sign each, `#` for what is drawn. */
const signs: Readonly<Record<string, string>> = {
	'0': '### #.# #.# #.# ###',
	'1': '.#. ##. .#. .#. ###',
	'2': '### ..# ### #.. ###',
	'3': '### ..# ### ..# ###',
	'4': '#.# #.# ### ..# ..#',
	'5': '### #.. ### ..# ###',
	'6': '### #.. ### #.# ###',
	'7': '### ..# ..# ..# ..#',
	'8': '### #.# ### #.# ###',
	'9': '### #.# ### ..# ###',
	$: '.#. ### ##. .## ###',
	'.': '. . . . #',
	',': '. . . # #',
	'/': '..# ..# .#. #.. #..',
	h: '#.. #.. ### #.# #.#',
	'-': '... ... ### ... ...',
	'?': '### ..# .## ... .#.',
};

const BIG_ROWS = 5;

/** Columns between two signs. */
const GAP = 2;

const rowsOf = (sign: string): readonly string[] => (signs[sign] ?? signs['?'] ?? '').split(' ');

/** Columns that a text takes, where a dot of its signs takes so many. */
export function bigWidth(text: string, dot: number): number {
	const dots = text.split('').reduce((sum, sign) => sum + (rowsOf(sign)[0]?.length ?? 0), 0);
	return dots * dot + GAP * Math.max(0, text.length - 1);
}

/** Lines of the first of some texts that fits into a width; of the last where none does. */
export function bigLines(
	texts: readonly string[],
	{width, dot}: {readonly width: number; readonly dot: number},
): readonly string[] {
	const text = texts.find(one => bigWidth(one, dot) <= width) ?? texts.at(-1) ?? '';
	return Array.from({length: BIG_ROWS}, (_, row) =>
		text
			.split('')
			.map(sign => rowsOf(sign)[row] ?? '')
			.map(dots => dots.replaceAll('#', '█'.repeat(dot)).replaceAll('.', ' '.repeat(dot)))
			.join(' '.repeat(GAP)),
	);
}
