/**
 * Initial values of the rent form: from the template, the defaults, the user's settings, or
 * another instance.
 */
import {BEFORE_VARIABLE} from '../words/lease.ts';
import {usualTerms} from '../leases/lease-terms.ts';
import {ownOnstart} from '../leases/watchdog.ts';
import {LEAST_DISK_GB} from '../../contract/nouns/creation-request.ts';
import {parseEnv} from '../../contract/rules/env.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {mergeCreation, type Arguments} from '../../contract/nouns/merge.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {launchWord, parseRuntype, usualWord} from '../../contract/rules/runtype.ts';
import {
	completeTemplate,
	DEFAULT_TEMPLATE_DISK_GB,
	readTemplate,
	TemplateError,
	type TemplateContent,
} from '../../contract/nouns/template-content.ts';
import type {Template} from '../../contract/nouns/templates.ts';
import {ownEntries, writeEnv} from './form-env.ts';
import type {OrderValues} from './rent-order.ts';
import type {Settings} from '../settings/default-settings.ts';

/** Content of a template; undefined if it is invalid. */
export function readFullContent(template: Template): TemplateContent | undefined {
	try {
		return completeTemplate(readTemplate(template));
	} catch (error) {
		if (error instanceof TemplateError) return undefined;
		throw error;
	}
}

export function baseValues(content: TemplateContent | undefined): OrderValues {
	const creation = mergeCreation({}, content);
	return {
		template: '',
		image: creation.image.value ?? '',
		label: '',
		disk: String(Math.max(LEAST_DISK_GB, creation.disk.value)),
		launch: usualWord(creation.launch.value),
		type: 'on-demand',
		price: '',
		target: 'running',
		env: '',
		onstart: creation.onstart.value,
		volume: 'none',
		volume_id: '',
		volume_size: '',
		volume_path: '/data',
		volume_name: '',
		args: argumentsText(creation.arguments.value),
		vm: 'no',
		use_jupyter_lab: creation.use_jupyter_lab.value ? 'yes' : 'no',
		jupyter_dir: creation.jupyter_dir.value,
		user: '',
		image_login: '',
		python_utf8: 'no',
		lang_utf8: 'no',
		force: 'no',
		extra_filters: '',
		cancel: 'usual',
	};
}

function argumentsText(args: Arguments): string {
	return 'text' in args ? args.text : args.list.length === 0 ? '' : JSON.stringify(args.list);
}

type Beginning = {
	readonly template: Template | undefined;
	readonly offer: Offer;
	readonly like: Instance | undefined;
	readonly isBid: boolean;
	readonly settings: Pick<Settings, 'diskGb' | 'fallback' | 'lease' | 'templateLeases'>;
};

export function initialValues(beginning: Beginning): OrderValues {
	const {template, offer, like, isBid, settings} = beginning;
	const content = template && readFullContent(template);
	const base = baseValues(content);
	return {
		...base,
		template: template?.hash_id ?? '',
		disk: String(proposedDiskGb(content, settings)),
		type: isBid ? 'interruptible' : 'on-demand',
		price: typeof offer.min_bid === 'number' ? String(offer.min_bid) : '',
		// The word for no terms is only drawn; typing must not append to it.
		ends: usualTerms(settings, template?.hash_id).replace(/^none$/, ''),
		stuck: 'ask',
		tries: String(settings.fallback.tries),
		ceiling: String(settings.fallback.ceilingPercent),
		...(like !== undefined && likeValues(like, content)),
	};
}

/** The disk of a template that sets one; else the disk size of all shown prices. */
export function proposedDiskGb(
	content: TemplateContent | undefined,
	{diskGb}: Pick<Settings, 'diskGb'>,
): number {
	const recommended = content?.recommended_disk_space ?? DEFAULT_TEMPLATE_DISK_GB;
	return recommended === DEFAULT_TEMPLATE_DISK_GB ? diskGb : Math.max(LEAST_DISK_GB, recommended);
}

/** Names that the service and rentty assign to every instance. */
const givenAnew = new Set([
	'RENTTY_WISH',
	'CONTAINER_API_KEY',
	'CONTAINER_ID',
	'JUPYTER_TOKEN',
	BEFORE_VARIABLE,
]);

/** Values of an existing instance, as far as the service shows them. */
function likeValues(like: Instance, content: TemplateContent | undefined): OrderValues {
	const env = (like.extra_env ?? []).filter(([name]) => !givenAnew.has(name));
	const launch = parseRuntype(like.image_runtype ?? '');
	const {image_args: args, image_uuid: image, onstart, disk_space: disk} = like;
	return Object.fromEntries(
		Object.entries({
			image,
			onstart: onstart && ownOnstart(onstart),
			disk: typeof disk === 'number' && disk >= LEAST_DISK_GB ? String(disk) : undefined,
			launch: launch && launchWord(launch),
			args: args && argumentsText({list: args}),
			env: writeEnv(ownEntries(env, parseEnv(content?.env ?? ''))),
			type: like.is_bid === true ? 'interruptible' : 'on-demand',
		}).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
	);
}
