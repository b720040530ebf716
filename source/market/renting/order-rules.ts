/** Plans of orders, their prices, and settings of changed instances. */
import {readNumber} from '../../contract/grammar/filter.ts';
import {
	LEAST_DISK_GB,
	type InstanceOrder,
	type Remake,
} from '../../contract/nouns/creation-request.ts';
import {splitArguments} from '../../contract/grammar/arguments.ts';
import type {WantedState} from '../../contract/nouns/instance-actions.ts';
import {envProblem} from '../../contract/rules/env.ts';
import {mergedEnvOf, mergeCreation, type Creation} from '../../contract/nouns/merge.ts';
import type {TemplateContent} from '../../contract/nouns/template-content.ts';
import {Refusal} from '../base/refusal.ts';
import type {InstanceSettings} from '../lifecycle/instance-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

const LEAST_PRICE = 0.001;
const MOST_PRICE = 128;

/** An order with its template and defaults applied. */
export type Plan = {
	readonly image: string;
	readonly label: string | null;
	readonly diskGb: number;
	readonly target: WantedState;
	/** Refuse the order if the instance cannot start at once. */
	readonly cancelUnavailable: boolean;
	readonly vm: boolean;
	readonly volume: Readonly<Record<string, unknown>> | undefined;
	readonly settings: InstanceSettings;
};

/** Plan of an order. `jupyterToken` is a new secret. */
export function planOf(
	order: InstanceOrder,
	template: TemplateContent | undefined,
	jupyterToken: string,
): Plan {
	const creation = mergeCreation(order, template);
	const env = mergedEnvOf(creation);
	// The merged environment may exceed limits that each part met.
	const problem = envProblem(env);
	if (problem !== undefined) throw new Refusal('badArguments', problem);
	const image = creation.image.value;
	if (image === undefined) throw new Refusal('badArguments', 'image is required');
	const target = order.target ?? 'running';
	const isBid = order.price !== undefined;
	const {value: words} = creation.arguments;
	return {
		image,
		label: creation.label.value === '' ? null : creation.label.value,
		diskGb: diskOf(creation),
		target,
		cancelUnavailable: order.cancelUnavailable ?? (!isBid && target === 'running'),
		vm: order.vm === true,
		volume: creation.volume_info.value,
		settings: {
			launch: creation.launch.value,
			env,
			onstart: creation.onstart.value,
			args: 'text' in words ? splitArguments(words.text) : words.list,
			use_jupyter_lab: creation.use_jupyter_lab.value,
			jupyter_dir: creation.jupyter_dir.value,
			jupyter_token: jupyterToken,
			python_utf8: creation.python_utf8.value,
			lang_utf8: creation.lang_utf8.value,
			force: creation.force.value,
			user: creation.user.value,
			image_login: creation.image_login.value,
			vm: order.vm === true,
			extra_filters: filtersOf(creation),
		},
	};
}

/** Disk of an instance: a template may recommend less than the minimum. */
function diskOf({disk}: Creation): number {
	return disk.origin === 'template' ? Math.max(LEAST_DISK_GB, disk.value) : disk.value;
}

function filtersOf({extra_filters: filters}: Creation): Readonly<Record<string, unknown>> {
	return Object.fromEntries(Object.entries(filters).map(([field, {value}]) => [field, value]));
}

type AskFacts = {
	readonly min_bid_micros: number | null;
	readonly dph_base_micros: number;
};

/**
 * Hourly price of the GPUs on an order's terms, in micro-dollars, with its kind: fixed or a bid.
 */
export function readOrderPrice(
	price: unknown,
	ask: AskFacts,
): {readonly isBid: boolean; readonly micros: number} {
	if (price === undefined || price === null) return {isBid: false, micros: ask.dph_base_micros};
	const dollars = readNumber(price);
	if (dollars === undefined || dollars < LEAST_PRICE || dollars > MOST_PRICE) {
		throw new Refusal(
			'badPrice',
			`price must be a number from ${LEAST_PRICE} to ${MOST_PRICE} (dollars an hour)`,
		);
	}
	if (ask.min_bid_micros === null) throw new Refusal('badPrice', 'this offer takes no bids');
	const micros = Math.round(dollars * MICROS_PER_DOLLAR);
	if (micros < ask.min_bid_micros) {
		const least = ask.min_bid_micros / MICROS_PER_DOLLAR;
		throw new Refusal('badPrice', `price must be at least ${least}, which is what wins at present`);
	}
	return {isBid: true, micros};
}

type ImageSettings = {readonly image: string; readonly settings: InstanceSettings};

/** Settings as if made with the template, or without one the present settings with changes. */
export function remade(
	{image, settings}: ImageSettings,
	given: Remake,
	template: TemplateContent | undefined,
): ImageSettings {
	if (template === undefined) {
		return {image: given.image ?? image, settings: {...settings, ...replaced(given)}};
	}
	const plan = planOf(given, template, settings.jupyter_token);
	// Settings that templates do not have.
	const {python_utf8, lang_utf8, force, user, vm} = settings;
	return {
		image: plan.image,
		settings: {...plan.settings, python_utf8, lang_utf8, force, user, vm},
	};
}

function replaced({env, onstart, arguments: said}: Remake): Partial<InstanceSettings> {
	return {
		...(env && {env}),
		...(onstart !== undefined && onstart !== null && {onstart}),
		...(said && {args: 'text' in said ? splitArguments(said.text) : said.list}),
	};
}
