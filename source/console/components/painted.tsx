import {Box, Text} from 'ink';
import {memo, useLayoutEffect, useSyncExternalStore} from 'react';

/** Draws lines into a painted region that Ink's frame leaves for them. */
export type Painter = {
	/** The text with which one row of a painted region begins. */
	readonly regionStart: (region: number, row: number) => string;
	/** Sets what a painted region shows. */
	readonly paint: (region: number, lines: readonly string[]) => void;
	/** Tells which line of a painted region was clicked on, until what it returns is called. */
	readonly onClick?: (region: number, click: (line: number) => void) => () => void;
};

/** Finished lines, and word when they change. The same lines are the same array. */
export type LineSource = {
	readonly lines: () => readonly string[];
	readonly subscribe: (listener: () => void) => () => void;
	/** Somebody clicked on one of the lines. */
	readonly click?: (line: number) => void;
};

type Props = {
	readonly source: LineSource;
	/** Which painted region of the frame it is; every painted part of one frame has its own. */
	readonly region: number;
	readonly width: number;
	readonly height: number;
	readonly painter: Painter | undefined;
};

/**
 * Lines that change often. With a painter they go straight to the terminal: React and Ink see a
 * text that stays the same. Without one they are drawn like any other text.
 */
export function Painted(props: Props) {
	const {painter} = props;
	return painter === undefined ? (
		<Drawn {...props} />
	) : (
		<PaintedRegion {...props} painter={painter} />
	);
}

function PaintedRegion({
	source,
	region,
	width,
	height,
	painter,
}: Props & {readonly painter: Painter}) {
	useLayoutEffect(() => {
		const paint = () => painter.paint(region, source.lines());
		paint();
		const unsubscribe = source.subscribe(paint);
		const unclick = source.click && painter.onClick?.(region, source.click);
		return () => {
			unsubscribe();
			unclick?.();
			painter.paint(region, []);
		};
	}, [source, region, painter]);
	return <Filling region={region} width={width} height={height} painter={painter} />;
}

type FillingProps = Pick<Props, 'region' | 'width' | 'height'> & {readonly painter: Painter};

const Filling = memo(function Filling({region, width, height, painter}: FillingProps) {
	const rows = Array.from({length: height}, (_, row) => painter.regionStart(region, row));
	return (
		<Box width={width} height={height} flexShrink={0}>
			<Text wrap="truncate">{rows.join('\n')}</Text>
		</Box>
	);
});

function Drawn({source, width, height}: Props) {
	const lines = useSyncExternalStore(source.subscribe, source.lines);
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0}>
			{lines.slice(0, height).map((line, row) => (
				// oxlint-disable-next-line react/no-array-index-key -- a line is its place on the screen
				<Text key={row} wrap="truncate">
					{line}
				</Text>
			))}
		</Box>
	);
}
