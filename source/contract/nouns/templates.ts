import * as z from 'zod/mini';
import {dependentBody, described, tolerant} from '../grammar/tolerant.ts';
import {endpoint, LONG_BODY_BYTES} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {comparable, FilterError, readNumber} from '../grammar/filter.ts';
import {isRecord} from '../grammar/json.ts';
import {listReply} from '../grammar/list-reply.ts';
import {
	checkTemplate,
	completeTemplate,
	readTemplate,
	TemplateError,
	type TemplateContent,
} from './template-content.ts';
import {parseTemplateSearch, printTemplateSearch, type TemplateSearch} from './template-search.ts';
import {figure, gigabytes, id, instant} from '../grammar/values.ts';

const settings = {
	name: z.string(),
	image: z.string(),
	tag: z.string(),
	default_tag: z.string(),
	desc: z.string(),
	readme: z.string(),
	readme_visible: z.boolean(),
	env: z.string(),
	onstart: z.string(),
	runtype: z.string(),
	args_str: z.string(),
	ssh_direct: z.boolean(),
	use_ssh: z.boolean(),
	jup_direct: z.boolean(),
	jupyter_dir: z.string(),
	use_jupyter_lab: z.boolean(),
	docker_login_repo: z.string(),
	docker_login_user: z.string(),
	href: z.string(),
	repo: z.string(),
	extra_filters: z.record(z.string(), z.unknown()),
	recommended_disk_space: gigabytes,
	private: z.boolean(),
	volume_info: z.record(z.string(), z.unknown()),
};

const hashed = tolerant(
	{hash_id: z.string()},
	{
		id,
		creator_id: id,
		...settings,
		recommended: z.boolean(),
		created_at: instant,
		count_created: figure,
		recent_create_date: instant,
	},
);

/**
 * Settings for creating instances, without passwords. Unknown fields are kept. A template of which
 * only the id is known has an empty `hash_id` and cannot be rented with.
 */
export const template = z.pipe(
	z.transform((sent: unknown) => (hasNumberAlone(sent) ? {...sent, hash_id: ''} : sent)),
	hashed,
);

described.set(template, described.get(hashed) ?? hashed);

function hasNumberAlone(sent: unknown): sent is Readonly<Record<string, unknown>> {
	if (!isRecord(sent) || typeof sent['hash_id'] === 'string') return false;
	return z.safeParse(id, sent['id']).success;
}

export type Template = z.output<typeof template>;

/** Reference to a template: its id, or the hash of its present content. */
export type TemplateKey = {readonly id: number} | {readonly hash: string};

/** A change of a template: missing fields keep their values. */
export type TemplateEdit = {readonly hash: string; readonly changes: Partial<TemplateContent>};

const throws = [FilterError, TemplateError];

const templateSearch = dependentBody<TemplateSearch>({
	throws,
	read: parseTemplateSearch,
	write: printTemplateSearch,
	takes: {
		select_filters: z.optional(z.string()),
		select_cols: z.optional(z.string()),
		order_by: z.optional(z.string()),
	},
});

const {default_tag: _, ...said} = {...settings, docker_login_pass: z.string()};

/** Fields of a body, in which null is "not given", and the size of a disk may be text. */
const given = Object.fromEntries(
	Object.entries({...said, recommended_disk_space: z.union([gigabytes, z.string()])}).map(
		([name, schema]) => [name, z.nullish(schema)],
	),
);

const newTemplate = dependentBody<TemplateContent>({
	throws,
	read: body => checkTemplate(completeTemplate(readTemplate(body))),
	write: content => ({...content}),
	takes: {...given, name: settings.name, image: settings.image},
});

const templateEdit = dependentBody<TemplateEdit>({
	throws,
	read: body => ({hash: readHash(body['hash_id']), changes: readTemplate(body)}),
	write: ({hash, changes}) => ({...changes, hash_id: hash}),
	takes: {...given, hash_id: z.string()},
});

const templateKey = dependentBody<TemplateKey>({
	throws,
	read: ({template_id: number, hash_id: hash}) =>
		number === undefined || number === null ? {hash: readHash(hash)} : {id: readId(number)},
	write: key => ('id' in key ? {template_id: key.id} : {hash_id: key.hash}),
	takes: {template_id: z.nullish(id), hash_id: z.nullish(z.string())},
});

function readHash(value: unknown): string {
	if (typeof value === 'string' && value !== '') return comparable(value);
	throw new TemplateError('Template hash_id is required');
}

function readId(value: unknown): number {
	const number = readNumber(value);
	if (number !== undefined && Number.isSafeInteger(number)) return number;
	throw new TemplateError('template_id: expected a whole number');
}

const done = {success: z.optional(z.boolean()), msg: z.optional(z.string())};
const named = tolerant({hash_id: z.string()}, {id, name: z.string()});
const changed = z.looseObject({...done, template: named});

export const search = endpoint({
	method: 'GET',
	path: '/api/v0/template/',
	summary: 'Search the templates of your own and of everybody',
	query: templateSearch,
	same: {'query.filter': 'templates'},
	replies: {
		200: listReply(
			z.looseObject({
				success: z.optional(z.boolean()),
				templates_found: z.optional(z.number()),
				templates: z.array(template),
			}),
			{name: 'templates', record: template},
		),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 3,
	unfit: 'badRequest',
});

export const create = endpoint({
	method: 'POST',
	path: '/api/v0/template/',
	summary: 'Create a template',
	makes: ['template'],
	body: newTemplate,
	replies: {200: changed, ...commonRefusals},
	failsAs200: true,
	permission: 'user_write',
	thresholdSeconds: undefined,
	mostBytes: LONG_BODY_BYTES,
});

export const edit = endpoint({
	method: 'PUT',
	path: '/api/v0/template/',
	summary: 'Edit a template',
	body: templateEdit,
	replies: {200: changed, ...recordRefusals},
	failsAs200: true,
	permission: 'user_write',
	thresholdSeconds: undefined,
	mostBytes: LONG_BODY_BYTES,
});

const remove = endpoint({
	method: 'DELETE',
	path: '/api/v0/template/',
	summary: 'Delete a template',
	body: templateKey,
	replies: {200: z.looseObject(done), ...recordRefusals},
	failsAs200: true,
	permission: 'user_write',
	thresholdSeconds: undefined,
});

export {remove as delete};
