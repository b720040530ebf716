import {Box, Text} from 'ink';

type Props = {
	/** State in a few words. */
	readonly title: string;
	/** Reason, and advice: a line each. */
	readonly lines?: readonly string[];
	readonly width: number;
	readonly height: number;
};

/** Message in place of rows: loading, empty, or failed. */
export function Notice({title, lines = [], width, height}: Props) {
	return (
		<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
			<Text> </Text>
			<Text bold wrap="wrap">
				{` ${title}`}
			</Text>
			<Text> </Text>
			{lines.map(line => (
				<Text key={line} wrap="wrap">
					{` ${line}`}
				</Text>
			))}
		</Box>
	);
}

type TooSmallProps = {
	readonly size: {readonly columns: number; readonly rows: number};
	readonly least: {readonly columns: number; readonly rows: number};
};

/** Message in a terminal too small to show what a key would do. */
export function TooSmall({size: {columns, rows}, least}: TooSmallProps) {
	const lines = [
		`rentty needs ${least.columns}x${least.rows} (now ${columns}x${rows}).`,
		'Keys are off until it fits, except',
		'q quit.',
	];
	return (
		<Box flexDirection="column" width={columns} height={rows} overflow="hidden">
			{lines.map(line => (
				<Text key={line} wrap="wrap">
					{line}
				</Text>
			))}
		</Box>
	);
}
