/** The fields of the rent form, and the template under it: another one, a later version, or none. */
import {
	rebaseForm,
	type FormField,
	type FormSpec,
	type FormState,
	type FormValues,
} from '../../ui/form-state.ts';
import type {OrderField} from '../../../renter/orders/order-table.ts';
import {fieldProblem} from '../../../renter/orders/rent-order.ts';
import {launchWords} from '../../../contract/rules/runtype.ts';
import {stuckChoices} from '../../../renter/actions/stuck-boots.ts';
import type {Client} from '../../../client/client.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {shortHash} from '../../../renter/templates/templates.ts';
import {findTemplate, presentTemplate} from '../../../renter/orders/order-requests.ts';
import {previewOf, type Preview} from '../../../renter/orders/preview.ts';
import {baseValues, readFullContent, initialValues} from '../../../renter/orders/rent-values.ts';
import type {Renting} from './rent-state.ts';
import {printEnv, type Env} from '../../../contract/rules/env.ts';
import {mergedEnvOf, type Arguments} from '../../../contract/nouns/merge.ts';
import {tagOf, type TemplateContent} from '../../../contract/nouns/template-content.ts';
import {isProbablySecret, quoteWord} from '../../../renter/orders/request-text.ts';

const LAUNCH = 'more about the launch';
const GONE = 'if somebody takes it';

export const rentFields = [
	{id: 'template', label: 'template', kind: 'opens'},
	{id: 'image', label: 'image', kind: 'text'},
	{id: 'label', label: 'label', kind: 'text'},
	{id: 'disk', label: 'disk GB', kind: 'text'},
	{id: 'launch', label: 'opens', kind: 'choice', choices: launchWords},
	{id: 'type', label: 'type', kind: 'choice', choices: ['on-demand', 'interruptible']},
	{id: 'price', label: 'bid $/h', kind: 'text'},
	{id: 'target', label: 'start', kind: 'choice', choices: ['running', 'stopped']},
	{id: 'env', label: 'env', kind: 'opens'},
	{id: 'onstart', label: 'onstart', kind: 'long'},
	{id: 'volume', label: 'volume', kind: 'choice', choices: ['none', 'link', 'create']},
	{id: 'volume_id', label: 'volume id', kind: 'text'},
	{id: 'volume_size', label: 'volume GB', kind: 'text'},
	{id: 'volume_path', label: 'mounted at', kind: 'text'},
	{id: 'volume_name', label: 'volume name', kind: 'text'},
	{id: 'stuck', label: 'if stuck', kind: 'choice', choices: stuckChoices},
	{id: 'access', label: 'SSH key', kind: 'opens'},
	{id: 'ends', label: 'ends', kind: 'text'},
	{id: 'args', label: 'arguments', kind: 'text', section: LAUNCH},
	{id: 'vm', label: 'vm', kind: 'flag', section: LAUNCH},
	{id: 'use_jupyter_lab', label: 'JupyterLab', kind: 'flag', section: LAUNCH},
	{id: 'jupyter_dir', label: 'jupyter dir', kind: 'text', section: LAUNCH},
	{id: 'user', label: 'user', kind: 'text', section: LAUNCH},
	{id: 'image_login', label: 'registry', kind: 'secret', section: LAUNCH},
	{id: 'python_utf8', label: 'python utf8', kind: 'flag', section: LAUNCH},
	{id: 'lang_utf8', label: 'lang utf8', kind: 'flag', section: LAUNCH},
	{id: 'force', label: 'force', kind: 'flag', section: LAUNCH},
	{id: 'extra_filters', label: 'filters', kind: 'text', section: LAUNCH},
	{id: 'cancel', label: 'cancel', kind: 'choice', choices: ['usual', 'yes', 'no'], section: GONE},
	{id: 'tries', label: 'try next', kind: 'text', section: GONE},
	{id: 'ceiling', label: 'at most +%', kind: 'text', section: GONE},
] as const satisfies ReadonlyArray<Omit<FormField, 'problem'> & {readonly id: OrderField}>;

const fields: readonly FormField[] = rentFields.map(field => ({
	...field,
	problem: text => fieldProblem(field.id, text),
}));

const buttons: FormSpec['buttons'] = [
	{id: 'review', title: 'Review and rent'},
	{id: 'save', title: 'Save as template'},
	{id: 'cancel', title: 'Cancel'},
];

/** The button with which the form begins: a complete order only needs Enter. */
export const REVIEW_ROW = 'button review';

/** The fields that matter for the form's values: a bid only where one is made. */
export function rentSpec(values: FormValues): FormSpec {
	const {type, volume = 'none'} = values;
	const hidden = new Set<string>([
		...(type === 'interruptible' ? [] : ['price']),
		...(volume === 'none' ? ['volume_id', 'volume_path'] : []),
		...(volume === 'create' ? [] : ['volume_size', 'volume_name']),
	]);
	const {tries, ceiling} = values;
	return {
		fields: fields.filter(({id}) => !hidden.has(id)),
		buttons,
		summaries: {[GONE]: `up to ${tries} like it, +${ceiling} % at most`},
	};
}

/** Fields of prices, lengths and checks: they follow every key. */
const shownLive: ReadonlySet<string> = new Set(['image', 'label', 'disk', 'price', 'args']);

/** Values of the form, with the text that is being typed. */
export function liveValues({values, editing, at}: FormState): FormValues {
	return editing !== undefined && shownLive.has(at) ? {...values, [at]: editing.text} : values;
}

/** Lays the renter's values over another template, or another version of it. */
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

/** Goes to the review button if every field is filled in. */
export function toReviewIfComplete({rent: {form, facts}}: Renting): void {
	const {problem} = previewOf(facts.get(), form.get().values);
	if (problem === undefined) form.set({...form.get(), at: REVIEW_ROW});
}

/** Finds the template that the form names, if it is not the known one. */
export async function followTemplate(renting: Renting): Promise<void> {
	const {rent, services} = renting;
	const hash = rent.form.get().values['template'] ?? '';
	const template = hash === '' ? undefined : await findTemplate(await services.client(), hash);
	if (rent.form.get().values['template'] === hash) layTemplate(renting, template);
}

/** Lays the form over a template that was edited meanwhile, and says so, as the result is new to the user. */
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
	const [old, now] = [before, after].map(template => baseValues(readFullContent(template)));
	const labels = rentFields.filter(({id}) => old?.[id] !== now?.[id]).map(({label}) => label);
	return before.env === after.env ? labels : [...labels, 'env'];
}

type AsTemplate = {
	readonly content: Partial<TemplateContent>;
	/** Values to check, and values that no template can keep. */
	readonly notes: readonly string[];
};

/** The part of an order that a template can hold, without the choices for this one rental. */
export function asTemplate({creation, diskGb, content}: Preview): AsTemplate {
	const {launch, label, image_login: login} = creation;
	const {env, lost} = sayable(mergedEnvOf(creation));
	const secrets = env
		.filter(([name, value]) => isProbablySecret(name, value))
		.map(([name]) => name);
	const {mode, sshDirect, jupyterDirect} = launch.value;
	return {
		content: {
			name: label.value,
			...partsOf(creation.image.value ?? ''),
			env: printEnv(env) ?? '',
			onstart: creation.onstart.value,
			runtype: mode,
			use_ssh: mode !== 'args',
			ssh_direct: sshDirect,
			jup_direct: jupyterDirect,
			args_str: argumentsLine(creation.arguments.value),
			use_jupyter_lab: creation.use_jupyter_lab.value,
			jupyter_dir: creation.jupyter_dir.value,
			recommended_disk_space: diskGb,
			extra_filters: Object.fromEntries(
				Object.entries(creation.extra_filters).map(([field, {value}]) => [field, value]),
			),
			desc: content?.desc ?? '',
			readme: content?.readme ?? '',
			href: content?.href ?? '',
		},
		notes: [
			...(secrets.length === 0 ? [] : [`It keeps what looks secret: ${secrets.join(', ')}`]),
			...(lost.length === 0 ? [] : [`No template can say ${lost.join(', ')}`]),
			...(login.value === '' ? [] : ['The registry login is typed anew']),
		],
	};
}

/** The image, and its tag apart; a digest stays where it is. */
function partsOf(image: string): Pick<TemplateContent, 'image' | 'tag'> {
	const tag = tagOf(image);
	const isTagged = tag !== undefined && !image.includes('@');
	return isTagged ? {image: image.slice(0, -tag.length - 1), tag} : {image, tag: ''};
}

/** A template's environment is one line of Docker flags, which cannot hold every value. */
function sayable(env: Env): {readonly env: Env; readonly lost: readonly string[]} {
	return {
		env: env.filter(isSayable),
		lost: env.filter(entry => !isSayable(entry)).map(([key]) => key),
	};
}

function argumentsLine(said: Arguments): string {
	return 'text' in said ? said.text : said.list.map(quoteWord).join(' ');
}

function isSayable(entry: Env[number]): boolean {
	return printEnv([entry]) !== undefined;
}
