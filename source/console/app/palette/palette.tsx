import {paletteBindings} from '../app-bindings.ts';
import {Box, Text} from 'ink';
import {frameOf} from '../../ui/box.ts';
import {ruleLine} from '../../ui/rules.ts';
import {formatLineEdit} from '../../ui/line-edit.ts';
import {Clicked, useStore} from '../../ui/painted.tsx';
import {KeyScope} from '../../ui/key-scope.tsx';
import type {Key} from '../../terminal/input/keys.ts';
import {fit} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import {
	foundText,
	type PaletteEntry,
	type OverviewLine,
	type Palette,
	type PaletteView,
} from './state.ts';

type Props = {
	readonly palette: Palette;
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
};

const noBindings: readonly never[] = [];

/** The palette, and its keys: those that come before it is drawn are typed into it already. */
export function PaletteOver({palette, ...frame}: Props) {
	const view = useStore(palette.view);
	return (
		<KeyScope
			isOver
			isModal={view !== undefined}
			title="Palette"
			bindings={view === undefined ? noBindings : paletteBindings}
			target={palette}
			onText={key => takeKey(palette, key)}
			onPaste={text => palette.view.get() !== undefined && palette.paste(text)}
		>
			{view === undefined ? null : <Drawn {...{...frame, palette, view}} />}
		</KeyScope>
	);
}

/** Gives a key to the open palette, which takes every key. */
function takeKey(palette: Palette, key: Key): boolean {
	if (palette.view.get() === undefined) return false;
	const binding = paletteBindings.find(({keys}) => keys.includes(key));
	if (binding === undefined) palette.type(key);
	// A change typed in one burst with other keys is dropped: its name was not seen yet.
	else if (binding.isChange !== true) void binding.run(palette);
	return true;
}

/** Width from which the screen stays visible behind the palette. */
const WIDE_COLUMNS = 120;
const INDENT = 4;
const WIDEST = 99;
/** The box's own lines, and a rule with a sentence below it. */
const BOX_LINES = 4;
const LINES_BELOW = 3;

export function paletteHeight(rows: number): number {
	const whole = BOX_LINES + LINES_BELOW + Math.max(7, Math.floor(rows / 2) - 3);
	// The palette covers the whole screen rather than leave a few lines of it.
	return rows - whole < 4 ? rows : whole;
}

/** Lines of the box above its entries. */
const LINES_ABOVE = 3;

type DrawnProps = Props & {readonly view: PaletteView};

function Drawn({palette, view, theme, width, height}: DrawnProps) {
	const indent = width < WIDE_COLUMNS ? 0 : INDENT;
	const inner = Math.min(width - 2 * indent, indent === 0 ? width : WIDEST) - 4;
	const room = height - BOX_LINES - LINES_BELOW;
	const box = frameOf(theme, inner);
	const body = bodyOf(view, linesBelow(palette), {theme, width: inner, room});
	const lines = [
		box.top(': command'),
		box.line(`: ${formatLineEdit(theme, view.line, {width: inner - 2, hasFocus: true})}`),
		box.middle,
		...body.lines.map(box.line),
		box.bottom,
	];
	const blank = ' '.repeat(indent);
	/** Moves to the entry that is clicked, and runs the one that was chosen already. */
	function click(line: number): Key | undefined {
		const at = body.first + line - LINES_ABOVE;
		if (line < LINES_ABOVE || at >= body.end) return undefined;
		palette.move(at - view.chosen);
		return at === view.chosen ? 'Enter' : undefined;
	}
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
			<Clicked lines={lines.map(line => blank + line)} width={width} onClick={click} />
			<Text> </Text>
			<Text>{ruleLine(theme, width)}</Text>
			<Text wrap="truncate">
				{fit(
					view.line.text === ''
						? 'words match anywhere; "offers gpu=4090" runs a search; what spends still asks'
						: foundText(view.entries),
					width,
				)}
			</Text>
		</Box>
	);
}

type PaletteLayout = {readonly theme: Theme; readonly width: number; readonly room: number};

function linesBelow(palette: Palette): readonly OverviewLine[] {
	const names = palette.recent().map(id => id.replace(/^.*: /, ''));
	const recent: readonly OverviewLine[] = names.length === 0 ? [] : [['RECENT', names.join('  ')]];
	return [...palette.overview(), ...recent];
}

const LEAST_ENTRIES = 5;

type Body = {
	readonly lines: readonly string[];
	/** Indexes of the first entry in view, and of the first below. */
	readonly first: number;
	readonly end: number;
};

/** The entries in view, and the overview below as far as it fits, recent choices first. */
function bodyOf(view: PaletteView, overview: readonly OverviewLine[], layout: PaletteLayout): Body {
	const recent = overview.filter(([name]) => name === 'RECENT');
	const shown = [overview, recent].find(
		lines => lines.length > 0 && lines.length + 1 + LEAST_ENTRIES <= layout.room,
	);
	const below = shown === undefined ? [] : ['', ...shown.map(line => overviewLine(line, layout))];
	const count = layout.room - below.length;
	const {entries, chosen} = view;
	const first = Math.max(0, Math.min(chosen - count + 1, entries.length - count));
	const start = chosen < first ? chosen : first;
	const lines = entries
		.slice(start, start + count)
		.map((entry, at) => entryLine(entry, start + at === chosen, layout));
	if (entries.length === 0)
		lines.push(fit(`Nothing here is called "${view.line.text}".`, layout.width));
	const blanks = Array.from({length: Math.max(0, count - lines.length)}, () => '');
	const blank = ' '.repeat(layout.width);
	const all = [...lines, ...blanks, ...below].map(line => (line === '' ? blank : line));
	return {lines: all, first: start, end: Math.min(entries.length, start + count)};
}

function overviewLine([name, words]: OverviewLine, {theme, width}: PaletteLayout): string {
	return theme.style('quiet', fit(`${name.padEnd(8)}${words}`, width));
}

const KEYS_WIDTH = 12;

/** Line of an entry: name, key and description, or the reason why it is unavailable. */
function entryLine(entry: PaletteEntry, isChosen: boolean, {theme, width}: PaletteLayout): string {
	const {title, keys, about, reason} = entry;
	const side = Math.floor(width * (width < 90 ? 0.5 : 0.42));
	const name = fit(` ${title}`, width - side - 1);
	const more = reason === undefined ? about : `[${reason}]`;
	const line = `${name} ${fit(keys, KEYS_WIDTH)} ${fit(more, side - KEYS_WIDTH - 2)}`;
	if (isChosen) return theme.row(line);
	return ` ${theme.style(reason === undefined ? 'plain' : 'quiet', line)}`;
}
