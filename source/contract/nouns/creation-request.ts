/**
 * Request to create an instance. Null counts as missing everywhere, some clients send numbers as
 * text, and unknown keys are ignored.
 */
import {parseEnv, readEnvObject, type Env, envProblem} from '../rules/env.ts';
import {readBoolean, readNumber} from '../grammar/filter.ts';
import {isRecord} from '../grammar/json.ts';
import type {LeaseOrder} from './leases.ts';
import type {Arguments, CreationRequest} from './merge.ts';
import {canonicalRuntype, launchWord, parseRuntype, type LaunchWord} from '../rules/runtype.ts';
import {countCharacters} from '../grammar/harmless-text.ts';

export const LEAST_DISK_GB = 8;
export const LONGEST_ONSTART = 4048;
/** The most characters of the arguments and `onstart` together. */
export const LONGEST_COMMANDS = 4096;

/** Order for an instance, before an offer is chosen. */
export type InstanceOrder = CreationRequest & {
	readonly templateHash?: string | undefined;
	/**
	 * The documented word for `launch` that was chosen, which is sent unchanged.
	 *
	 * @default the closest word to `launch`
	 */
	readonly runtype?: LaunchWord | undefined;
	/** @default 'running' */
	readonly target?: 'running' | 'stopped' | undefined;
	/**
	 * Bid in dollars an hour, for an interruptible instance. The market parses it last, when it can
	 * refuse it as `invalid_price`.
	 */
	readonly price?: unknown;
	/** Refuse the request if the instance cannot start at once. */
	readonly cancelUnavailable?: boolean | undefined;
	readonly vm?: boolean | undefined;
	readonly lease?: LeaseOrder | undefined;
};

export class OrderError extends Error {
	override readonly name = 'OrderError';
}

type Body = Readonly<Record<string, unknown>>;

/** @throws OrderError */
export function readOrder(body: Body): InstanceOrder {
	if (given(body['template_id'])) {
		throw new OrderError('template_id makes no instances: give template_hash_id');
	}
	const order = {
		...readTexts(body),
		...readFlags(body),
		templateHash: textIn(body, 'template_hash_id', 128),
		disk: diskIn(body),
		...launchIn(body),
		target: targetIn(body),
		env: envIn(body),
		arguments: argumentsIn(body),
		price: body['price'] ?? undefined,
		volume_info: objectIn(body, 'volume_info'),
		extra_filters: objectIn(body, 'extra_filters'),
	};
	if (order.image === undefined && order.templateHash === undefined) {
		throw new OrderError('image is required where no template_hash_id is given');
	}
	refuseLongCommands(order);
	return order;
}

export type Remake = Pick<
	InstanceOrder,
	'templateHash' | 'image' | 'env' | 'onstart' | 'arguments'
> & {readonly templateId?: number | undefined};

/** @throws OrderError */
export function readRemake(body: Body): Remake {
	const {args, env, onstart} = body;
	const templateId = given(body['template_id']) ? readNumber(body['template_id']) : undefined;
	const remake = {
		templateId,
		templateHash: nonEmpty(textIn(body, 'template_hash_id', 128)),
		image: nonEmpty(textIn(body, 'image', 1024)),
		env: envIn({env}),
		onstart: textIn({onstart}, 'onstart', LONGEST_ONSTART),
		arguments: argumentsIn(typeof args === 'string' ? {args_str: args} : {args}),
	};
	if (given(body['template_id']) && !Number.isSafeInteger(templateId)) {
		throw new OrderError('template_id must be a whole number');
	}
	if (Object.values(remake).every(value => value === undefined)) {
		throw new OrderError(
			'template_id, template_hash_id, image, args, env or onstart must be given',
		);
	}
	refuseLongCommands(remake);
	return remake;
}

function refuseLongCommands(order: Pick<InstanceOrder, 'arguments' | 'onstart'>): void {
	const said = order.arguments ? lengthOfArguments(order.arguments) : 0;
	if (said + countCharacters(order.onstart ?? '') > LONGEST_COMMANDS) {
		throw new OrderError(
			`args, args_str and onstart have at most ${LONGEST_COMMANDS} characters together`,
		);
	}
}

/** Length of the arguments as one text, in characters. */
export function lengthOfArguments(said: Arguments): number {
	return countCharacters('text' in said ? said.text : said.list.join(' '));
}

function readTexts(body: Body) {
	return {
		image: nonEmpty(textIn(body, 'image', 1024)),
		label: textIn(body, 'label', 256),
		onstart: textIn(body, 'onstart', LONGEST_ONSTART),
		jupyter_dir: textIn(body, 'jupyter_dir', 1024),
		user: textIn(body, 'user', 256),
		image_login: textIn(body, 'image_login', 4096),
	};
}

function readFlags(body: Body) {
	return {
		cancelUnavailable: flagIn(body, 'cancel_unavail'),
		vm: flagIn(body, 'vm'),
		use_jupyter_lab: flagIn(body, 'use_jupyter_lab'),
		python_utf8: flagIn(body, 'python_utf8'),
		lang_utf8: flagIn(body, 'lang_utf8'),
		force: flagIn(body, 'force'),
	};
}

/** Writes an order for the wire, with the documented words. */
export function printOrder(order: InstanceOrder): Record<string, unknown> {
	const {templateHash, target, cancelUnavailable, launch, env, arguments: said, ...same} = order;
	const written = {
		...same,
		template_hash_id: templateHash,
		target_state: target,
		cancel_unavail: cancelUnavailable,
		runtype: same.runtype ?? (launch && launchWord(launch)),
		env: env && Object.fromEntries(env),
		...(said && ('text' in said ? {args_str: said.text} : {args: said.list})),
	};
	return Object.fromEntries(Object.entries(written).filter(([, value]) => given(value)));
}

function given(value: unknown): boolean {
	return value !== undefined && value !== null;
}

function textIn(body: Body, name: string, most: number): string | undefined {
	const value = body[name];
	if (!given(value)) return undefined;
	if (typeof value !== 'string') throw new OrderError(`${name} must be text`);
	if (!isStorable(value))
		throw new OrderError(`${name} must not have NUL or half a character in it`);
	if (countCharacters(value) > most) throw new OrderError(`${name} has at most ${most} characters`);
	return value;
}

/** False for text with a lone surrogate, or with NUL, which ends text in C; JSON can carry both. */
function isStorable(value: string): boolean {
	return value.isWellFormed() && !value.includes('\0');
}

function nonEmpty(value: string | undefined): string | undefined {
	return value === undefined || value.trim() === '' ? undefined : value;
}

function flagIn(body: Body, name: string): boolean | undefined {
	if (!given(body[name])) return undefined;
	const flag = readBoolean(body[name]);
	if (flag === undefined) throw new OrderError(`${name} must be true or false`);
	return flag;
}

function diskIn(body: Body): number | undefined {
	if (!given(body['disk'])) return undefined;
	const disk = readNumber(body['disk']);
	if (disk === undefined || disk < LEAST_DISK_GB) {
		throw new OrderError(`disk must be a number of at least ${LEAST_DISK_GB} (GB)`);
	}
	return disk;
}

function launchIn(body: Body): Pick<InstanceOrder, 'launch' | 'runtype'> {
	const said = nonEmpty(textIn(body, 'runtype', 256));
	if (said === undefined) return {};
	const launch = parseRuntype(said);
	if (launch !== undefined) return {launch, runtype: canonicalRuntype(said)};
	throw new OrderError(
		'runtype must be one of ssh, ssh_proxy, ssh_direct, jupyter, jupyter_proxy, jupyter_direct and args',
	);
}

function targetIn(body: Body): InstanceOrder['target'] {
	const target = body['target_state'];
	if (!given(target)) return undefined;
	if (target === 'running' || target === 'stopped') return target;
	throw new OrderError('target_state must be running or stopped');
}

function envIn(body: Body): Env | undefined {
	const value = body['env'];
	if (!given(value)) return undefined;
	if (!isRecord(value) && typeof value !== 'string') {
		throw new OrderError('env must be text or an object');
	}
	const env = isRecord(value)
		? readEnvObject(value)
		: parseEnv(textIn(body, 'env', LONGEST_ENV_LINE) ?? '');
	const problem = envProblem(env);
	if (problem !== undefined) throw new OrderError(problem);
	if (env.some(([key, said]) => !isStorable(key) || !isStorable(said))) {
		throw new OrderError('env must not have NUL or half a character in it');
	}
	return env;
}

/** The longest text that is parsed: longer than any accepted environment. */
const LONGEST_ENV_LINE = 65_536;

function argumentsIn(body: Body): Arguments | undefined {
	const list = body['args'];
	if (given(list) && !isTexts(list)) throw new OrderError('args must be a list of texts');
	if (isTexts(list) && list.length > 0) return {list};
	const text = nonEmpty(textIn(body, 'args_str', LONGEST_COMMANDS));
	return text === undefined ? undefined : {text};
}

function isTexts(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every(item => typeof item === 'string' && isStorable(item));
}

function objectIn(body: Body, name: string): Readonly<Record<string, unknown>> | undefined {
	const value = body[name];
	if (!given(value)) return undefined;
	if (isRecord(value)) return value;
	throw new OrderError(`${name} must be an object`);
}
