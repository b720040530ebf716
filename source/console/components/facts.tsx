import {Box, Text} from 'ink';
import {fit, widthOf} from '../terminal/output/text-width.ts';
import type {Theme} from '../theme.ts';

/** What is said under one title: a name and a value a line. */
export type Section = {
	readonly title: string;
	readonly facts: ReadonlyArray<readonly [name: string, value: string]>;
};

type Props = {
	readonly sections: readonly Section[];
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
};

const LEAST_COLUMN = 36;

/** Sections of names and values, in two columns where the screen is wide enough. */
export function Facts({sections, theme, width, height}: Props) {
	const isWide = width >= 2 * LEAST_COLUMN;
	const columnWidth = isWide ? Math.floor((width - 1) / 2) : width;
	const columns = isWide
		? [
				sections.filter((_, index) => index % 2 === 0),
				sections.filter((_, index) => index % 2 === 1),
			]
		: [sections];
	return (
		<Box width={width} height={height} flexShrink={0} overflow="hidden" columnGap={1}>
			{columns.map(column => (
				<Box key={column[0]?.title} flexDirection="column" width={columnWidth} flexShrink={0}>
					{column.map(section => (
						<SectionText key={section.title} section={section} theme={theme} width={columnWidth} />
					))}
				</Box>
			))}
		</Box>
	);
}

type SectionProps = {readonly section: Section; readonly theme: Theme; readonly width: number};

function SectionText({section: {title, facts}, theme, width}: SectionProps) {
	const names = Math.max(...facts.map(([name]) => widthOf(name))) + 2;
	const lines = facts.map(
		([name, value]) => ` ${fit(name, names)}${fit(value, width - names - 1)}`,
	);
	return <Text wrap="truncate">{[theme.style('heading', title), ...lines, ' '].join('\n')}</Text>;
}
