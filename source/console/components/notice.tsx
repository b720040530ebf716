import {Box, Text} from 'ink';

type Props = {
	/** What is so. */
	readonly title: string;
	/** Why, and what to do: a line each. */
	readonly lines?: readonly string[];
	readonly width: number;
	readonly height: number;
};

/** What a screen shows when it has no rows to show: it is loading, it is empty, or it failed. */
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
