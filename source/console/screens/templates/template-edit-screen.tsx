import {parseEnv} from '../../../contract/rules/env.ts';
import {lengthOf} from '../../../contract/grammar/text-length.ts';
import {checkbox, type Describe} from '../../ui/form-lines.ts';
import {isChanged, valueOf, changedFields, type FormField} from '../../ui/form-state.ts';
import {LONGEST_ONSTART, envNames} from './facts.ts';
import {templateFields} from './template-fields.ts';
import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import {useEffect, useState} from 'react';
import {ruleLine, spread} from '../../ui/chrome.ts';
import {Form, type FormActions} from '../../ui/form.tsx';
import {Notice} from '../../ui/notice.tsx';
import {useStore} from '../../ui/use-store.ts';
import {sentence} from '../../../renter/text/format.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {holdingAt, type Destination, type ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal} from '../../services/services.tsx';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {editField} from '../edit-field.ts';
import {templateEditBindings} from './bindings.ts';
import {
	copyDraft,
	describeChanges,
	describeSaving,
	draftAt,
	editDraft,
	newDraft,
	rebase,
	titleOf,
	type Draft,
} from './draft.ts';
import {EditOverlayView, type EditOverlay} from './edit-overlays.tsx';
import {savedAt} from './list-state.ts';
import {templateQuery} from '../../queries/templates.ts';
import {templateSpecs} from './template-form.ts';
import {usesOf} from '../../../renter/templates/templates.ts';
import {useSaving} from './use-saving.ts';

type Props = ScreenProps & {
	readonly destination: Extract<Destination, {readonly name: 'template-edit'}>;
};

/** Makes a template, or changes one. */
export function TemplateEditScreen({destination, ...props}: Props) {
	const {from, isCopy, content} = destination;
	const {client} = useServices();
	const store = draftAt(props.place);
	const draft = useStore(store);
	const {data, error, isFetching} = useQuery({
		...templateQuery(client, from ?? 0),
		// What was seen of it earlier may be old, and would be overwritten with itself.
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
		holdingAt(props.place).lost = () => lostWith(store.get());
	}, [props.place, store]);
	if (draft !== undefined) return <Editor {...props} draft={draft} onDraft={store.set} />;
	const room = {width: props.size.columns, height: props.size.rows};
	if (data === null) return <Notice title={`Template ${from} is gone.`} {...room} />;
	if (error !== null) return <Notice title={sentence(error.message)} {...room} />;
	return <Notice title={`Asking for template ${from ?? ''}`} {...room} />;
}

/** Draft that is lost when the program ends now. */
function lostWith(draft: Draft | undefined): string | undefined {
	const changes = draft === undefined ? '' : describeChanges(draft);
	return changes === '' ? undefined : `a template has ${changes}`;
}

type EditorProps = ScreenProps & {
	readonly draft: Draft;
	readonly onDraft: (draft: Draft) => void;
};

/** Title, two rules, and what would be sent in two lines. */
const LINES_AROUND = 5;

function Editor({draft, onDraft, router, size, say}: EditorProps) {
	const {aside, environment} = useTerminal();
	const [overlay, setOverlay] = useState<EditOverlay>();
	const leave = () => void router.back();
	const onChanged = (present: Extract<EditOverlay, {kind: 'changed'}>['present']) =>
		setOverlay({kind: 'changed', present});
	const onSaved = (hash: string) => {
		const listed = router.stack.get().find(({destination}) => destination.name === 'templates');
		if (listed !== undefined) savedAt(listed).set(hash);
		leave();
	};
	const save = useSaving({say, onSaved, onChanged});
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
				{spread(columns, printable(titleOf(draft)), describeChanges(draft))}
			</Text>
			{rule}
			<Box height={height} flexShrink={0} overflow="hidden">
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
			</Box>
			{rule}
			<Text wrap="truncate">{saving.join('\n')}</Text>
		</Box>
	);
}

const describeField: Describe = (field, state) => {
	const text = valueOf(state, field.id);
	const value = field.kind === 'flag' ? checkbox(state, field.id) : shown(field, text);
	const before = valueOf({values: state.initial}, field.id);
	const isNew = !isChanged(state, field.id);
	return {
		value,
		note: isNew ? ruleOf(field) : `was ${before === '' ? 'empty' : shown(field, before)}`,
	};
};

function ruleOf({id}: FormField): string {
	return templateFields.find(field => field.id === id)?.rule ?? '';
}

function shown({id, kind}: FormField, text: string): string {
	if (id === 'env') {
		const entries = parseEnv(text);
		return entries.length === 0 ? 'none' : `${entries.length}: ${envNames(entries)}`;
	}
	if (id === 'onstart') return text === '' ? 'none' : `${lengthOf(text)} of ${LONGEST_ONSTART}`;
	if (kind === 'long') return text === '' ? 'none' : `${lengthOf(text)} characters`;
	if (kind === 'secret') return text === '' ? '' : '*'.repeat(8);
	if (kind === 'flag') return text;
	return text;
}
