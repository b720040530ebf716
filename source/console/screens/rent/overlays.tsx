import {useQueryClient} from '@tanstack/react-query';
import {useState} from 'react';
import {Box, Text} from 'ink';
import {Choice} from '../../ui/dialog.tsx';
import {useServices, useTerminal} from '../../services/services.tsx';
import {DiscardDraft, FieldChoice, notifyOutcome} from '../dialogs.tsx';
import {ChooseKey} from '../keys/choose-key.tsx';
import {keysKey} from '../../queries/account.ts';
import type {ScreenProps} from '../../services/router.ts';
import {refreshAround} from './reviewing.ts';
import type {Renting} from './rent-state.ts';
import {parseEnv, layEnv} from '../../../contract/rules/env.ts';
import {changedFields, setValue, fieldValueOf, type FormField} from '../../ui/form-state.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {EnvEditor} from '../templates/env-editor.tsx';
import {TemplatePicker} from '../templates/templates-screen.tsx';
import {previewBindings} from './bindings.ts';
import type {OrderCheck} from '../../../renter/orders/check.ts';
import {rentSpec, layTemplate, toReviewIfComplete} from './rent-form.ts';
import type {Preview} from '../../../renter/orders/preview.ts';
import {previewLines} from './preview-lines.ts';
import {asCommand, asCurl, requestJson} from '../../../renter/orders/request-text.ts';
import {ownEntries, readEnv, writeEnv} from '../../../renter/orders/form-env.ts';

type RegisterProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly renting: Renting;
	readonly onClose: () => void;
};

/** Registers an SSH key, in place of the rent form, whose draft stays as it is. */
function RegisterKey({renting, size, say, onClose}: RegisterProps) {
	const live = useQueryClient();
	const {sshKeys, localKeys, newKeyFile} = renting.rent.facts.get();
	async function register(key: () => Promise<string>): Promise<void> {
		await notifyOutcome(say, async () => {
			const text = await key();
			await (await renting.services.client()).sshKeys.create(text);
			await refreshAround(renting);
			return 'The key is registered: what is rented from now on lets it in.';
		});
		await live.invalidateQueries({queryKey: keysKey});
	}
	return (
		<ChooseKey
			title="Register an SSH key"
			local={localKeys}
			registered={sshKeys ?? []}
			newFile={newKeyFile}
			size={size}
			onKey={key => void register(key)}
			onClose={onClose}
		/>
	);
}

export type RentOverlay =
	| {readonly kind: 'template' | 'env' | 'key' | 'copy' | 'preview'}
	/** Leaving, which may lose the draft. */
	| {readonly kind: 'leave'; readonly go: () => void}
	| {readonly kind: 'choice'; readonly field: FormField};

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly renting: Renting;
	readonly overlay: RentOverlay;
	readonly preview: Preview;
	readonly checks: readonly OrderCheck[];
	readonly onClose: () => void;
	readonly onCopy: () => void;
};

export function RentOverlayPart(props: Props) {
	const {renting, overlay, size, say, onClose} = props;
	const {form} = renting.rent;
	switch (overlay.kind) {
		case 'template':
			return (
				<TemplatePicker
					size={size}
					say={say}
					onPick={template => {
						layTemplate(renting, template);
						toReviewIfComplete(renting);
						onClose();
					}}
					onClose={onClose}
				/>
			);
		case 'env':
			return <EnvPart {...props} />;
		case 'key':
			return <RegisterKey {...{renting, size, say, onClose}} />;
		case 'copy':
			return <CopyPart {...props} />;
		case 'preview':
			return <PreviewPart {...props} />;
		case 'leave':
			return <LeavePart {...props} go={overlay.go} />;
		case 'choice':
			return <FieldChoice form={form} field={overlay.field} size={size} onClose={onClose} />;
	}
}

/** The merged environment; entries that differ from the template are the renter's. */
function EnvPart({renting, preview, size, say, onClose}: Props) {
	const {form} = renting.rent;
	const template = parseEnv(preview.content?.env ?? '');
	return (
		<EnvEditor
			env={layEnv(template, readEnv(fieldValueOf(form.get(), 'env')))}
			size={size}
			onDone={env => {
				form.set(setValue(form.get(), 'env', writeEnv(ownEntries(env, template))));
				onClose();
				const kept = new Set(env.map(([key]) => key));
				const stays = template.map(([key]) => key).filter(key => !kept.has(key));
				if (stays.length === 0) return;
				const text = `${stays.join(', ')}: the template's, and stays. A request can change it, but not take it away.`;
				say({text, isError: false});
			}}
		/>
	);
}

const forms = ['as a rentty command', 'as curl', 'as JSON'] as const;

/** The request as a text to use elsewhere, without the key and other secrets. */
function CopyPart({renting, preview: {order}, size, onClose}: Props) {
	const {theme} = useServices();
	const {typeToInk, copy} = useTerminal();
	const {id} = renting.rent.facts.get().offer;
	return (
		<Choice
			title="copy the request, secrets as ***"
			choices={forms}
			chosen={forms[0]}
			theme={theme}
			size={size}
			onType={typeToInk}
			onChoose={form => {
				onClose();
				if (order === undefined) return;
				if (form === 'as curl') copy(asCurl(id, order));
				else if (form === 'as JSON') copy(requestJson(order));
				else copy(asCommand(id, order));
			}}
			onClose={onClose}
		/>
	);
}

/** Merge, cost, checks and request in place of the form. */
function PreviewPart({renting, preview, checks, size, onClose, onCopy}: Props) {
	const {theme} = useServices();
	const [top, setTop] = useState(0);
	const facts = renting.rent.facts.get();
	const lines = previewLines({facts, preview, checks}, {theme, width: size.columns});
	const last = Math.max(0, lines.length - size.rows);
	const shown = Math.min(top, last);
	return (
		<KeyScope
			isModal
			title="Preview"
			bindings={previewBindings}
			target={{
				close: onClose,
				copy: onCopy,
				scroll: (by: number) => setTop(Math.max(0, Math.min(shown + by, last))),
			}}
		>
			<Box height={size.rows} flexShrink={0} overflow="hidden">
				<Text wrap="truncate">{lines.slice(shown, shown + size.rows).join('\n')}</Text>
			</Box>
		</KeyScope>
	);
}

type LeaveProps = Props & {readonly go: () => void};

function LeavePart({renting, size, say, onClose, go}: LeaveProps) {
	const {form, facts} = renting.rent;
	const changed = changedFields(rentSpec(form.get().values), form.get());
	return (
		<DiscardDraft
			draft={{
				id: facts.get().offer.id,
				name: fieldValueOf(form.get(), 'label'),
				detail: `changed: ${changed.map(({label}) => label).join(', ')}`,
			}}
			means="What was typed here is lost. Nothing was rented."
			size={size}
			say={say}
			onDiscard={go}
			onCancel={onClose}
		/>
	);
}
