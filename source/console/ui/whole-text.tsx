import {wholeTextBindings} from './dialog-bindings.ts';
import {Text} from 'ink';
import {KeyScope} from './key-scope.tsx';
import {clustersOf, widthOf} from '../../renter/text/text-width.ts';

type Props = {
	readonly text: string;
	readonly width: number;
	readonly height: number;
	readonly onClose: () => void;
};

/** A text that is too long for a line, with nothing around it, to be selected. Any key leaves it. */
export function WholeText({text, width, height, onClose}: Props) {
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

/** A text in lines that are as full as can be: nothing is taken from it or put into it. */
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
