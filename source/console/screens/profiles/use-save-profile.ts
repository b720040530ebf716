import {messageOf} from '../../../contract/rules/thrown.ts';
import {
	findProblem,
	goToField,
	isTypedSince,
	rebaseForm,
	withFieldProblem,
	fieldValueOf,
	type FormState,
} from '../../ui/form-state.ts';
import {sentence} from '../../../renter/text/format.ts';
import {isAccepted, type ProfileCheck} from '../../../renter/profiles/check.ts';
import type {ProfileSwitcher} from '../../services/profile-switcher.ts';
import type {Profile} from '../../../renter/profiles/profile.ts';
import {targetName} from '../../../renter/profiles/target.ts';
import type {Destination, ScreenProps} from '../../services/router.ts';
import {useServices, useTerminal} from '../../services/services.tsx';
import type {Store} from '../../../renter/state/store.ts';
import type {TerminalEnvironment} from '../../ui/theme.ts';
import {keySourceOf, profileForm, profileSpec, readForm} from './profile-form.ts';

export type Checked = {readonly profile: Profile; readonly check: ProfileCheck};

/** A profile in its form, also while another screen is shown. */
export type EditedProfile = {
	readonly form: Store<FormState>;
	/** The name under which it is kept; undefined for a new one. */
	before: string | undefined;
	readonly isChecking: Store<boolean>;
};

type Around = Pick<ScreenProps, 'say'> & {
	readonly editing: EditedProfile;
	readonly onChecked: (checked: Checked) => void;
	readonly onSaved: () => void;
};

export function useSaveProfile(around: Around) {
	const {switcher} = useServices();
	const {environment} = useTerminal();
	const {editing, say, onChecked, onSaved} = around;
	const {form} = editing;
	return {
		async check(): Promise<void> {
			if (editing.isChecking.get() || isUnfit(switcher, around)) return;
			editing.isChecking.set(true);
			say({text: 'Asking the service by three harmless reads', isError: false});
			try {
				const sent = form.get();
				const profile = readForm(sent, '');
				const key = await keyFor(profile, sent, environment);
				const found = await switcher.tryKey(profile, key);
				if (typeof found === 'string') sayWrong(say, found);
				else if (!isAccepted(found))
					sayWrong(say, `Not kept: ${found.reads[0]?.problem ?? 'the server did not say why'}`);
				else if (isTypedSince(profileSpec(form.get()), form.get(), sent))
					sayWrong(say, 'Not kept: what was checked was changed meanwhile. Check it again.');
				else onChecked({profile, check: found});
			} catch (error) {
				sayWrong(say, error);
			}
			editing.isChecking.set(false);
		},
		save(): void {
			const {before} = editing;
			const profile = keep(switcher, around);
			if (profile === undefined) return;
			// The open profile is opened anew, so that every screen shows its new values.
			if (targetName(switcher.target) === before) return switcher.open({kind: 'profile', profile});
			say({text: `Profile ${profile.name} is saved. Enter uses it.`, isError: false});
			onSaved();
		},
		use({check: {reads}}: Checked): void {
			const profile = keep(switcher, around);
			if (profile === undefined) return;
			const hasInstances = reads.some(({name, found = 0}) => name === 'instances' && found > 0);
			const start: Destination = {name: hasInstances ? 'instances' : 'offers'};
			switcher.open({kind: 'profile', profile}, start);
		},
	};
}

/** Shows the first problem at its field, before anything is read or sent. */
function isUnfit(switcher: ProfileSwitcher, {editing: {form, before}, say}: Around): boolean {
	const spec = profileSpec(form.get());
	const found = findProblem(spec, form.get()) ?? nameTaken(switcher, form.get(), before);
	if (found === undefined) return false;
	form.set(withFieldProblem(goToField(spec, form.get(), found.id), found.id, found.problem));
	const label = spec.fields.find(({id}) => id === found.id)?.label ?? found.id;
	say({text: `Nothing was read or sent. ${label}: ${sentence(found.problem)}`, isError: true});
	return true;
}

function nameTaken({book}: ProfileSwitcher, form: FormState, before: string | undefined) {
	const name = fieldValueOf(form, 'name').trim();
	const isTaken = book.profiles.get().some(profile => profile.name === name);
	return isTaken && name !== before
		? {id: 'name', problem: 'there is a profile of that name already'}
		: undefined;
}

async function keyFor(
	profile: Profile,
	form: FormState,
	environment: TerminalEnvironment,
): Promise<string> {
	if (keySourceOf(form) === 'paste') return fieldValueOf(form, 'paste').trim();
	const {findKey} = await import('../../../renter/profiles/find-key.ts');
	return findKey(profile.key, environment);
}

/**
 * Lays the changes of the form over the profile as it is in the file by now, as other windows change
 * it; false for one that was removed there.
 */
function rebaseOnPresent({book}: ProfileSwitcher, {form, before}: EditedProfile): boolean {
	book.reread();
	const present = book.profiles.get().find(({name}) => name === before);
	if (present !== undefined) form.set(rebaseForm(form.get(), profileForm(present).values));
	return present !== undefined || before === undefined;
}

/** Writes the profile, and its key where that was pasted; undefined if it could not be kept. */
function keep(switcher: ProfileSwitcher, around: Around): Profile | undefined {
	const {editing, say} = around;
	const {form, before} = editing;
	if (!rebaseOnPresent(switcher, editing)) {
		editing.before = undefined;
		sayWrong(say, `Not kept: ${before} was removed in another window. Saving again makes it anew`);
		return undefined;
	}
	if (isUnfit(switcher, around)) return undefined;
	try {
		const isPasted = keySourceOf(form.get()) === 'paste';
		const name = fieldValueOf(form.get(), 'name').trim();
		const file = isPasted
			? switcher.book.keepKey(name, fieldValueOf(form.get(), 'paste').trim())
			: '';
		const profile = readForm(form.get(), file);
		switcher.book.save(profile, before);
		form.set({...form.get(), initial: form.get().values});
		editing.before = profile.name;
		return profile;
	} catch (error) {
		sayWrong(say, error);
		return undefined;
	}
}

function sayWrong(say: Around['say'], error: unknown): void {
	const text = messageOf(error);
	say({text: sentence(text), isError: true});
}
