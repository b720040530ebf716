import {Text} from 'ink';
import type {Theme} from '../theme.ts';
import type {LineEdit} from './line-edit.ts';
import {windowOnto} from './line-window.ts';

export type FieldLook = {
	readonly width: number;
	/** The cursor is drawn where keys go. */
	readonly hasFocus: boolean;
	/** A secret: every character is drawn as the same sign. */
	readonly isSecret?: boolean;
};

/** The visible part of an edited line, as wide as asked for. */
export function drawLine(theme: Theme, line: LineEdit, look: FieldLook): string {
	const {before, under, after} = windowOnto(line, look.width, look.isSecret === true ? '*' : '');
	if (!look.hasFocus) return before + under + after;
	// Where there is nothing to stand on, the cursor can also be seen without looks.
	return before + theme.style('chosen', under === ' ' ? '_' : under) + after;
}

type Props = FieldLook & {readonly theme: Theme; readonly line: LineEdit};

/** One line of text that is being edited. */
export function TextField({theme, line, ...look}: Props) {
	return <Text wrap="truncate">{drawLine(theme, line, look)}</Text>;
}
