import {parseEnv} from '../../../contract/rules/env.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import type {ActionTarget} from '../../ui/confirmation.ts';
import {setValue, valueOf, type FormField} from '../../ui/form-state.ts';
import type {ScreenProps} from '../../services/router.ts';
import {ConfirmDialog, DiscardDraft, FieldChoice} from '../dialogs.tsx';
import {changesElsewhere, describeChanges, type Draft} from './draft.ts';
import {EnvEditor} from './env-editor.tsx';
import {lineOfEnv} from './env-state.ts';
import {idOf} from '../../../renter/templates/templates.ts';

/** Overlay in place of the form. */
export type EditOverlay =
	| {readonly kind: 'leave'}
	| {readonly kind: 'env'}
	| {readonly kind: 'choice'; readonly field: FormField}
	| {readonly kind: 'changed'; readonly present: Template};

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly draft: Draft;
	readonly overlay: EditOverlay;
	readonly onClose: () => void;
	readonly onLeave: () => void;
	readonly onOverwrite: (present: Template) => void;
};

export function EditOverlayView(props: Props) {
	const {draft, overlay, size, onClose} = props;
	const {form} = draft;
	switch (overlay.kind) {
		case 'env':
			return (
				<EnvEditor
					env={parseEnv(valueOf(form.get(), 'env'))}
					size={size}
					onDone={env => {
						const line = lineOfEnv(env);
						if ('line' in line) form.set(setValue(form.get(), 'env', line.line));
						onClose();
					}}
				/>
			);
		case 'choice':
			return <FieldChoice form={form} field={overlay.field} size={size} onClose={onClose} />;
		case 'leave':
			return <AskLeave {...props} />;
		case 'changed':
			return <AskOverwrite {...props} present={overlay.present} />;
	}
}

/** Asks before what was typed is lost. */
function AskLeave({draft, size, say, onClose, onLeave}: Props) {
	return (
		<DiscardDraft
			draft={{
				id: valueOf(draft.form.get(), 'name'),
				name: '',
				detail: describeChanges(draft),
			}}
			means="What was typed here is lost. The template stays as it is."
			size={size}
			say={say}
			onDiscard={onLeave}
			onCancel={onClose}
		/>
	);
}

type OverwriteProps = Props & {readonly present: Template};

/** Asks before changes of somebody else are laid under one's own. */
function AskOverwrite({draft, present, size, say, onClose, onOverwrite}: OverwriteProps) {
	const target: ActionTarget = {
		id: idOf(present),
		name: present.name ?? '',
		detail: 'changed elsewhere since it was opened here',
		state: present.hash_id,
		level: 1,
	};
	const changes = changesElsewhere(draft, present);
	return (
		<ConfirmDialog
			question={{verb: 'save', noun: 'template', targets: [target]}}
			facts={[
				[
					'AwayAlerts',
					changes.length === 0 ? 'only what is not shown was changed' : changes.join('; '),
				],
				['What happens', 'Only your changes are sent. Where both changed a field, yours wins.'],
				['Otherwise', 'Cancel leads back to the form. Nothing was saved so far.'],
			]}
			size={size}
			say={say}
			onConfirm={() => onOverwrite(present)}
			onCancel={onClose}
		/>
	);
}
