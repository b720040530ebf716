/** A template that is being written: what it was when it was opened, and its form. */
import type {TemplateContent} from '../../../contract/nouns/template-content.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {changedFields, openForm, valueOf, type FormState} from '../../ui/form-state.ts';
import {kept} from '../../services/router.ts';
import {createStore, type Store} from '../../../renter/state/store.ts';
import {copyForm, templateSpecs, templateValues, type Purpose} from './template-form.ts';
import {shortHash, type Uses} from '../../../renter/templates/templates.ts';

export type Draft = {
	readonly purpose: Purpose;
	/** The template that is changed, as it was read last; undefined for a new one. */
	readonly opened: Template | undefined;
	readonly form: Store<FormState>;
};

/** Draft of a place: a look at another tab loses nothing. */
export const draftAt = kept(() => createStore<Draft | undefined>(undefined));

/** A new template, with what is known of it already: that counts as typed. */
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

/** The same changes, laid over what the template says at present. */
export function rebase(draft: Draft, present: Template): Draft {
	const before = draft.form.get();
	const initial = templateValues(present);
	const mine = changedFields(templateSpecs[draft.purpose], before).map(
		({id}) => [id, valueOf(before, id)] as const,
	);
	const values = {...initial, ...Object.fromEntries(mine)};
	draft.form.set({...before, initial, values, editing: undefined});
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

/** Title above the form. */
export function titleOf({purpose, opened, form}: Draft): string {
	const name = valueOf(form.get(), 'name');
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

/** Number of changes that would be lost. */
export function describeChanges({purpose, form}: Draft): string {
	const count = changedFields(templateSpecs[purpose], form.get()).length;
	if (count === 0) return '';
	return count === 1 ? '1 change, not saved' : `${count} changes, not saved`;
}
