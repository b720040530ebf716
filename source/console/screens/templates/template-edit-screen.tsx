import {parseEnv} from '../../../contract/rules/env.ts';
import {countCharacters} from '../../../contract/grammar/harmless-text.ts';
import {
	isFieldChanged,
	fieldValueOf,
	changedFields,
	type FormField,
	setValue,
} from '../../ui/form-state.ts';
import {LONGEST_ONSTART} from '../../../contract/nouns/creation-request.ts';
import {envNames} from './facts.ts';
import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import {useEffect} from 'react';
import type {Template} from '../../../contract/nouns/templates.ts';
import type {ActionTarget} from '../../ui/confirmation.ts';
import {
	type ScreenProps,
	holdingAt,
	type Destination,
	isBehind,
	keptByStackEntry,
} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';
import {ConfirmDialog, DiscardDraft, FieldChoice} from '../dialogs.tsx';
import {checkbox, type Describe, Form, FormLetters} from '../../ui/form.tsx';
import type {FormActions} from '../../ui/form-target.ts';
import {templateFields, templateSpecs} from './template-form.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/painted.tsx';
import {sentence} from '../../../renter/text/format.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices, useTerminal} from '../../services/services.tsx';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {editField} from '../edit-field.ts';
import {templateEditBindings} from './bindings.ts';
import {
	changesElsewhere,
	describeChanges,
	type Draft,
	copyDraft,
	describeSaving,
	draftAt,
	editDraft,
	newDraft,
	rebase,
	draftTitle,
	useSaving,
} from './draft.ts';
import {EnvEditor} from './env-editor.tsx';
import {lineOfEnv} from './env-state.ts';
import {idOf, usesOf} from '../../../renter/templates/templates.ts';
import {savedTemplateAt} from './list-state.ts';
import {templateQuery} from '../../queries/templates.ts';

type EditOverlay =
	| {readonly kind: 'leave'}
	| {readonly kind: 'env'}
	| {readonly kind: 'choice'; readonly field: FormField}
	| {readonly kind: 'changed'; readonly present: Template};

/** It may be asked by an answer that comes while another screen is shown. */
const overlayAt = keptByStackEntry(() => createStore<EditOverlay | undefined>(undefined));

type OverlayProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly draft: Draft;
	readonly overlay: EditOverlay;
	readonly onClose: () => void;
	readonly onLeave: () => void;
	readonly onOverwrite: (present: Template) => void;
};

function EditOverlayView(props: OverlayProps) {
	const {draft, overlay, size, say, onClose, onLeave} = props;
	const {form} = draft;
	switch (overlay.kind) {
		case 'env':
			return (
				<EnvEditor
					env={parseEnv(fieldValueOf(form.get(), 'env'))}
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
			return (
				<DiscardDraft
					draft={{
						id: fieldValueOf(form.get(), 'name'),
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
		case 'changed':
			return <AskOverwrite {...props} present={overlay.present} />;
	}
}

type OverwriteProps = OverlayProps & {readonly present: Template};

/** Asks before the user's changes are laid over another's. */
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
					'Elsewhere',
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

type Props = ScreenProps & {
	readonly destination: Extract<Destination, {readonly name: 'template-edit'}>;
};

export function TemplateEditScreen({destination, ...props}: Props) {
	const {from, isCopy, content} = destination;
	const {client} = useServices();
	const store = draftAt(props.stackEntry);
	const draft = useStore(store);
	const {data, error, isFetching} = useQuery({
		...templateQuery(client, from ?? 0),
		// An earlier record may be old, and would be saved over newer changes.
		staleTime: 0,
		enabled: from !== undefined && draft === undefined,
	});
	useEffect(() => {
		if (draft !== undefined) return;
		if (from === undefined) store.set(newDraft(content));
		else if (data !== undefined && data !== null && !isFetching) {
			store.set(isCopy ? copyDraft(data) : editDraft(data));
		}
	}, [store, draft, from, data, isFetching, isCopy, content]);
	useEffect(() => {
		holdingAt(props.stackEntry).lost = () => lostWith(store.get());
	}, [props.stackEntry, store]);
	if (draft !== undefined) return <Editor {...props} draft={draft} onDraft={store.set} />;
	const room = {width: props.size.columns, height: props.size.rows};
	if (data === null) return <Notice title={`Template ${from} is gone.`} {...room} />;
	if (error !== null) return <Notice title={sentence(error.message)} {...room} />;
	return <Notice title={`Asking for template ${from ?? ''}`} {...room} />;
}

function lostWith(draft: Draft | undefined): string | undefined {
	const changes = draft === undefined ? '' : describeChanges(draft);
	return changes === '' ? undefined : `a template has ${changes}`;
}

type EditorProps = ScreenProps & {
	readonly draft: Draft;
	readonly onDraft: (draft: Draft) => void;
};

/** Title, two rules, and the request in two lines. */
const LINES_AROUND = 5;

function Editor({draft, onDraft, stackEntry, router, size, say}: EditorProps) {
	const {aside, environment} = useTerminal();
	const asking = overlayAt(stackEntry);
	const overlay = useStore(asking);
	const setOverlay = asking.set;
	const leave = () => void router.back();
	const onChanged = (present: Template) => {
		setOverlay({kind: 'changed', present});
		if (isBehind(router, stackEntry)) {
			const name = printable(present.name ?? '');
			const text = `Not saved: ${name} was changed elsewhere. Its form asks what to do.`;
			say({text, isError: true});
		}
	};
	const onSaved = (hash: string, rest: Draft | undefined) => {
		const listed = router.entries().find(({destination}) => destination.name === 'templates');
		if (listed !== undefined) savedTemplateAt(listed).set(hash);
		if (rest === undefined) router.finish(stackEntry);
		else onDraft(rest);
	};
	const save = useSaving({stackEntry, say, onSaved, onChanged});
	const spec = templateSpecs[draft.purpose];
	const askToLeave = () => {
		if (changedFields(spec, draft.form.get()).length === 0) leave();
		else setOverlay({kind: 'leave'});
	};
	if (overlay !== undefined) {
		return (
			<EditOverlayView
				draft={draft}
				overlay={overlay}
				size={size}
				say={say}
				onClose={() => setOverlay(undefined)}
				onLeave={leave}
				onOverwrite={present => {
					setOverlay(undefined);
					const rebased = rebase(draft, present);
					onDraft(rebased);
					void save(rebased);
				}}
			/>
		);
	}
	async function edit(field: FormField): Promise<void> {
		const file = field.id === 'readme' ? 'readme.md' : `${field.id}.sh`;
		const problem = await editField({aside, environment}, {spec, form: draft.form, field, file});
		if (problem !== undefined) say({text: sentence(problem), isError: true});
	}
	const actions: FormActions = {
		onOpen: field => setOverlay(field.kind === 'choice' ? {kind: 'choice', field} : {kind: 'env'}),
		onEditor: field => void edit(field),
		onPress(button) {
			if (button === 'discard') askToLeave();
			else void save(draft, button === 'copy');
		},
		onLeave: askToLeave,
	};
	return (
		<KeyScope title="Template editor" bindings={templateEditBindings} target={{leave: askToLeave}}>
			<EditForm draft={draft} size={size} actions={actions} />
		</KeyScope>
	);
}

type EditFormProps = Pick<ScreenProps, 'size'> & {
	readonly draft: Draft;
	readonly actions: FormActions;
};

function EditForm({draft, size: {columns, rows}, actions}: EditFormProps) {
	const {theme, fleet, settings} = useServices();
	useStore(draft.form);
	const uses = usesOf(draft.opened, fleet.state.get(), settings.get());
	const saving = describeSaving(draft, uses).map(line => fit(printable(line), columns));
	const rule = <Text wrap="truncate">{ruleLine(theme, columns)}</Text>;
	const height = rows - LINES_AROUND;
	return (
		<Box flexDirection="column">
			<Text wrap="truncate">
				{spread(columns, printable(draftTitle(draft)), describeChanges(draft))}
			</Text>
			{rule}
			<Box height={height} flexShrink={0} overflow="hidden">
				<FormLetters>
					<Form
						title="Form"
						spec={templateSpecs[draft.purpose]}
						form={draft.form}
						describe={describeField}
						theme={theme}
						width={columns}
						height={height}
						{...actions}
					/>
				</FormLetters>
			</Box>
			{rule}
			<Text wrap="truncate">{saving.join('\n')}</Text>
		</Box>
	);
}

const describeField: Describe = (field, state) => {
	const text = fieldValueOf(state, field.id);
	const value = field.kind === 'flag' ? checkbox(state, field.id) : shown(field, text);
	const before = fieldValueOf({values: state.initial}, field.id);
	const rule = templateFields.find(({id}) => id === field.id)?.rule ?? '';
	const was = `was ${before === '' ? 'empty' : shown(field, before)}`;
	return {value, note: isFieldChanged(state, field.id) ? was : rule};
};

function shown({id, kind}: FormField, text: string): string {
	if (id === 'env') {
		const entries = parseEnv(text);
		return entries.length === 0 ? 'none' : `${entries.length}: ${envNames(entries)}`;
	}
	if (id === 'onstart')
		return text === '' ? 'none' : `${countCharacters(text)} of ${LONGEST_ONSTART}`;
	if (kind === 'long') return text === '' ? 'none' : `${countCharacters(text)} characters`;
	if (kind === 'secret') return text === '' ? '' : '*'.repeat(8);
	return text;
}
