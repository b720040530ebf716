/** Order of the rent form: only values that differ from template and defaults. */
import {termsProblem} from '../leases/lease-terms.ts';
import {plainImageName} from '../../contract/rules/image-name.ts';
import {
	LEAST_DISK_GB,
	OrderError,
	readOrder,
	type InstanceOrder,
} from '../../contract/nouns/creation-request.ts';
import {readNumber} from '../../contract/grammar/filter.ts';
import {FieldError, orderRows, readFilters} from './order-table.ts';

export type OrderValues = Readonly<Record<string, string>>;

type OrderRead =
	| {readonly order: InstanceOrder; readonly problem?: undefined}
	| {readonly order?: undefined; readonly problem: string};

/** Reads the form. `base` has the values of the template and the defaults. */
export function readRentForm(values: OrderValues, base: OrderValues): OrderRead {
	try {
		return {order: readOrder(bodyOf(values, base))};
	} catch (error) {
		if (error instanceof OrderError || error instanceof FieldError) {
			return {problem: error.message};
		}
		throw error;
	}
}

function bodyOf(values: OrderValues, base: OrderValues): Readonly<Record<string, unknown>> {
	const valueOf = (id: string) => values[id] ?? '';
	const own = orderRows.flatMap(([name, {form = name, read = (text: string): unknown => text}]) =>
		valueOf(form) === (base[form] ?? '') ? [] : [[name, read(valueOf(form))] as const],
	);
	const {args_str: text, ...same} = Object.fromEntries(own);
	return {
		...same,
		...(typeof text === 'string' && readArguments(text)),
		template_hash_id: valueOf('template') === '' ? undefined : valueOf('template'),
		price: valueOf('type') === 'interruptible' ? readBid(valueOf('price')) : undefined,
		volume_info: volumeOf(values),
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

function volumeOf(values: OrderValues): Readonly<Record<string, unknown>> | undefined {
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
