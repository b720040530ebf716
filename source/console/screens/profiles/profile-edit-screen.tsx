import {Text, Box} from 'ink';
import {homeFolder} from '../../../renter/files/folders.ts';
import {abilitiesOf} from '../../../renter/profiles/check.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {TerminalEnvironment} from '../../ui/theme.ts';
import {useEffect, useState} from 'react';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {Form, FormLetters} from '../../ui/form.tsx';
import type {FormActions} from '../../ui/form-target.ts';
import {changedFields, unsavedText, type FormField, type FormState} from '../../ui/form-state.ts';
import {useStore} from '../../ui/painted.tsx';
import {isListening, listeningFrom} from '../../ui/confirmation.ts';
import {sentence} from '../../../renter/text/format.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices, useTerminal, useTime} from '../../services/services.tsx';
import type {ProfileSwitcher} from '../../services/profile-switcher.ts';
import {holdingAt, isBehind, keptByStackEntry, type ScreenProps} from '../../services/router.ts';
import {createStore, type Store} from '../../../renter/state/store.ts';
import {editField} from '../edit-field.ts';
import {DiscardDraft, FieldChoice} from '../dialogs.tsx';
import {profileEditBindings, checkResultBindings} from './profiles.ts';
import {
	newProfileForm,
	profileForm,
	profileSpec,
	type FoundKeySources,
	describeProfileField,
} from './profile-form.ts';
import {useSaveProfile, type Checked, type EditedProfile} from './use-save-profile.ts';

const editingAt = keptByStackEntry(() => createStore<Editing | undefined>(undefined));

type Props = ScreenProps & {
	/** The profile that is changed; undefined for a new one. */
	readonly profile: string | undefined;
};

type Editing = EditedProfile & {readonly overlay: Store<Overlay | undefined>};

type Overlay =
	| {readonly kind: 'choice'; readonly field: FormField}
	| {readonly kind: 'leave'}
	| {readonly kind: 'checked'; readonly checked: Checked};

/** Makes a profile, or changes one; a new user starts here. */
export function ProfileEditScreen({stackEntry, router, size, say, profile}: Props) {
	const {switcher} = useServices();
	const {environment} = useTerminal();
	const [found] = useState(() => findKeys(environment));
	const [editing] = useState(() => openEditing(stackEntry, switcher, profile, found));
	const {form} = editing;
	const overlay = useStore(editing.overlay);
	const setOverlay = editing.overlay.set;
	useEffect(() => {
		holdingAt(stackEntry).lost = () => {
			const changes = unsavedText(profileSpec(form.get()), form.get());
			return changes === '' ? undefined : `a profile has ${changes}`;
		};
	}, [stackEntry, form]);
	const leave = () => void router.back();
	const keeping = useSaveProfile({
		editing,
		say,
		onChecked(checked) {
			setOverlay({kind: 'checked', checked});
			if (!isBehind(router, stackEntry)) return;
			const {name} = checked.profile;
			say({text: `The key of ${name} is checked: its form shows what it can do.`, isError: false});
		},
		onSaved: leave,
	});
	if (overlay !== undefined) {
		return (
			<OverlayView
				{...{form, overlay, profile, size, say}}
				onDiscard={leave}
				onUse={checked => keeping.use(checked)}
				onClose={() => setOverlay(undefined)}
			/>
		);
	}
	const askToLeave = () => {
		if (changedFields(profileSpec(form.get()), form.get()).length === 0) leave();
		else setOverlay({kind: 'leave'});
	};
	const actions = {
		onOpen: (field: FormField) => setOverlay({kind: 'choice', field}),
		onPress: (button: string) => (button === 'check' ? void keeping.check() : keeping.save()),
		onLeave: askToLeave,
	};
	return (
		<KeyScope title="Profile editor" bindings={profileEditBindings} target={{leave: askToLeave}}>
			<Fields form={form} found={found} name={profile} size={size} say={say} actions={actions} />
		</KeyScope>
	);
}

type OverlayProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly form: Store<FormState>;
	readonly overlay: Overlay;
	readonly profile: string | undefined;
	readonly onDiscard: () => void;
	readonly onUse: (checked: Checked) => void;
	readonly onClose: () => void;
};

function OverlayView({overlay, form, profile, size, say, ...actions}: OverlayProps) {
	const {onDiscard, onUse, onClose} = actions;
	switch (overlay.kind) {
		case 'choice':
			return <FieldChoice {...{form, size, onClose}} field={overlay.field} />;
		case 'checked':
			return (
				<CheckResult
					checked={overlay.checked}
					size={size}
					onUse={() => onUse(overlay.checked)}
					onBack={onClose}
				/>
			);
		case 'leave':
			return (
				<DiscardDraft
					draft={{id: profile ?? 'new profile', name: '', detail: ''}}
					means="What was typed here is lost, a pasted key too. What was kept before stays as it is."
					size={size}
					say={say}
					onDiscard={onDiscard}
					onCancel={onClose}
				/>
			);
	}
}

/**
 * Opens the form. A draft outlives a visit to another screen; a pasted key too, only in memory. So
 * does a check, which may be answered meanwhile.
 */
function openEditing(
	stackEntry: ScreenProps['stackEntry'],
	switcher: ProfileSwitcher,
	name: string | undefined,
	found: FoundKeySources,
): Editing {
	const store = editingAt(stackEntry);
	const kept = store.get();
	if (kept !== undefined) return kept;
	switcher.book.reread();
	const known = switcher.book.profiles.get().find(profile => profile.name === name);
	const editing: Editing = {
		form: createStore(known === undefined ? newProfileForm(found) : profileForm(known)),
		overlay: createStore<Overlay | undefined>(undefined),
		before: name,
		isChecking: createStore(false),
	};
	store.set(editing);
	return editing;
}

type FieldsProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly form: Store<FormState>;
	readonly found: FoundKeySources;
	readonly name: string | undefined;
	readonly actions: Omit<FormActions, 'onEditor'>;
};

const welcome = [
	' rentty needs an API key to rent with. Where is it?',
	' Nothing is read or sent before you press a button. Esc goes on with practice.',
];

function Fields({form, found, name, size, say, actions}: FieldsProps) {
	const {theme} = useServices();
	const {aside, environment} = useTerminal();
	const state = useStore(form);
	const {columns, rows} = size;
	const intro = name === undefined ? welcome : [];
	const height = rows - 2 - intro.length;
	async function edit(field: FormField): Promise<void> {
		const spec = profileSpec(form.get());
		const outside = {aside, environment};
		const problem = await editField(outside, {spec, form, field, file: 'settings.json'});
		if (problem !== undefined) say({text: sentence(problem), isError: true});
	}
	const title = name === undefined ? 'Profiles > new' : `Profiles > ${name}`;
	return (
		<Box flexDirection="column">
			<Text wrap="truncate">{spread(columns, title, 'the key is never shown')}</Text>
			<Text wrap="truncate">{[ruleLine(theme, columns), ...intro].join('\n')}</Text>
			<Box height={height} flexShrink={0} overflow="hidden">
				<FormLetters>
					<Form
						title="Form"
						spec={profileSpec(state)}
						form={form}
						describe={describeProfileField(found)}
						theme={theme}
						width={columns}
						height={height}
						onEditor={field => void edit(field)}
						{...actions}
					/>
				</FormLetters>
			</Box>
		</Box>
	);
}

/** Searches existing keys. No file is read before the user agrees. */
function findKeys(environment: TerminalEnvironment): FoundKeySources {
	const {RENTTY_API_KEY: variable, RENTTY_URL: url = '', HOME: home = homeFolder()} = environment;
	const files = [join(home, '.config', 'vastai', 'vast_api_key'), join(home, '.vast_api_key')];
	return {
		hasVariable: variable !== undefined && variable !== '',
		file: files.find(file => existsSync(file)),
		url,
	};
}

type CheckProps = Pick<ScreenProps, 'size'> & {
	readonly checked: Checked;
	readonly onUse: () => void;
	readonly onBack: () => void;
};

function CheckResult({checked: {profile, check}, size: {columns}, onUse, onBack}: CheckProps) {
	const {theme} = useServices();
	const {now} = useTime();
	const {linkMs} = useTerminal();
	const moment = () => ({nowMs: now().getTime(), linkMs: linkMs()});
	const [seen] = useState(() => ({listensFrom: listeningFrom(moment())}));
	const [dropped, setDropped] = useState(0);
	const abilities = abilitiesOf(check);
	const lacks = abilities.filter(({can}) => can === 'no');
	const drawn = [
		spread(columns, `Profiles > ${profile.name}`, 'the service answered'),
		ruleLine(theme, columns),
		'',
		theme.style('heading', ` ${fit('WHAT THE KEY CAN DO', 24)}HOW WE KNOW`),
		...abilities.map(({what, can, how}) =>
			fit(`  ${fit(what, 19)}${fit(can, 4)}${printable(how)}`, columns),
		),
		'',
		fit('  ? = not tried: no call says what a key may do before it is tried.', columns),
		lacks.length === 0
			? ''
			: fit(`  Without ${lacks.map(({what}) => what).join(', ')} the rest works.`, columns),
		'',
		fit('  Nothing is charged before you press y on a review.', columns),
		fit(
			dropped === 0 ? '' : `  Keys typed before this was read were dropped (${dropped}).`,
			columns,
		),
	];
	const listening = (act: () => void) => () =>
		isListening(seen, moment()) ? act() : setDropped(dropped + 1);
	return (
		<KeyScope
			isModal
			title="Checked key"
			bindings={checkResultBindings}
			target={{use: listening(onUse), back: listening(onBack)}}
		>
			<Text wrap="truncate">{drawn.join('\n')}</Text>
		</KeyScope>
	);
}
