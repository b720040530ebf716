/** The template under the form: another one, a later version of it, or none any more. */
import type {FormState, Values} from '../../components/form-state.ts';
import type {Client} from '../../../client/client.ts';
import type {Template} from '../../../contract/templates.ts';
import {shortHash} from '../../../renter/templates/templates.ts';
import {findTemplate, presentTemplate} from '../../../renter/orders/order-requests.ts';
import {REVIEW_ROW, rentFields} from './fields.ts';
import {previewOf} from '../../../renter/orders/preview.ts';
import {baseValues, contentOf, initialValues} from '../../../renter/orders/rent-values.ts';
import type {Renting} from './renting.ts';

/** Lays what the renter said over another template, or over another version of it. */
export function layTemplate({rent, services}: Renting, template: Template | undefined): void {
	const {form, facts} = rent;
	const {offer, like} = facts.get();
	const settings = services.settings.get();
	const isBid = form.get().initial['type'] === 'interruptible';
	const initial = initialValues({template, offer, like, isBid, settings});
	const picked = {template: template?.hash_id ?? ''};
	const before = {template: form.get().initial['template'] ?? ''};
	const rebased = rebaseForm(form.get(), initial);
	form.set({
		...rebased,
		initial: {...initial, ...before},
		values: {...rebased.values, ...picked},
	});
	facts.set({...facts.get(), template});
}

/** Goes to the button that reviews, where nothing has to be filled in any more. */
export function toReviewIfComplete({rent: {form, facts}}: Renting): void {
	const {problem} = previewOf(facts.get(), form.get().values);
	if (problem === undefined) form.set({...form.get(), at: REVIEW_ROW});
}

/** Finds the template that the form names, where that is another than the one that is known. */
export async function followTemplate(renting: Renting): Promise<void> {
	const {rent, services} = renting;
	const hash = rent.form.get().values['template'] ?? '';
	const template = hash === '' ? undefined : await findTemplate(await services.client(), hash);
	if (rent.form.get().values['template'] === hash) layTemplate(renting, template);
}

/** Lays the form over a template that was edited meanwhile, and says so: nobody has seen it like that. */
export async function templateChange(
	renting: Renting,
	client: Client,
): Promise<string | undefined> {
	const {template} = renting.rent.facts.get();
	if (template === undefined) return undefined;
	const present = await presentTemplate(client, template);
	if (present === undefined) {
		const {facts} = renting.rent;
		facts.set({...facts.get(), template: undefined});
		return 'The template was deleted meanwhile. Nothing was sent; Ctrl-T picks another.';
	}
	if (present.hash_id === template.hash_id) return undefined;
	layTemplate(renting, present);
	const hashes = `${shortHash(present.hash_id)} in place of ${shortHash(template.hash_id)}`;
	const changes = changesBetween(template, present);
	const what = changes.length === 0 ? '' : ` Changed: ${changes.join(', ')}.`;
	return `The template was edited meanwhile, and is ${hashes}.${what} Nothing was sent; look again.`;
}

function changesBetween(before: Template, after: Template): readonly string[] {
	const [old, now] = [before, after].map(template => baseValues(contentOf(template)));
	const labels = rentFields.filter(({id}) => old?.[id] !== now?.[id]).map(({label}) => label);
	return before.env === after.env ? labels : [...labels, 'env'];
}

/** The renter's own changes, laid over other values to begin with. */
function rebaseForm(form: FormState, initial: Values): FormState {
	const mine = Object.entries(form.values).filter(([id, value]) => form.initial[id] !== value);
	const values = {...initial, ...Object.fromEntries(mine)};
	return {...form, initial, values, editing: undefined};
}
