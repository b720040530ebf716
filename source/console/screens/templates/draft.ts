import {answerStatus} from '../../list/unreadable.ts';
import {useQueryClient} from '@tanstack/react-query';
import type {TemplateContent, NewTemplate} from '../../../contract/nouns/template-content.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {
	changedFields,
	openForm,
	fieldValueOf,
	type FormState,
	findProblem,
	goToField,
	withFieldProblem,
	isTypedSince,
	rebaseForm,
	unsavedText,
	setValue,
} from '../../ui/form-state.ts';
import {keptByStackEntry, type ScreenProps} from '../../services/router.ts';
import {createStore, type Store} from '../../../renter/state/store.ts';
import {
	copyForm,
	templateSpecs,
	templateValues,
	type Purpose,
	changedContent,
	findRefusedField,
	wholeContent,
	wholeProblem,
} from './template-form.ts';
import {shortHash, type Uses} from '../../../renter/templates/templates.ts';
import {sentence} from '../../../renter/text/format.ts';
import {useServices, type Services} from '../../services/services.tsx';
import {printable} from '../../../renter/text/text-width.ts';
import {templatesKey, fetchTemplate, theTemplate} from '../../queries/templates.ts';
import type {Client} from '../../../client/client.ts';

export type Draft = {
	readonly purpose: Purpose;
	/** The edited template, as last read; undefined for a new one. */
	readonly opened: Template | undefined;
	readonly form: Store<FormState>;
};

export const draftAt = keptByStackEntry(() => createStore<Draft | undefined>(undefined));

/** A new template; known content counts as typed. */
export function newDraft(content: Partial<TemplateContent> = {}): Draft {
	const form = openForm(templateSpecs.create, templateValues(undefined));
	const values = templateValues(content);
	return {purpose: 'create', opened: undefined, form: createStore({...form, values})};
}

export function copyDraft(template: Template): Draft {
	return {purpose: 'create', opened: undefined, form: createStore(copyForm(template))};
}

export function editDraft(template: Template): Draft {
	const form = createStore(openForm(templateSpecs.edit, templateValues(template)));
	return {purpose: 'edit', opened: template, form};
}

export function rebase(draft: Draft, present: Template): Draft {
	draft.form.set(rebaseForm(draft.form.get(), templateValues(present)));
	return {...draft, opened: present};
}

/** Changes by others: "tag: 2.6 is now 2.7". */
export function changesElsewhere({opened}: Draft, present: Template): readonly string[] {
	const [before, now] = [templateValues(opened), templateValues(present)];
	const spec = templateSpecs.edit;
	const changed = spec.fields.filter(({id}) => before[id] !== now[id]);
	return changed.map(({id, label, kind}) =>
		kind === 'long'
			? `${label} is another`
			: `${label}: ${said(before[id])} is now ${said(now[id])}`,
	);
}

function said(text = ''): string {
	return text === '' ? 'empty' : text;
}

export function draftTitle({purpose, opened, form}: Draft): string {
	const name = fieldValueOf(form.get(), 'name');
	if (purpose === 'create') return `Templates > new ${name}`;
	return `Templates > edit ${opened?.name ?? name}`;
}

/** Effects of saving: a line each. */
export function describeSaving({purpose, opened, form}: Draft, uses: Uses): readonly string[] {
	if (purpose === 'create' || opened === undefined) {
		return ['Nothing is sent before Create.', 'Templates cost nothing.'];
	}
	const changed = changedFields(templateSpecs.edit, form.get()).map(({id}) => id);
	const usual = uses.isUsual ? '; your usual one follows' : '';
	const keep = uses.instances === 1 ? '1 instance keeps' : `${uses.instances} instances keep`;
	const others = uses.instances === 0 ? '' : `; ${keep} the old one`;
	return [
		`Saving makes a new hash in place of ${shortHash(opened.hash_id)}${usual}${others}.`,
		changed.length === 0
			? 'Nothing is changed.'
			: `Only changed fields are sent: ${changed.join(', ')}`,
	];
}

export function describeChanges({purpose, form}: Draft): string {
	return unsavedText(templateSpecs[purpose], form.get());
}

/** True while a save is under way, also while another screen is shown. */
const savingAt = keptByStackEntry(() => createStore(false));

type Around = Pick<ScreenProps, 'say' | 'stackEntry'> & {
	/** Called with the draft of what was typed since it was sent; without one, all is saved. */
	readonly onSaved: (hash: string, rest: Draft | undefined) => void;
	/** Called when the template was changed elsewhere: the user decides. */
	readonly onChanged: (present: Template) => void;
};

type Save = (draft: Draft, asCopy?: boolean) => Promise<void>;

/** Saves a draft, and shows the outcome. One save runs at a time. */
export function useSaving(around: Around): Save {
	const {client, settings} = useServices();
	const live = useQueryClient();
	const isSaving = savingAt(around.stackEntry);

	async function save(draft: Draft, asCopy: boolean): Promise<void> {
		const {opened, form, purpose} = draft;
		const isEdit = purpose === 'edit' && opened !== undefined && !asCopy;
		if (asCopy) nameCopy(draft);
		if (isUnfit(draft, around)) return;
		const changes = changedContent(templateSpecs[purpose], form.get());
		if (isEdit && Object.keys(changes).length === 0) {
			around.say({text: 'Nothing was changed, so nothing was sent.', isError: false});
			return;
		}
		around.say({text: 'Saving', isError: false});
		const sent = form.get();
		const saving = isEdit
			? await saveTemplate(client, opened, changes)
			: await createTemplate(client, wholeContent(sent));
		if (saving.kind === 'saved' && isEdit) followHash(settings, opened.hash_id, saving.hash);
		tell(saving, {draft, sent, before: isEdit ? opened : undefined}, around);
		await live.invalidateQueries({queryKey: templatesKey});
	}

	return async (draft, asCopy = false) => {
		if (isSaving.get()) {
			around.say({text: 'It is being saved already.', isError: false});
			return;
		}
		isSaving.set(true);
		try {
			await save(draft, asCopy);
		} finally {
			isSaving.set(false);
		}
	};
}

/** Settings for a template go on for its new version. */
function followHash(settings: Services['settings'], before: string, hash: string): void {
	const {templateHash, templateLeases} = settings.get();
	if (templateHash === before) settings.change({templateHash: hash});
	const {[before]: ends, ...others} = templateLeases;
	if (ends !== undefined) settings.change({templateLeases: {...others, [hash]: ends}});
}

/** A copy with equal content and name would be the same template. */
function nameCopy({form, opened}: Draft): void {
	const name = fieldValueOf(form.get(), 'name');
	if (name === opened?.name) form.set(setValue(form.get(), 'name', `${name} copy`));
}

/** Shows before sending, at its field, a value that the service would refuse. */
function isUnfit({form, purpose}: Draft, {say}: Around): boolean {
	const spec = templateSpecs[purpose];
	const found = findProblem(spec, form.get()) ?? wholeProblem(form.get());
	if (found === undefined) return false;
	form.set(withFieldProblem(goToField(spec, form.get(), found.id), found.id, found.problem));
	const label = spec.fields.find(({id}) => id === found.id)?.label ?? found.id;
	say({text: `Nothing was sent. ${label}: ${sentence(found.problem)}`, isError: true});
	return true;
}

type Sent = {
	readonly draft: Draft;
	readonly sent: FormState;
	/** The template that was edited; undefined for a new one. */
	readonly before: Template | undefined;
};

/** Changes that were typed since a template was sent, over what was saved; undefined for none. */
function typedSince(
	{draft: {opened, form}, sent}: Sent,
	{hash, id}: Extract<Saving, {kind: 'saved'}>,
): Draft | undefined {
	if (!isTypedSince(templateSpecs.edit, form.get(), sent)) return undefined;
	form.set({...form.get(), initial: sent.values});
	return {purpose: 'edit', opened: {...opened, ...wholeContent(sent), hash_id: hash, id}, form};
}

function tell(saving: Saving, sending: Sent, {say, onSaved, onChanged}: Around): void {
	const {
		draft: {form, purpose},
		before,
	} = sending;
	switch (saving.kind) {
		case 'saved': {
			const hash = shortHash(saving.hash);
			const was = before === undefined ? '' : ` in place of ${shortHash(before.hash_id)}`;
			const rest = typedSince(sending, saving);
			const more = rest === undefined ? '' : ' What you typed since then is not saved yet.';
			say({text: `Saved. Its hash is ${hash}${was}.${more}`, isError: false});
			return onSaved(saving.hash, rest);
		}
		case 'changed':
			return onChanged(saving.present);
		case 'gone':
			return say({
				text: 'Not saved: it was deleted elsewhere. Save as copy makes it anew.',
				isError: true,
			});
		case 'refused': {
			const field = findRefusedField(saving.serverSays ?? '');
			if (field !== undefined) {
				const spec = templateSpecs[purpose];
				const says = printable(saving.serverSays ?? '');
				const now = form.get();
				const at = now.editing === undefined ? goToField(spec, now, field) : now;
				form.set(withFieldProblem(at, field, says));
			}
			return say({text: `${sentence(saving.message)} What you typed is kept.`, isError: true});
		}
	}
}

type Saving =
	| {readonly kind: 'saved'; readonly hash: string; readonly id: number | undefined}
	| {readonly kind: 'changed'; readonly present: Template}
	| {readonly kind: 'gone'}
	| {readonly kind: 'refused'; readonly message: string; readonly serverSays: string | undefined};

type ClientSource = () => Promise<Client>;

export async function createTemplate(client: ClientSource, content: NewTemplate): Promise<Saving> {
	try {
		const {hash_id: hash, id} = await (await client()).templates.create(content);
		return {kind: 'saved', hash, id: id ?? undefined};
	} catch (error) {
		return refusal(error);
	}
}

/**
 * Sends the changes of a template if it is still the opened version. The template is read again first,
 * and named by its hash: after a change in between, the service does not know the hash any more.
 */
export async function saveTemplate(
	client: ClientSource,
	opened: Template,
	changes: Partial<TemplateContent>,
): Promise<Saving> {
	try {
		const present = await find(client, opened);
		if (present === null) return {kind: 'gone'};
		if (present.hash_id !== opened.hash_id) return {kind: 'changed', present};
		return await send(client, opened, changes);
	} catch (error) {
		return refusal(error);
	}
}

async function send(
	client: ClientSource,
	opened: Template,
	changes: Partial<TemplateContent>,
): Promise<Saving> {
	try {
		const {hash_id: hash, id} = await (await client()).templates.edit(opened.hash_id, changes);
		const known = opened.id ?? id ?? undefined;
		if ((id ?? known) === known) return {kind: 'saved', hash, id: known};
		const message = `The service answered about template ${id}, and ${known} was edited. Whether it was saved is not known: look before you try again`;
		return {kind: 'refused', message, serverSays: undefined};
	} catch (error) {
		if (!isGone(error)) throw error;
		const present = await find(client, opened);
		return present === null ? {kind: 'gone'} : {kind: 'changed', present};
	}
}

/** True for a 404 about the template: services may answer a refused key with 404, too. */
function isGone(error: unknown): boolean {
	return answerStatus(error) === 404;
}

async function find(client: ClientSource, {id, hash_id: hash}: Template): Promise<Template | null> {
	if (typeof id === 'number') return fetchTemplate(client, id);
	const filter = [{field: 'hash_id', operator: 'eq', value: hash}] as const;
	return theTemplate(client, filter);
}

function refusal(error: unknown): Saving {
	if (!(error instanceof Error)) throw error;
	const says = 'serverSays' in error ? error.serverSays : undefined;
	const serverSays = typeof says === 'string' ? says : undefined;
	return {kind: 'refused', message: error.message, serverSays};
}
