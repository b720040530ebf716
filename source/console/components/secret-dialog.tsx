import {
	secretBindings,
	secretFileBindings,
	type SecretFileTarget,
	type SecretTarget,
} from './dialog-bindings.ts';
import {Text} from 'ink';
import {ruleLine, spread} from '../chrome.ts';
import {KeyScope} from '../key-scope.tsx';
import type {Store} from '../../renter/store.ts';
import {fit, printable} from '../../renter/text/text-width.ts';
import type {Theme} from '../theme.ts';
import {editLine, insertText} from './line-edit.ts';
import type {SecretView} from './secret-state.ts';
import {drawLine} from './line-window.ts';
import {brokenAt} from './whole-text.tsx';
import {wrapText} from './wrap.ts';
import {useStore} from './use-store.ts';

/** Texts beside a secret. */
export type SecretText = {
	/** Kind of secret, in capitals: "KEY OF INSTANCE 812". */
	readonly title: string;
	readonly secret: string;
	/** Uses of the secret, a sentence each. */
	readonly lines: readonly string[];
};

type Props = SecretText & {
	readonly view: Store<SecretView>;
	/** Count of secrets that wait behind this one. */
	readonly more: number;
	readonly target: SecretTarget & SecretFileTarget;
	readonly theme: Theme;
	readonly size: {readonly columns: number; readonly rows: number};
};

/** Shows a secret until it is left. It stands in the place of whatever was there. */
export function SecretDialog({view, target, size, ...text}: Props) {
	const shown = useStore(view);
	const lines = secretLines(text, shown, size);
	// Where there is little room, nothing but room is left out.
	const drawn = lines.length > size.rows ? lines.filter(line => line.trim() !== '') : lines;
	const edit = (line: SecretView['line'] | undefined) => {
		if (line !== undefined) view.set({...view.get(), line});
	};
	return (
		<KeyScope
			isModal
			isTop
			title={shown.isNaming ? 'File for a key' : 'Key shown once'}
			bindings={shown.isNaming ? secretFileBindings : secretBindings}
			target={target}
			onText={key => {
				if (view.get().isNaming) edit(editLine(view.get().line, key));
				return true;
			}}
			onPaste={pasted => {
				if (view.get().isNaming) edit(insertText(view.get().line, pasted));
				return true;
			}}
		>
			<Text wrap="truncate">{drawn.slice(0, size.rows).join('\n')}</Text>
		</KeyScope>
	);
}

/** Title and rule, what can be done, and the sentences. */
const LINES_AROUND = 10;

type Drawn = SecretText & Pick<Props, 'more' | 'theme'>;

function secretLines(
	{title, secret, lines, more, theme}: Drawn,
	view: SecretView,
	{columns: width, rows}: Props['size'],
): readonly string[] {
	const text = (said: string) => wrapText(said, width - 2).map(line => fit(` ${line}`, width));
	const waiting = more === 0 ? 'shown this once' : `shown this once; ${more} more behind it`;
	return [
		theme.style('heading', spread(width, printable(title), waiting)),
		ruleLine(theme, width),
		' ',
		// By itself from the first column on, so that it can be selected; what to do stays in view.
		...brokenAt(printable(secret), width).slice(0, Math.max(2, rows - LINES_AROUND)),
		' ',
		...(view.isNaming ? fieldLines(view, theme, width) : statusLines(view, theme, text)),
		' ',
		...lines.flatMap(text),
	];
}

const NAME = ' file> ';

function fieldLines({line, said}: SecretView, theme: Theme, width: number): readonly string[] {
	const field = drawLine(theme, line, {width: width - NAME.length - 1, hasFocus: true});
	const why = said === undefined ? [] : wrapText(printable(said.text), width - 2);
	return [
		NAME + field,
		...why.map(one => theme.style('danger', fit(` ${one}`, width))),
		fit(' Enter writes it, for you alone to read. What is there is left as it is.', width),
	];
}

function statusLines(
	{said, isSafe, isWarned}: SecretView,
	theme: Theme,
	text: (said: string) => readonly string[],
): readonly string[] {
	if (said !== undefined) {
		const drawn = text(printable(said.text));
		return said.isError ? drawn.map(line => theme.style('danger', line)) : drawn;
	}
	if (isSafe) return text('Esc or Enter leaves it.');
	if (!isWarned) return text('y copies it, w keeps it in a file of yours. Esc or Enter leaves it.');
	const warning =
		'Nobody has it: it was neither copied nor kept, and it is not shown again. Esc or Enter leaves it all the same; y copies it, w keeps it in a file.';
	return text(warning).map(line => theme.style('danger', line));
}
