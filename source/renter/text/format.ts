import {printable} from './text-width.ts';
import {DAY, HOUR} from '../../contract/rules/durations.ts';

/** Placeholder for a value that the service did not send. Never a zero. */
export const MISSING = '-';

type Maybe<Value> = Value | null | undefined;

/** Makes a formatter show missing values, and values that are not numbers, as missing. */
export function known<Value>(format: (value: Value) => string) {
	return (value: Maybe<Value>): string =>
		value === null || value === undefined || isNoNumber(value) ? MISSING : format(value);
}

function isNoNumber(value: unknown): boolean {
	return typeof value === 'number' && !Number.isFinite(value);
}

/** A number with so many decimals, and without a minus sign if all digits are zero. */
function fixed(value: number, digits: number): string {
	const text = value.toFixed(digits);
	return Number(text) === 0 ? text.replace('-', '') : text;
}

/** A number with thousands separators, by hand: a locale takes 18 ms to load. */
function withThousands(text: string): string {
	if (text.startsWith('-')) return `-${withThousands(text.slice(1))}`;
	const point = text.indexOf('.');
	const whole = point < 0 ? text : text.slice(0, point);
	if (whole.length < 4) return text;
	const first = whole.length % 3;
	const groups = first === 0 ? [] : [whole.slice(0, first)];
	for (let at = first; at < whole.length; at += 3) groups.push(whole.slice(at, at + 3));
	return groups.join(',') + text.slice(whole.length);
}

/** Dollars with so many decimals: 1,234.50, -0.25, and <0.01 for smaller amounts. */
function figure(dollars: number, digits: number, sign: '' | '$'): string {
	const text = fixed(dollars, digits);
	if (dollars > 0 && Number(text) === 0) return `<${sign}${fixed(10 ** -digits, digits)}`;
	return text.startsWith('-')
		? `-${sign}${withThousands(text.slice(1))}`
		: sign + withThousands(text);
}

/** True if an amount is below a limit, also when rounded to so many decimals. */
function isBelow(dollars: number, limit: number, digits: number): boolean {
	return Math.abs(dollars) < limit - 0.5 / 10 ** digits;
}

/** Decimals of a price: four below ten dollars an hour, where they matter, and two above. */
function priceDigits(dollars: number): number {
	return isBelow(dollars, 10, 4) ? 4 : 2;
}

/** A price per hour: 0.2955, 12.50. */
export const price = known((dollars: number) => figure(dollars, priceDigits(dollars), ''));

/** A price per hour if space is short: .2955, as on price tags. */
export const shortPrice = known((dollars: number) => withoutZero(price(dollars)));

/** Dollars an hour below which a difference is of rounding alone. */
export const LEAST_PRICE_DIFFERENCE = 5e-5;

/** A price per hour with its unit: $0.2955/h. */
export const pricePerHour = known(
	(dollars: number) => `${figure(dollars, priceDigits(dollars), '$')}/h`,
);

/** The same for a price over a limit, rounded up so that it does not read as the limit itself. */
export const priceOverLimit = known((dollars: number) =>
	pricePerHour(upTo(dollars, priceDigits(dollars))),
);

/** A price per hour with its sign alone: $0.2955. */
export const signedPrice = known((dollars: number) => figure(dollars, priceDigits(dollars), '$'));

/** Daily price: $7.23/day. */
export const pricePerDay = known((dollars: number) => `${money(dollars)}/day`);

const tags = [
	{below: 10, digits: 2},
	{below: 100, digits: 1},
	{below: Infinity, digits: 0},
] as const;

/** An upper bound of a price that is not certain: <0.39, <2.10, <12.5. */
export const atMost = known((dollars: number) => {
	const rounded = tags.map(({below, digits}) => ({below, digits, most: upTo(dollars, digits)}));
	const tag = rounded.find(({below, most}) => most < below);
	return `<${fixed(tag?.most ?? dollars, tag?.digits ?? 0)}`;
});

/** An upper bound, rounded up: less would not be the most; a billionth is a rounding error. */
function upTo(dollars: number, digits: number): number {
	return Math.ceil(dollars * 10 ** digits - 1e-9) / 10 ** digits;
}

function withoutZero(text: string): string {
	return text.replace(/^([-<]?)0\./, '$1.');
}

/** A price per hour in five columns: 1.660, .210, 12.50. */
export const priceTag = known((dollars: number) => {
	const digits = isBelow(dollars, 10, 3)
		? 3
		: isBelow(dollars, 100, 2)
			? 2
			: isBelow(dollars, 1000, 1)
				? 1
				: 0;
	return withoutZero(figure(dollars, digits, ''));
});

/** A price per hour to a tenth of a cent: $1.620/h. */
export const millsPerHour = known((dollars: number) => `${figure(dollars, 3, '$')}/h`);

/** An amount of money with its sign: $7.23, and $0.0042 if two decimals would say little. */
export const money = known((dollars: number) =>
	figure(dollars, dollars !== 0 && isBelow(dollars, 0.1, 4) ? 4 : 2, '$'),
);

/** An amount of money as bills have it: $1,234.50. */
export const cents = known((dollars: number) => figure(dollars, 2, '$'));

/** Dollars an hour in sums: $4.42, and $0.003 if two decimals would say nothing. */
export const hourly = known((dollars: number) =>
	figure(dollars, dollars !== 0 && isBelow(dollars, 0.1, 3) ? 3 : 2, '$'),
);

/** A whole number, with thousands set apart: 2,000. */
export const count = known((value: number) => withThousands(fixed(value, 0)));

export function decimals(digits: number) {
	return known((value: number) => fixed(value, digits));
}

/**
 * A number with no more decimals than it has: 0.3, even if arithmetic made 0.30000000000000004 of
 * it.
 */
export const plainNumber = known((value: number) => String(Number(fixed(value, 6))));

/** A share as a percentage with one decimal: 0.996 is 99.6. Only a full share is 100.0. */
export const percent = known((share: number) => {
	const text = fixed(share * 100, 1);
	if (share > 0 && Number(text) === 0) return '<0.1';
	return share < 1 && Number(text) >= 100 ? '99.9' : text;
});

/** A percentage as a whole number: 43%. Only exact values are 0% and 100%. */
export const wholePercent = known((value: number) => {
	const rounded = Math.round(value);
	if (value > 0 && rounded === 0) return '<1%';
	return `${fixed(value < 100 ? Math.min(99, rounded) : rounded, 0)}%`;
});

/** Price difference in percent: +3 %, -13 %. */
export const change = known((value: number) => {
	const text = fixed(value, 0);
	return `${text.startsWith('-') ? '' : '+'}${text} %`;
});

/** Megabytes as the gigabytes in a card's name: 24564 is 24G. */
export const gigabytesOfMb = known((megabytes: number) => `${Math.round(megabytes / 1024)}G`);

export const wholeGigabytes = known((value: number) => `${Math.floor(value)}G`);

/** Duration in its largest unit: 61d, 5h, 12m. */
export const duration = known((seconds: number) => {
	if (seconds >= DAY) return `${Math.floor(seconds / DAY)}d`;
	if (seconds >= HOUR) return `${Math.floor(seconds / HOUR)}h`;
	return `${Math.max(0, Math.floor(seconds / 60))}m`;
});

/** The time of day on the user's clock: 12:41:07. A service may send an impossible time. */
export function timeOfDay(at: Date): string {
	if (Number.isNaN(at.getTime())) return '--:--:--';
	return [at.getHours(), at.getMinutes(), at.getSeconds()]
		.map(part => String(part).padStart(2, '0'))
		.join(':');
}

/** A sentence, with its full stop added if missing. */
export function sentence(text: string): string {
	return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

type Gpus = {readonly num_gpus?: Maybe<number>; readonly gpu_name?: Maybe<string>};

/** GPUs by number and name: "4x RTX 4090". */
export function formatGpus({num_gpus: gpus, gpu_name: name}: Gpus): string {
	if ((gpus ?? name ?? undefined) === undefined) return MISSING;
	if (gpus === 0) return 'no GPU';
	return `${gpus ?? '?'}x ${printable(name ?? '?')}`;
}

/** The date of a moment in UTC, from seconds since 1970: 2026-11-30. */
export function isoDay(seconds: number): string {
	const at = new Date(seconds * 1000);
	return Number.isNaN(at.getTime()) ? MISSING : at.toISOString().slice(0, 10);
}

/** The phrase that confirms for so many when typed: "destroy", or "destroy 34". */
export function confirmingPhrase(verb: string, targets: number): string {
	return targets === 1 ? verb : `${verb} ${targets}`;
}
