import {
	secretBindings,
	secretFileBindings,
	type SecretFileTarget,
	type SecretTarget,
} from './dialog-bindings.ts';
import {Text} from 'ink';
import {spread} from './chrome.ts';
import {ruleLine} from './rules.ts';
import {KeyScope} from './key-scope.tsx';
import type {Store} from '../../renter/state/store.ts';
import {fit, printable} from '../../renter/text/text-width.ts';
import type {Theme} from './theme.ts';
import {
	editLine,
	insertText,
	emptyLine,
	newLineEdit,
	type LineEdit,
	formatLineEdit,
} from './line-edit.ts';
import {brokenAt} from './notice.tsx';
import {wrapText} from '../../renter/text/wrap.ts';
import {useStore} from './painted.tsx';
import {listeningFrom, type ConfirmationTiming} from './confirmation.ts';

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

/** Shows a secret until it is left, instead of the screen. */
export function SecretDialog({view, target, size, ...text}: Props) {
	const shown = useStore(view);
	const lines = secretLines(text, shown, size);
	// Where space is short, only blank lines are left out.
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

/** Title and rule, keys, and sentences. */
const LINES_AROUND = 10;

type Drawn = SecretText & Pick<Props, 'more' | 'theme'>;

function secretLines(
	{title, secret, lines, more, theme}: Drawn,
	view: SecretView,
	{columns: width, rows}: Props['size'],
): readonly string[] {
	const text = (content: string) =>
		wrapText(content, width - 2).map(line => fit(` ${line}`, width));
	const waiting = more === 0 ? 'shown this once' : `shown this once; ${more} more behind it`;
	return [
		theme.style('heading', spread(width, printable(title), waiting)),
		ruleLine(theme, width),
		' ',
		// The secret starts in the first column, so that it can be selected; the keys stay in view.
		...brokenAt(printable(secret), width).slice(0, Math.max(2, rows - LINES_AROUND)),
		' ',
		...(view.isNaming ? fieldLines(view, theme, width) : statusLines(view, theme, text)),
		' ',
		...lines.flatMap(text),
	];
}

const NAME = ' file> ';

function fieldLines({line, notice}: SecretView, theme: Theme, width: number): readonly string[] {
	const field = formatLineEdit(theme, line, {width: width - NAME.length - 1, hasFocus: true});
	const why = notice === undefined ? [] : wrapText(printable(notice.text), width - 2);
	return [
		NAME + field,
		...why.map(one => theme.style('danger', fit(` ${one}`, width))),
		fit(' Enter writes it, for you alone to read. What is there is left as it is.', width),
	];
}

function statusLines(
	{notice, isSafe, isWarned}: SecretView,
	theme: Theme,
	text: (content: string) => readonly string[],
): readonly string[] {
	if (notice !== undefined) {
		const drawn = text(printable(notice.text));
		return notice.isError ? drawn.map(line => theme.style('danger', line)) : drawn;
	}
	if (isSafe || !isWarned)
		return text('y copies it, w keeps it in a file of yours. Esc or Enter leaves it.');
	const warning =
		'Nobody has it: it was neither copied nor kept, and it is not shown again. Esc or Enter leaves it all the same; y copies it, w keeps it in a file.';
	return text(warning).map(line => theme.style('danger', line));
}

export type SecretView = {
	readonly isNaming: boolean;
	readonly line: LineEdit;
	/** The secret was copied or kept. */
	readonly isSafe: boolean;
	/** The user tried to leave without keeping it, and was warned. */
	readonly isWarned: boolean;
	readonly notice: {readonly text: string; readonly isError: boolean} | undefined;
	/** Time from which keys count: earlier ones were typed before the secret was seen. */
	readonly listensFrom: number;
};

/** The state of a secret that has just appeared. */
export function openSecret(isSafe: boolean, moment: ConfirmationTiming): SecretView {
	return {
		isNaming: false,
		line: emptyLine,
		isSafe,
		isWarned: false,
		notice: undefined,
		listensFrom: listeningFrom(moment),
	};
}

/**
 * The view after the user tried to leave; undefined if it is left. A secret that was not copied or
 * kept brings one warning.
 */
export function leaveSecret(view: SecretView, moment: ConfirmationTiming): SecretView | undefined {
	if (view.isSafe || view.isWarned) return undefined;
	return {...view, isWarned: true, notice: undefined, listensFrom: listeningFrom(moment)};
}

/** Opens the field with a file in it. */
export function nameFile(view: SecretView, file: string): SecretView {
	return {...view, isNaming: true, line: newLineEdit(file), notice: undefined};
}

export function stopNaming(view: SecretView): SecretView {
	return {...view, isNaming: false, notice: undefined};
}

export function copied(view: SecretView, isCopied: boolean): SecretView {
	const text = isCopied
		? 'Copied through the terminal, which sends no receipt. If paste is empty, select it above.'
		: 'Not copied: it is longer than terminals take. w keeps it in a file.';
	return {...view, isSafe: view.isSafe || isCopied, notice: {text, isError: !isCopied}};
}

export function keptIn(view: SecretView, file: string): SecretView {
	const text = `It is kept in ${file}, which you alone can read.`;
	return {...view, isNaming: false, isSafe: true, notice: {text, isError: false}};
}

/** The field stays open, so that another file can be named. */
export function notKept(view: SecretView, why: string): SecretView {
	return {...view, notice: {text: why, isError: true}};
}
