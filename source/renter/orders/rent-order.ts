/** Order of the rent form: only values that differ from template and defaults. */
import {shownLabel} from '../words/lease.ts';
import {listOf} from '../../contract/grammar/json.ts';
import {termsProblem} from '../leases/lease-terms.ts';
import {plainImageName} from '../../contract/rules/image-name.ts';
import {
	LEAST_DISK_GB,
	OrderError,
	readOrder,
	type InstanceOrder,
} from '../../contract/nouns/creation-request.ts';
import {lastOfEach, type Env, type EnvEntry} from '../../contract/rules/env.ts';
import {readNumber} from '../../contract/grammar/filter.ts';
import {readExtraFilters} from '../templates/filter-words.ts';

/** The fields of an order as people fill them in, by the names that they have everywhere. */
const orderFields = [
	'template',
	'image',
	'label',
	'disk',
	'launch',
	'type',
	'price',
	'target',
	'env',
	'onstart',
	'volume',
	'volume_id',
	'volume_size',
	'volume_path',
	'volume_name',
	'ends',
	'stuck',
	'access',
	'args',
	'vm',
	'use_jupyter_lab',
	'jupyter_dir',
	'user',
	'image_login',
	'python_utf8',
	'lang_utf8',
	'force',
	'extra_filters',
	'cancel',
	'tries',
	'ceiling',
] as const;

export type OrderField = (typeof orderFields)[number];

/** The texts of the fields of an order, by their names. */
export type Values = Readonly<Record<string, string>>;

/** Form field that an error of the contract names by its wire name. */
export function fieldNamed(message: string): string | undefined {
	const words = message.match(/[a-z_]+/g) ?? [];
	const word = words.find(
		name => renamed.has(name) || (orderFields.some(id => id === name) && name !== 'user'),
	);
	return word === undefined ? undefined : (renamed.get(word) ?? word);
}

const renamed: ReadonlyMap<string, string> = new Map([
	['runtype', 'launch'],
	['args_str', 'args'],
	['target_state', 'target'],
	['cancel_unavail', 'cancel'],
	['volume_info', 'volume'],
	['mount_path', 'volume_path'],
	['template_hash_id', 'template'],
]);

type OrderRead =
	| {readonly order: InstanceOrder; readonly problem?: undefined}
	| {readonly order?: undefined; readonly problem: string};

/** Reads the form. `base` has the values of the template and the defaults. */
export function readRentForm(values: Values, base: Values): OrderRead {
	try {
		return {order: readOrder(bodyOf(values, base))};
	} catch (error) {
		if (error instanceof OrderError || error instanceof FieldError) {
			return {problem: error.message};
		}
		throw error;
	}
}

/** A text that a field cannot mean. */
class FieldError extends Error {
	override readonly name = 'FieldError';
}

const texts = ['onstart', 'jupyter_dir', 'user', 'image_login'];
const flags = ['use_jupyter_lab', 'python_utf8', 'lang_utf8', 'force', 'vm'];

function bodyOf(values: Values, base: Values): Readonly<Record<string, unknown>> {
	const said = (id: string) => values[id] ?? '';
	const isOwn = (id: string) => said(id) !== (base[id] ?? '');
	const own = (id: string, read: (text: string) => unknown = text => text) =>
		isOwn(id) ? read(said(id)) : undefined;
	return {
		template_hash_id: said('template') === '' ? undefined : said('template'),
		image: own('image'),
		disk: own('disk'),
		runtype: own('launch'),
		target_state: own('target'),
		price: said('type') === 'interruptible' ? readBid(said('price')) : undefined,
		env: own('env', text => Object.fromEntries(readEnv(text))),
		...(isOwn('args') ? readArguments(said('args')) : {}),
		cancel_unavail: own('cancel', text => text === 'yes'),
		volume_info: volumeOf(values),
		extra_filters: own('extra_filters', readFilters),
		// What looks like a lease in a typed label is none: it would end the instance.
		label: own('label', shownLabel),
		...Object.fromEntries(texts.map(id => [id, own(id)])),
		...Object.fromEntries(flags.map(id => [id, own(id, text => text === 'yes')])),
	};
}

function readBid(text: string): unknown {
	if (text.trim() === '') throw new FieldError('price: an interruptible instance needs a bid');
	const bid = readNumber(text);
	if (bid === undefined) throw new FieldError('price: expected dollars an hour, like 0.21');
	return bid;
}

/** Arguments as one text, or as the list that JSON writes: ["--port", "80"]. */
function readArguments(text: string): Readonly<Record<string, unknown>> {
	if (!text.trimStart().startsWith('[')) return {args_str: text};
	try {
		const list: unknown = JSON.parse(text);
		return {args: list};
	} catch {
		throw new FieldError('args: expected a text, or a list like ["--port", "80"]');
	}
}

function readFilters(text: string): unknown {
	if (text.trim() === '') return undefined;
	const read = readExtraFilters(text);
	if ('problem' in read) throw new FieldError(`extra_filters: ${read.problem}`);
	return read.filters;
}

function volumeOf(values: Values): Readonly<Record<string, unknown>> | undefined {
	const {volume = 'none', volume_id: id = '', volume_path: path = ''} = values;
	if (volume === 'none') return undefined;
	const number = readNumber(id);
	if (number === undefined) throw new FieldError('volume_id: expected the number of a volume');
	const mount = {create_new: volume === 'create', volume_id: number, mount_path: path};
	if (volume === 'link') return mount;
	const {volume_size: size = '', volume_name: name = ''} = values;
	return {
		...mount,
		size: size === '' ? undefined : (readNumber(size) ?? size),
		name: name === '' ? undefined : name,
	};
}

/** An environment as the form keeps it: JSON, because not every value can be said in Docker flags. */
export function writeEnv(env: Env): string {
	return env.length === 0 ? '' : JSON.stringify(env);
}

export function readEnv(text: string): Env {
	if (text === '') return [];
	const entries: unknown = JSON.parse(text);
	if (!Array.isArray(entries)) return [];
	return lastOfEach(entries.map(readEntry));
}

function readEntry(entry: unknown): EnvEntry {
	const parts = listOf(entry);
	return [String(parts[0]), String(parts[1])];
}

/**
 * Renter's own entries of an environment that was edited as a whole: those that differ from the
 * template.
 */
export function ownEntries(whole: Env, template: Env): Env {
	const kept = new Map(template);
	return whole.filter(([key, value]) => kept.get(key) !== value);
}

const numbers: Readonly<Record<string, readonly [least: number, rule: string]>> = {
	volume_size: [1, 'expected a whole number of GB'],
	tries: [0, 'expected how many others to try, 3 at most'],
	ceiling: [0, 'expected how many percent dearer they may be'],
};

/** Reason why a text is no image name; undefined for an empty one. */
export function imageProblem(text: string): string | undefined {
	if (text.trim() === '' || plainImageName(text) !== undefined) return undefined;
	return 'expected a name of an image, like ubuntu:24.04';
}

/** Reason why a text is no valid disk size. */
export function diskProblem(text: string): string | undefined {
	const value = readNumber(text);
	if (value !== undefined && value >= LEAST_DISK_GB) return undefined;
	return `expected at least ${LEAST_DISK_GB} GB`;
}

const checks: Readonly<Record<string, (text: string) => string | undefined>> = {
	ends: termsProblem,
	image: imageProblem,
	disk: diskProblem,
	price: text =>
		readNumber(text) === undefined ? 'expected dollars an hour, like 0.21' : undefined,
};

/**
 * Reason why a field refuses a text; problems of several fields are found before anything is sent.
 */
export function fieldProblem(id: string, text: string): string | undefined {
	const number = numbers[id];
	if (number !== undefined) {
		const [least, rule] = number;
		const value = readNumber(text);
		const isEmpty = text.trim() === '' && id === 'volume_size';
		return isEmpty || (value !== undefined && value >= least) ? undefined : rule;
	}
	const check = checks[id];
	if (check !== undefined) return check(text);
	try {
		if (id === 'args') readArguments(text);
		if (id === 'extra_filters') readFilters(text);
		return undefined;
	} catch (error) {
		if (error instanceof FieldError) return error.message.replace(/^[a-z_]+: /, '');
		throw error;
	}
}
