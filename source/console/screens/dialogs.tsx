import {Text} from 'ink';
import {useState} from 'react';
import {messageOf} from '../../contract/rules/thrown.ts';
import {endingAfter} from '../../renter/actions/instance-actions.ts';
import {sentence} from '../../renter/text/format.ts';
import {Choice, Dialog} from '../ui/dialog.tsx';
import type {ActionTarget} from '../ui/confirmation.ts';
import {setValue, fieldValueOf, type FormField, type FormState} from '../ui/form-state.ts';
import {useServices, useTerminal, useTime} from '../services/services.tsx';
import {type Store, createStore} from '../../renter/state/store.ts';
import type {ScreenProps} from '../services/router.ts';
import {boxOver, boxContentSize} from '../ui/box.ts';
import {spread} from '../ui/chrome.ts';
import {editLine, insertText, newLineEdit, formatLineEdit} from '../ui/line-edit.ts';
import {wrapText} from '../../renter/text/wrap.ts';
import {KeyScope} from '../ui/key-scope.tsx';
import {fit} from '../../renter/text/text-width.ts';
import type {Size} from '../terminal/terminal.ts';
import {promptBindings, recallingPromptBindings, type PromptTarget} from '../ui/form-bindings.ts';
import {useStore} from '../ui/painted.tsx';
import {parsePublicKey} from '../../contract/rules/public-key.ts';

type FieldChoiceProps = Pick<ScreenProps, 'size'> & {
	readonly form: Store<FormState>;
	readonly field: FormField;
	readonly onClose: () => void;
};

/** A choice among the values of a field, in place of its form. */
export function FieldChoice({form, field, size, onClose}: FieldChoiceProps) {
	const {theme} = useServices();
	const {typeToInk} = useTerminal();
	return (
		<Choice
			title={field.label}
			choices={field.choices ?? []}
			chosen={fieldValueOf(form.get(), field.id)}
			theme={theme}
			size={size}
			onType={typeToInk}
			onChoose={value => {
				form.set(setValue(form.get(), field.id, value));
				onClose();
			}}
			onClose={onClose}
		/>
	);
}

type DiscardProps = Pick<ScreenProps, 'size' | 'say'> & {
	/** Name of the draft, and its changes. */
	readonly draft: Pick<ActionTarget, 'id' | 'name' | 'detail'>;
	/** Consequences of discarding. */
	readonly means: string;
	readonly onDiscard: () => void;
	readonly onCancel: () => void;
};

export function DiscardDraft({draft, means, size, say, onDiscard, onCancel}: DiscardProps) {
	const target: ActionTarget = {...draft, state: 'changed', level: 1};
	return (
		<ConfirmDialog
			question={{verb: 'discard', noun: 'draft', targets: [target]}}
			facts={[['What happens', means]]}
			size={size}
			say={say}
			onConfirm={onDiscard}
			onCancel={onCancel}
		/>
	);
}

type ConfirmProps = Omit<Parameters<typeof Dialog>[0], 'theme' | 'now' | 'linkMs' | 'shownRows'>;

/** The dialog of the console, on its theme, clock and terminal. */
export function ConfirmDialog(props: ConfirmProps) {
	const {theme} = useServices();
	const {now} = useTime();
	const {linkMs, shownRows} = useTerminal();
	return <Dialog {...props} {...{theme, now, shownRows}} linkMs={linkMs()} />;
}

/**
 * Runs an action, and shows its outcome; a failure with its reason, after an introduction, which is
 * left out where it may have been done all the same.
 */
export async function notifyOutcome(
	say: ScreenProps['say'],
	act: () => Promise<string | undefined>,
	failed = '',
): Promise<void> {
	try {
		const text = await act();
		if (text !== undefined) say({text, isError: false});
	} catch (error) {
		const introduction = endingAfter(error).kind === 'unknown' ? '' : failed;
		say({text: `${introduction}${sentence(messageOf(error))}`, isError: true});
	}
}

type Props = {
	readonly title: string;
	/** Shown before the field. */
	readonly name: string;
	readonly initial: string;
	/** Explanation, a line each. */
	readonly lines: readonly string[];
	readonly size: Size;
	/** Reason why a text cannot be sent; undefined if it can. */
	readonly refuse: (text: string) => string | undefined;
	/** Lines sent before, the last one last: Up and Down go through them. */
	readonly history?: readonly string[];
	/** Effects of sending it, a line each. */
	readonly preview?: (text: string) => readonly string[];
	readonly onSend: (text: string) => void;
	readonly onClose: () => void;
	/** Called when the user leaves without sending. @default onClose */
	readonly onLeave?: () => void;
};

/** Asks for a line of text, which is sent by Enter alone. */
export function Prompt(props: Props) {
	const {title, name, initial, lines, size, refuse, preview, onSend, onClose} = props;
	const {onLeave = onClose, history = []} = props;
	const {theme} = useServices();
	const {shownRows} = useTerminal();
	const [behind] = useState(() => shownRows(size.rows));
	const inBox = boxContentSize(size);
	const columns = inBox?.columns ?? size.columns;
	// Outside React, so that Enter in the same burst sends the typed text.
	const [edited] = useState(() => createStore(newLineEdit(initial)));
	const line = useStore(edited);
	// Number of lines gone back in the history, and the text typed before.
	const [recalled] = useState(() => createStore({back: 0, draft: initial}));
	const width = columns - name.length - 4;
	const [isSent, setSent] = useState(false);
	// The proposed text gets no error before it is changed or sent.
	const reason = isSent || line.text !== initial ? refuse(line.text) : undefined;
	const body = [
		' ',
		` ${name}> ${formatLineEdit(theme, line, {width, hasFocus: true})}`,
		' ',
		...wrappedIn(columns, [...lines, ...(preview?.(line.text) ?? [])]),
		' ',
		fit(reason === undefined ? ' Enter sends it. Esc leaves it as it is.' : ` ${reason}`, columns),
	];
	const drawn =
		inBox === undefined
			? [theme.style('heading', spread(columns, title, '')), ...body]
			: boxOver(behind, size, theme, {title, right: '', lines: body, meaning: 'key'}).lines;
	const target: PromptTarget = {
		send() {
			const {text} = edited.get();
			setSent(true);
			if (refuse(text) !== undefined) return;
			onClose();
			onSend(text);
		},
		close: onLeave,
		/** Replaces the typed text by the line sent before, or the one after it. */
		recall(step) {
			const {back, draft} = recalled.get();
			const next = Math.max(0, Math.min(back + step, history.length));
			const typed = back === 0 ? edited.get().text : draft;
			recalled.set({back: next, draft: typed});
			edited.set(newLineEdit(next === 0 ? typed : (history[history.length - next] ?? '')));
		},
	};
	return (
		<KeyScope
			isModal
			title="Input"
			bindings={props.history === undefined ? promptBindings : recallingPromptBindings}
			target={target}
			onText={key => {
				edited.set(editLine(edited.get(), key) ?? edited.get());
				return true;
			}}
			onPaste={text => {
				edited.set(insertText(edited.get(), text));
				return true;
			}}
		>
			<Text wrap="truncate">{drawn.join('\n')}</Text>
		</KeyScope>
	);
}

function wrappedIn(columns: number, lines: readonly string[]): readonly string[] {
	return lines.flatMap(text => wrapText(text, columns - 1).map(line => fit(` ${line}`, columns)));
}

type PasteKeyProps = Pick<ScreenProps, 'size'> & {
	readonly onSend: (text: string) => Promise<void>;
	readonly onClose: () => void;
};

/** Asks for the public half of an SSH key. */
export function PasteKey({size, onSend, onClose}: PasteKeyProps) {
	return (
		<Prompt
			title="Register an SSH key"
			name="public key"
			initial=""
			lines={[
				'Paste the line of a .pub file. A private key is refused here, and is sent nowhere.',
				'It reaches instances that are rented from now on.',
			]}
			size={size}
			refuse={problemOf}
			onSend={text => void onSend(text)}
			onClose={onClose}
		/>
	);
}

function problemOf(text: string): string | undefined {
	try {
		parsePublicKey(text);
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}
