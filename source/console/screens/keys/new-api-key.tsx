import type {Profile} from '../../../renter/profiles/profile.ts';
import {messageOf} from '../../../contract/rules/thrown.ts';
import {formScopeBindings} from './bindings.ts';
import {Box, Text} from 'ink';
import {useState} from 'react';
import {permissions} from '../../../contract/grammar/permissions.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {checkbox, Form} from '../../ui/form.tsx';
import {
	changedFields,
	findProblem,
	goToField,
	openForm,
	withFieldProblem,
	fieldValueOf,
	type FormField,
	type FormSpec,
	type FormState,
	type FormValues,
} from '../../ui/form-state.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {type Services, useServices} from '../../services/services.tsx';
import {createStore} from '../../../renter/state/store.ts';
import {DiscardDraft} from '../dialogs.tsx';
import type {ScreenProps} from '../../services/router.ts';

type Wanted = {readonly name: string; readonly permissions?: Readonly<Record<string, true>>};

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	/** A form that was sent, and refused. */
	readonly opened: FormState | undefined;
	readonly onCreate: (wanted: Wanted, form: FormState) => Promise<void>;
	readonly onClose: () => void;
};

const EVERYTHING = 'everything';

const spec: FormSpec = {
	fields: [
		{
			id: 'name',
			label: 'name',
			kind: 'text',
			problem: text => (text.trim() === '' ? 'a name says later what it is for' : undefined),
		},
		{id: EVERYTHING, label: EVERYTHING, kind: 'flag'},
		...permissions.map((id): FormField => ({id, label: id, kind: 'flag'})),
	],
	buttons: [{id: 'create', title: 'Create the key'}],
};

const reads: ReadonlySet<string> = new Set(['instance_read', 'user_read', 'misc']);

/** Rights of the new key; a monitor that stays open needs only to read. */
const usual: FormValues = {
	name: '',
	[EVERYTHING]: 'no',
	...Object.fromEntries(permissions.map(id => [id, reads.has(id) ? 'yes' : 'no'] as const)),
};

export function NewApiKey({size: {columns, rows}, say, opened, onCreate, onClose}: Props) {
	const {theme} = useServices();
	const [form] = useState(() => createStore(opened ?? openForm(spec, usual)));
	const [isLeaving, setLeaving] = useState(false);
	const leave = () => {
		if (changedFields(spec, form.get()).length === 0) onClose();
		else setLeaving(true);
	};
	if (isLeaving) {
		return (
			<DiscardDraft
				draft={{id: 'new API key', name: fieldValueOf(form.get(), 'name'), detail: ''}}
				means="What was typed here is lost. No key is made."
				size={{columns, rows}}
				say={say}
				onDiscard={onClose}
				onCancel={() => setLeaving(false)}
			/>
		);
	}
	function create(): void {
		const found = findProblem(spec, form.get()) ?? nothingChosen(form.get());
		if (found === undefined) return void onCreate(wantedOf(form.get()), form.get());
		form.set(withFieldProblem(goToField(spec, form.get(), found.id), found.id, found.problem));
		say({text: `Nothing was sent. ${found.id}: ${found.problem}.`, isError: true});
	}
	return (
		<KeyScope isModal title="New API key" bindings={formScopeBindings} target={{leave}}>
			<Box flexDirection="column">
				<Text wrap="truncate">{spread(columns, 'Keys > new API key', 'shown once')}</Text>
				<Text wrap="truncate">{ruleLine(theme, columns)}</Text>
				<Form
					title="Form"
					spec={spec}
					form={form}
					describe={describe}
					theme={theme}
					width={columns}
					height={rows - 2}
					onOpen={() => {}}
					onEditor={() => {}}
					onPress={create}
					onLeave={leave}
				/>
			</Box>
		</KeyScope>
	);
}

function nothingChosen(state: FormState) {
	const isChosen = [EVERYTHING, ...permissions].some(id => fieldValueOf(state, id) === 'yes');
	return isChosen ? undefined : {id: EVERYTHING, problem: 'a key that may do nothing is of no use'};
}

function wantedOf(state: FormState): Wanted {
	const name = fieldValueOf(state, 'name').trim();
	// An empty list of rights means all of them.
	if (fieldValueOf(state, EVERYTHING) === 'yes') return {name};
	const chosen = permissions.filter(id => fieldValueOf(state, id) === 'yes');
	return {name, permissions: Object.fromEntries(chosen.map(id => [id, true] as const))};
}

const notes: Readonly<Record<string, string>> = {
	name: 'what it is for',
	[EVERYTHING]: 'also what is not named here',
	instance_read: 'list and watch instances',
	instance_write: 'rent, stop, destroy: it spends',
	user_read: 'read account, keys, templates',
	user_write: 'change keys and templates',
	billing_read: 'read what was charged',
	billing_write: 'pay, and move money',
	machine_read: 'for hosts: read machines',
	machine_write: 'for hosts: change machines',
	misc: 'search offers',
	team_read: 'for teams: read members',
	team_write: 'for teams: change members',
};

function describe({id, kind}: FormField, state: FormState) {
	const value = kind === 'flag' ? checkbox(state, id) : fieldValueOf(state, id);
	return {value, note: notes[id] ?? ''};
}

type NewKey = {
	readonly name: string;
	readonly value: string;
	/** The console itself uses the key. */
	readonly isInUse: boolean;
};

/** Shows the value of a new key, or of one that was reset: the only time that it is ever drawn. */
export function showApiKey(
	{terminal: {secrets}, switcher}: Pick<Services, 'switcher' | 'terminal'>,
	{name, value, isInUse}: NewKey,
): void {
	const kept = isInUse ? keepForProfile({switcher}, value) : {};
	const {profile} = kept;
	switcher.isRenewed.set(switcher.isRenewed.get() || profile !== undefined);
	secrets.show({
		title: `API KEY ${name}`,
		secret: value,
		lines: [...aboutProfile(kept, isInUse), ...(profile === undefined ? [ONCE] : [])],
		fileName: `api-key-${name}`,
		isSafe: profile !== undefined,
		...(profile !== undefined && {onLeft: () => switcher.open({kind: 'profile', profile})}),
	});
}

const ONCE = 'The service never says it again, and rentty keeps it nowhere.';

/** The profile with its new key, where rentty keeps that; or why it could not be kept. */
type Kept = {readonly profile?: Profile; readonly problem?: string};

/** At once, since the old value has ended. */
function keepForProfile(
	{switcher: {target, book}}: Pick<Services, 'switcher'>,
	value: string,
): Kept {
	if (target.kind !== 'profile') return {};
	const {key, name} = target.profile;
	if (key.kind !== 'file' || !book.isOwnKey(key.file)) return {};
	// As other windows have it by now: renamed, changed, or removed.
	book.reread();
	const holders = book.profiles
		.get()
		.filter(one => one.key.kind === 'file' && one.key.file === key.file);
	const profile = holders.find(one => one.name === name) ?? holders[0];
	if (profile === undefined) return {};
	try {
		const file = book.keepKey(profile.name, value);
		const renewed: Profile = {...profile, key: {kind: 'file', file}};
		// A renamed profile has its key under the former name.
		if (file !== key.file) book.save(renewed, profile.name);
		return {profile: renewed};
	} catch (error) {
		return {problem: messageOf(error)};
	}
}

function aboutProfile({profile, problem}: Kept, isInUse: boolean): readonly string[] {
	if (profile !== undefined)
		return ['It is the key of this profile, and rentty has kept it there.'];
	const refused = 'rentty uses it too: until it has the new value, every call is refused.';
	if (problem !== undefined) {
		return [`It is the key of this profile, and could not be kept there (${problem}).`, refused];
	}
	return isInUse ? [refused] : [];
}
