/** Merges a creation request over its template. */
import {layEnv, parseEnv, type Env} from '../rules/env.ts';
import type {Launch} from '../rules/runtype.ts';
import {
	DEFAULT_TEMPLATE_DISK_GB,
	launchOf,
	tagOf,
	type TemplateContent,
} from './template-content.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export type Arguments = {readonly list: readonly string[]} | {readonly text: string};

type Settings = {
	readonly image: string;
	readonly label: string;
	readonly disk: number;
	readonly launch: Launch;
	readonly onstart: string;
	readonly arguments: Arguments;
	readonly use_jupyter_lab: boolean;
	readonly jupyter_dir: string;
	readonly python_utf8: boolean;
	readonly lang_utf8: boolean;
	readonly force: boolean;
	readonly user: string;
	readonly image_login: string;
	readonly volume_info: JsonObject;
};

/** Creation request, parsed. Null and undefined are "not given". */
export type CreationRequest = {
	readonly [Name in keyof Settings]?: Settings[Name] | null | undefined;
} & {
	readonly env?: Env | null | undefined;
	readonly extra_filters?: JsonObject | null | undefined;
};

export type Origin = 'request' | 'template' | 'default';

export type Sourced<Value> = {readonly value: Value; readonly origin: Origin};

/** Settings of a new instance. A missing image or volume is undefined. */
export type Creation = {
	readonly [Name in Exclude<keyof Settings, 'image' | 'volume_info'>]: Sourced<Settings[Name]>;
} & {
	readonly image: Sourced<string | undefined>;
	readonly volume_info: Sourced<JsonObject | undefined>;
	/** By name or flag; `mergedEnvOf` makes a plain environment of it. */
	readonly env: ReadonlyArray<Sourced<string> & {readonly key: string}>;
	/** By field. */
	readonly extra_filters: Readonly<Record<string, Sourced<unknown>>>;
};

/**
 * Lays a request over a template: the request's single values take precedence, environment and
 * filters are merged by key, and a volume only comes from the request.
 */
export function mergeCreation(request: CreationRequest, template?: TemplateContent): Creation {
	const asked = template === undefined ? request : withoutOff(request);
	const kept = template === undefined ? {} : settingsOf(template);
	return {
		image: pick<string | undefined>(asked.image, kept.image, undefined),
		label: pick(asked.label, undefined, ''),
		disk: pick(asked.disk, kept.disk, DEFAULT_TEMPLATE_DISK_GB),
		launch: pick(asked.launch, kept.launch, defaultLaunch(asked)),
		onstart: pick(asked.onstart, kept.onstart, ''),
		arguments: pick<Arguments>(asked.arguments, kept.arguments, {text: ''}),
		use_jupyter_lab: pick(asked.use_jupyter_lab, kept.use_jupyter_lab, false),
		jupyter_dir: pick(asked.jupyter_dir, kept.jupyter_dir, ''),
		python_utf8: pick(asked.python_utf8, undefined, false),
		lang_utf8: pick(asked.lang_utf8, undefined, false),
		force: pick(asked.force, undefined, false),
		user: pick(asked.user, undefined, ''),
		image_login: pick(asked.image_login, kept.image_login, ''),
		volume_info: pick<JsonObject | undefined>(asked.volume_info, undefined, undefined),
		env: mergeEnv(asked.env, template?.env),
		extra_filters: {
			...sourced(template?.extra_filters, 'template'),
			...sourced(asked.extra_filters, 'request'),
		},
	};
}

function pick<Value>(
	asked: Value | null | undefined,
	kept: Value | undefined,
	fallback: Value,
): Sourced<Value> {
	if (asked !== null && asked !== undefined) return {value: asked, origin: 'request'};
	if (kept !== undefined) return {value: kept, origin: 'template'};
	return {value: fallback, origin: 'default'};
}

/**
 * The official command line always sends these, and cannot say "off": with a template, false means
 * "not given".
 */
function withoutOff(request: CreationRequest): CreationRequest {
	return {
		...request,
		use_jupyter_lab: request.use_jupyter_lab === true || undefined,
		python_utf8: request.python_utf8 === true || undefined,
		lang_utf8: request.lang_utf8 === true || undefined,
		force: request.force === true || undefined,
	};
}

/** Single-valued settings of a template. */
function settingsOf(template: TemplateContent): Partial<Settings> {
	const {recommended_disk_space: disk, args_str: text, onstart, jupyter_dir} = template;
	const login = loginOf(template);
	return {
		image: imageOf(template),
		disk,
		launch: launchOf(template),
		onstart,
		arguments: {text},
		use_jupyter_lab: template.use_jupyter_lab,
		jupyter_dir,
		...(login !== undefined && {image_login: login}),
	};
}

/** The environment without the sources. */
export function mergedEnvOf({env}: Pick<Creation, 'env'>): Env {
	return env.map(({key, value}) => [key, value]);
}

function mergeEnv(request: CreationRequest['env'], template = ''): Creation['env'] {
	const own = request ?? [];
	const asked = new Set(own.map(([key]) => key));
	return layEnv(parseEnv(template), own).map(([key, value]) => ({
		key,
		value,
		origin: asked.has(key) ? 'request' : 'template',
	}));
}

function sourced(
	filters: JsonObject | null | undefined,
	origin: Origin,
): Record<string, Sourced<unknown>> {
	return Object.fromEntries(
		Object.entries(filters ?? {}).map(([field, value]) => [field, {value, origin}]),
	);
}

/** The image with the tag, unless the image names a tag itself. */
function imageOf({image, tag}: TemplateContent): string {
	return tagOf(image) === undefined && tag !== '' ? `${image}:${tag}` : image;
}

function loginOf({
	docker_login_user: user,
	docker_login_pass: password,
	docker_login_repo: registry,
}: TemplateContent): string | undefined {
	if (user === '' || password === '') return undefined;
	return ['-u', user, '-p', password, registry].filter(part => part !== '').join(' ');
}

function defaultLaunch({arguments: asked}: CreationRequest): Launch {
	const mode = asked === null || asked === undefined ? 'ssh' : 'args';
	return {mode, sshDirect: false, jupyterDirect: false};
}
