import {Box, Text} from 'ink';
import {wholeTextBindings} from './dialog-bindings.ts';
import {KeyScope} from './key-scope.tsx';
import {clustersOf, widthOf} from '../../renter/text/text-width.ts';

type Props = {
	/** State in a few words. */
	readonly title: string;
	/** Reason, and advice: a line each. */
	readonly lines?: readonly string[];
	readonly width: number;
	readonly height: number;
};

/** Message instead of rows: loading, empty, or failed. */
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

type WholeProps = {
	readonly text: string;
	readonly width: number;
	readonly height: number;
	readonly onClose: () => void;
};

/** A text that is too long for a line, alone on the screen, to be selected. Any key leaves it. */
export function WholeText({text, width, height, onClose}: WholeProps) {
	const leave = () => {
		onClose();
		return true;
	};
	return (
		<KeyScope
			isModal
			title="Text"
			bindings={wholeTextBindings}
			target={{close: onClose}}
			onText={leave}
		>
			<Text>{brokenAt(text, width).slice(0, height).join('\n')}</Text>
		</KeyScope>
	);
}

/** A text in full lines, without a character added or removed. */
export function brokenAt(text: string, width: number): readonly string[] {
	const lines: string[] = [''];
	let used = 0;
	for (const cluster of clustersOf(text)) {
		const columns = widthOf(cluster);
		if (used + columns > width) {
			lines.push('');
			used = 0;
		}
		lines.push(`${lines.pop() ?? ''}${cluster}`);
		used += columns;
	}
	return lines;
}
