import {Box, Text} from 'ink';
import {useState, useSyncExternalStore} from 'react';
import {ruleLine, spread} from '../../chrome.ts';
import {Choice} from '../../components/choice.tsx';
import {Form} from '../../components/form.tsx';
import type {FormActions} from '../../components/form.tsx';
import {goToField, refuse, setValue, valueOf} from '../../components/form-state.ts';
import type {FormField, FormState} from '../../components/form-state.ts';
import {sentence} from '../../format.ts';
import {KeyScope} from '../../key-scope.tsx';
import {useServices} from '../../services.tsx';
import type {Desk} from '../../profiles/desk.ts';
import {kept} from '../../router.ts';
import {createStore} from '../../store.ts';
import type {Store} from '../../store.ts';
import {editOutside} from '../external-editor.ts';
import type {ScreenProps} from '../place.ts';
import {profileEditBindings} from './bindings.ts';
import {CheckResult} from './check-result.tsx';
import {describeProfileField} from './describe-profile.ts';
import {findKeys} from './found-keys.ts';
import {newProfileForm, profileForm, profileSpec} from './profile-form.ts';
import type {Found} from './profile-form.ts';
import {useKeeping} from './use-keeping.ts';
import type {Checked} from './use-keeping.ts';

const formAt = kept(() => createStore<Store<FormState> | undefined>(undefined));

type Props = ScreenProps & {
	/** The profile that is changed; undefined for a new one. */
	readonly profile: string | undefined;
};

/** Makes a profile, or changes one. For a new user it is where everything begins. */
export function ProfileEditScreen({place, router, size, say, profile}: Props) {
	const {desk, environment, theme, typeToInk} = useServices();
	const [found] = useState(() => findKeys(environment));
	const [form] = useState(() => openedForm(place, desk, profile, found));
	const [choosing, setChoosing] = useState<FormField>();
	const [checked, setChecked] = useState<Checked>();
	const leave = () => void router.back();
	const keeping = useKeeping({
		form,
		before: profile,
		say,
		onChecked: setChecked,
		onSaved: leave,
	});
	if (checked !== undefined) {
		const again = () => setChecked(undefined);
		return (
			<CheckResult
				checked={checked}
				size={size}
				onUse={() => keeping.use(checked)}
				onBack={again}
			/>
		);
	}
	if (choosing !== undefined) {
		const close = () => setChoosing(undefined);
		return (
			<Choice
				title={choosing.label}
				choices={choosing.choices ?? []}
				chosen={valueOf(form.get(), choosing.id)}
				theme={theme}
				size={size}
				onType={typeToInk}
				onChoose={value => {
					form.set(setValue(form.get(), choosing.id, value));
					close();
				}}
				onClose={close}
			/>
		);
	}
	const actions = {
		onOpen: setChoosing,
		onPress: (button: string) => (button === 'check' ? void keeping.check() : keeping.save()),
		onLeave: leave,
	};
	return (
		<KeyScope title="Profile editor" bindings={profileEditBindings} target={{leave}}>
			<Fields form={form} found={found} name={profile} size={size} say={say} actions={actions} />
		</KeyScope>
	);
}

/** What was typed outlives a look elsewhere; a pasted key too, in memory alone. */
function openedForm(
	place: ScreenProps['place'],
	desk: Desk,
	name: string | undefined,
	found: Found,
): Store<FormState> {
	const store = formAt(place);
	const known = desk.book.profiles.get().find(profile => profile.name === name);
	const form =
		store.get() ?? createStore(known === undefined ? newProfileForm(found) : profileForm(known));
	store.set(form);
	return form;
}

type FieldsProps = Pick<ScreenProps, 'size' | 'say'> & {
	readonly form: Store<FormState>;
	readonly found: Found;
	readonly name: string | undefined;
	readonly actions: Omit<FormActions, 'onEditor'>;
};

const welcome = [
	' rentty needs an API key to rent with. Where is it?',
	' Nothing is read or sent before you press a button. Esc goes on with practice.',
];

function Fields({form, found, name, size, say, actions}: FieldsProps) {
	const {theme, aside, environment} = useServices();
	const state = useSyncExternalStore(form.subscribe, form.get);
	const {columns, rows} = size;
	const intro = name === undefined ? welcome : [];
	const height = rows - 2 - intro.length;
	async function edit(field: FormField): Promise<void> {
		const text = valueOf(form.get(), field.id);
		const edited = await editOutside({aside, environment, text, file: 'settings.json'});
		if ('problem' in edited) return say({text: sentence(edited.problem), isError: true});
		const wrong = field.problem?.(edited.text);
		const next = setValue(
			goToField(profileSpec(form.get()), form.get(), field.id),
			field.id,
			edited.text,
		);
		form.set(wrong === undefined ? next : refuse(next, field.id, wrong));
	}
	const title = name === undefined ? 'Profiles > new' : `Profiles > ${name}`;
	return (
		<Box flexDirection="column">
			<Text wrap="truncate">{spread(columns, title, 'the key is never shown')}</Text>
			<Text wrap="truncate">{[ruleLine(theme, columns), ...intro].join('\n')}</Text>
			<Box height={height} flexShrink={0} overflow="hidden">
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
			</Box>
		</Box>
	);
}
