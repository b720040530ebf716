import {Box, Text} from 'ink';
import {pad} from './chrome.ts';
import {fit, widthOf} from '../../renter/text/text-width.ts';
import type {Theme} from './theme.ts';

/** Section of facts: a title, and a name and a value a line. */
export type Section = {
	readonly title: string;
	readonly facts: ReadonlyArray<readonly [name: string, value: string]>;
};

type Props = {
	readonly sections: readonly Section[];
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
	/** Lines scrolled away. */
	readonly top?: number;
};

const LEAST_COLUMN = 36;
const MOST_COLUMNS = 3;

/** Sections of names and values, side by side where the screen is wide enough. */
export function Facts({sections, theme, width, height, top = 0}: Props) {
	const count = columnsIn(width);
	const columnWidth = Math.floor((width - count + 1) / count);
	const columns = inColumns(
		sections.map(section => sectionLines(section, theme, columnWidth)),
		count,
	);
	const lines = Array.from({length: height}, (_, row) =>
		columns.map(column => pad(column[row + top] ?? '', columnWidth)).join(' '),
	);
	return (
		<Box width={width} height={height} flexShrink={0}>
			<Text wrap="truncate">{lines.join('\n')}</Text>
		</Box>
	);
}

function columnsIn(width: number): number {
	const fitting = Math.floor((width + 1) / (LEAST_COLUMN + 1));
	return Math.max(1, Math.min(MOST_COLUMNS, fitting));
}

/** Lines to scroll away of those requested, so that none stays hidden and no room is wasted. */
export function scrolledFacts(
	sections: readonly Section[],
	{width, height}: Pick<Props, 'width' | 'height'>,
	wanted: number,
): number {
	const blocks = sections.map(({title, facts}) => [title, ...facts.map(([name]) => name)]);
	const columns = inColumns(blocks, columnsIn(width));
	// Each ends with an empty line.
	const longest = Math.max(0, ...columns.map(column => column.length - 1));
	return Math.max(0, Math.min(wanted, longest - height));
}

/** Puts each block of lines, one after the other, under the column that is the shortest. */
function inColumns(
	blocks: ReadonlyArray<readonly string[]>,
	count: number,
): ReadonlyArray<readonly string[]> {
	const columns = Array.from({length: count}, (): string[] => []);
	for (const block of blocks) {
		const least = Math.min(...columns.map(column => column.length));
		columns.find(column => column.length === least)?.push(...block, '');
	}
	return columns;
}

function sectionLines({title, facts}: Section, theme: Theme, width: number): readonly string[] {
	const names = Math.max(...facts.map(([name]) => widthOf(name))) + 2;
	return [
		theme.style('heading', fit(title, width)),
		...facts.map(([name, value]) => ` ${fit(name, names)}${fit(value, width - names - 1)}`),
	];
}
