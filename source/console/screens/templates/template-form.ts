/** A template as the fields of a form: each with its rule, and its value as a text. */
import {
	type FormField,
	changedFields,
	openForm,
	fieldValueOf,
	type FormSpec,
	type FormState,
	type FormValues,
} from '../../ui/form-state.ts';
import {
	type TemplateContent,
	checkTemplate,
	completeTemplate,
	launchFields,
	readTemplate,
	TemplateError,
} from '../../../contract/nouns/template-content.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {
	extraFiltersText,
	readExtraFilters,
	readJson,
} from '../../../renter/templates/filter-conditions.ts';
import {diskProblem, imageProblem} from '../../../renter/orders/rent-order.ts';

type TemplateFieldName = keyof TemplateContent;

type Field = Omit<FormField, 'id' | 'problem'> & {
	readonly id: TemplateFieldName;
	/** Allowed values, and the default. */
	readonly rule: string;
};

const LAUNCH = 'more about the launch';
const MACHINES = 'machines and volume';
const REGISTRY = 'registry login';
const TEXTS = 'description and links';

export const templateFields: readonly Field[] = [
	{id: 'name', label: 'name', kind: 'text', rule: 'required'},
	{id: 'image', label: 'image', kind: 'text', rule: 'required; a Docker image path'},
	{id: 'tag', label: 'tag', kind: 'text', rule: 'default latest'},
	{
		id: 'runtype',
		label: 'runtype',
		kind: 'choice',
		choices: ['ssh', 'jupyter', 'args'],
		rule: 'ssh/jupyter/args, default args',
	},
	{id: 'ssh_direct', label: 'ssh direct', kind: 'flag', rule: 'recommended with ssh'},
	{id: 'recommended_disk_space', label: 'disk GB', kind: 'text', rule: 'default 8'},
	{id: 'env', label: 'env', kind: 'opens', rule: 'Enter opens names and ports'},
	{id: 'onstart', label: 'onstart', kind: 'long', rule: 'Ctrl-E edits in $EDITOR'},
	{id: 'private', label: 'private', kind: 'flag', rule: 'only you see it, default yes'},
	{
		id: 'use_ssh',
		label: 'SSH access',
		kind: 'flag',
		section: LAUNCH,
		rule: 'default yes but with args',
	},
	{
		id: 'args_str',
		label: 'arguments',
		kind: 'text',
		section: LAUNCH,
		rule: 'replaces the CMD, with args',
	},
	{
		id: 'jup_direct',
		label: 'jupyter direct',
		kind: 'flag',
		section: LAUNCH,
		rule: 'not through the proxy',
	},
	{
		id: 'jupyter_dir',
		label: 'jupyter folder',
		kind: 'text',
		section: LAUNCH,
		rule: 'where Jupyter starts',
	},
	{
		id: 'use_jupyter_lab',
		label: 'JupyterLab',
		kind: 'flag',
		section: LAUNCH,
		rule: 'in place of Notebook',
	},
	{
		id: 'extra_filters',
		label: 'machine filters',
		kind: 'text',
		section: MACHINES,
		rule: 'like gpu_ram>=16000',
	},
	{
		id: 'volume_info',
		label: 'volume',
		kind: 'text',
		section: MACHINES,
		rule: 'JSON; a hint, never attached',
	},
	{
		id: 'docker_login_repo',
		label: 'registry',
		kind: 'text',
		section: REGISTRY,
		rule: 'address; empty if not needed',
	},
	{
		id: 'docker_login_user',
		label: 'user',
		kind: 'text',
		section: REGISTRY,
		rule: 'who logs in there',
	},
	{
		id: 'docker_login_pass',
		label: 'token',
		kind: 'secret',
		section: REGISTRY,
		rule: 'never shown; empty leaves it',
	},
	{id: 'desc', label: 'description', kind: 'text', section: TEXTS, rule: 'one line'},
	{id: 'readme', label: 'readme', kind: 'long', section: TEXTS, rule: 'Ctrl-E edits in $EDITOR'},
	{
		id: 'readme_visible',
		label: 'readme shown',
		kind: 'flag',
		section: TEXTS,
		rule: 'to others, default yes',
	},
	{id: 'href', label: 'link', kind: 'text', section: TEXTS, rule: 'documentation of the image'},
	{
		id: 'repo',
		label: 'repository',
		kind: 'text',
		section: TEXTS,
		rule: 'where the image comes from',
	},
];

export type Purpose = 'edit' | 'create';

const buttons: Readonly<Record<Purpose, FormSpec['buttons']>> = {
	edit: [
		{id: 'save', title: 'Save'},
		{id: 'copy', title: 'Save as copy'},
		{id: 'discard', title: 'Discard'},
	],
	create: [
		{id: 'save', title: 'Create'},
		{id: 'discard', title: 'Discard'},
	],
};

const fields: readonly FormField[] = templateFields.map(field => ({
	...field,
	problem: text => problemOf(field.id, text),
}));

export const templateSpecs: Readonly<Record<Purpose, FormSpec>> = {
	edit: {fields, buttons: buttons.edit},
	create: {fields, buttons: buttons.create},
};

/** The values of a template; without one, the service's defaults. */
export function templateValues(template: Partial<Template> | undefined): FormValues {
	const said: Readonly<Record<string, unknown>> = {
		...completeTemplate({}),
		...template,
		...launchFields(template ?? {}),
	};
	return Object.fromEntries(templateFields.map(({id}) => [id, valueText(id, said[id])]));
}

/** A form with a copy under another name: with the same name it would be the same template. */
export function copyForm(template: Template): FormState {
	const values = templateValues(template);
	const name = `${fieldValueOf({values}, 'name')} copy`;
	return openForm(templateSpecs.create, {...values, name});
}

function valueText(id: TemplateFieldName, value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (id === 'extra_filters')
		return isObject(value) ? extraFiltersText({extra_filters: value}) : '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Value for the wire; or the text's problem. */
function wireOf(
	id: TemplateFieldName,
	text: string,
): {readonly value: unknown} | {readonly problem: string} {
	const kind = templateFields.find(field => field.id === id)?.kind;
	if (kind === 'flag') return {value: text === 'yes'};
	if (id === 'extra_filters' || id === 'volume_info') {
		if (text.trim() === '') return {value: id === 'volume_info' ? undefined : {}};
		const read = id === 'extra_filters' ? readExtraFilters(text) : readJson(text);
		return 'problem' in read ? read : {value: read.filters};
	}
	return {value: text};
}

function problemOf(id: TemplateFieldName, text: string): string | undefined {
	const wire = wireOf(id, text);
	if ('problem' in wire) return wire.problem;
	if ((id === 'name' || id === 'image') && text.trim() === '') return 'required';
	const unfit =
		id === 'image'
			? imageProblem(text)
			: id === 'recommended_disk_space'
				? diskProblem(text)
				: undefined;
	if (unfit !== undefined) return unfit;
	if (id === 'volume_info' && text.trim() === '') return undefined;
	try {
		readTemplate({[id]: wire.value});
		return undefined;
	} catch (error) {
		if (error instanceof TemplateError) return withoutField(error.message);
		throw error;
	}
}

/** The fields that were changed, as the service takes them. */
export function changedContent(spec: FormSpec, state: FormState): Partial<TemplateContent> {
	return contentOf(state, new Set(changedFields(spec, state).map(({id}) => id)));
}

/** The whole form as a template. A password that was never typed is left out. */
export function wholeContent(state: FormState): TemplateContent {
	return completeTemplate(contentOf(state));
}

function contentOf(state: FormState, wanted?: ReadonlySet<string>): Partial<TemplateContent> {
	const body = Object.fromEntries(
		templateFields.flatMap(({id}) => {
			if (wanted?.has(id) === false) return [];
			const wire = wireOf(id, fieldValueOf(state, id));
			return 'problem' in wire ? [] : [[id, wire.value]];
		}),
	);
	return readTemplate(body);
}

/** Problem of the form as a whole, with its field. */
export function wholeProblem(
	state: FormState,
): {readonly id: string; readonly problem: string} | undefined {
	try {
		checkTemplate(wholeContent(state));
		return undefined;
	} catch (error) {
		if (!(error instanceof TemplateError)) throw error;
		const id = findRefusedField(error.message) ?? 'name';
		return {id, problem: withoutField(error.message)};
	}
}

/** Field that a refusal names; undefined if it names none. */
export function findRefusedField(message: string): TemplateFieldName | undefined {
	const names: readonly string[] = message.match(/[a-z_]+/g) ?? [];
	return templateFields.find(({id}) => names.includes(id))?.id;
}

/** "onstart: expected text of at most 4048 characters" without its field, which is beside it. */
function withoutField(message: string): string {
	return message.replace(/^[a-z_]+: /, '');
}
