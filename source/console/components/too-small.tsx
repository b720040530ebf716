import {Box, Text} from 'ink';

type Props = {
	readonly size: {readonly columns: number; readonly rows: number};
	readonly least: {readonly columns: number; readonly rows: number};
};

/** Message in a terminal too small to show what a key would do. */
export function TooSmall({size: {columns, rows}, least}: Props) {
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
