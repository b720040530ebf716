import {messageOf} from '../../contract/rules/thrown.ts';
import {sentence} from '../../renter/text/format.ts';
import {Choice} from '../ui/choice.tsx';
import type {ActionTarget} from '../ui/confirmation.ts';
import {Dialog} from '../ui/dialog.tsx';
import {setValue, valueOf, type FormField, type FormState} from '../ui/form-state.ts';
import {useServices, useTerminal, useTime} from '../services/services.tsx';
import type {Store} from '../../renter/state/store.ts';
import type {ScreenProps} from '../services/router.ts';

type FieldChoiceProps = Pick<ScreenProps, 'size'> & {
	readonly form: Store<FormState>;
	readonly field: FormField;
	readonly onClose: () => void;
};

/** One of a few values for a field, in the place of its form. */
export function FieldChoice({form, field, size, onClose}: FieldChoiceProps) {
	const {theme} = useServices();
	const {typeToInk} = useTerminal();
	return (
		<Choice
			title={field.label}
			choices={field.choices ?? []}
			chosen={valueOf(form.get(), field.id)}
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

/** Asks before what was typed is lost. */
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

type ConfirmProps = Omit<Parameters<typeof Dialog>[0], 'theme' | 'now' | 'linkMs'>;

/** The dialog of the console, on its theme, clock and terminal. */
export function ConfirmDialog(props: ConfirmProps) {
	const {theme} = useServices();
	const {now} = useTime();
	const {linkMs} = useTerminal();
	return <Dialog {...props} theme={theme} now={now} linkMs={linkMs()} />;
}

/** Does what was asked for, and says what came of it; why it failed, behind some words about that. */
export async function sayOutcome(
	say: ScreenProps['say'],
	act: () => Promise<string | undefined>,
	failed = '',
): Promise<void> {
	try {
		const text = await act();
		if (text !== undefined) say({text, isError: false});
	} catch (error) {
		say({text: `${failed}${sentence(messageOf(error))}`, isError: true});
	}
}
