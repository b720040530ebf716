/** Caps of API keys: the most that a key, with the keys that it makes, may rent and spend. */
import * as z from 'zod/mini';

const money = z
	.number('must be a number of dollars')
	.check(z.positive('must be more than 0'), z.maximum(1e6, 'must be at most a million dollars'));
const count = z.int('must be a whole number').check(z.minimum(1, 'must be at least 1'));

/** A cap. An unknown field is refused: an overlooked limit would allow too much. */
export const cap = z
	.strictObject(
		{
			/** Dollars an hour of all present instances together, disks included. */
			dollars_an_hour: z.optional(money),
			/** Dollars a day, which begins at midnight UTC. */
			dollars_a_day: z.optional(money),
			/** Dollars in all, until the end of all leases. */
			dollars: z.optional(money),
			instances: z.optional(count.check(z.maximum(10_000, 'must be at most 10000'))),
			gpus: z.optional(count.check(z.maximum(100_000, 'must be at most 100000'))),
			/** Hours from the moment at which a lease is set until it ends its instance. */
			lease_hours: z.optional(
				z
					.number('must be a number of hours')
					.check(z.positive('must be more than 0'), z.maximum(87_600, 'must be at most ten years')),
			),
			/** Countries of the machines: two letters each. */
			regions: z.optional(
				z
					.array(z.string().check(z.regex(/^[A-Z]{2}$/, 'must be countries of two letters')))
					.check(z.minLength(1, 'must name a country'), z.maxLength(250, 'must be countries')),
			),
		},
		'must have known limits alone',
	)
	.check(z.refine(value => Object.keys(value).length > 0, 'must have a limit'));

export type Cap = z.output<typeof cap>;

export class CapError extends Error {
	override readonly name = 'CapError';
}

type Words = {
	readonly pattern: RegExp;
	readonly read: (words: readonly string[]) => Cap;
	/** The limit of a cap in words that can be parsed back; undefined without one. */
	readonly write: (cap: Cap) => string | undefined;
};

const NUMBER = String.raw`(\d{1,7}(?:\.\d{1,6})?)`;

function wordsOf(
	name: Exclude<keyof Cap, 'regions'>,
	pattern: RegExp,
	write: (value: number) => string,
): Words {
	return {
		pattern,
		read: ([number]) => ({[name]: Number(number)}),
		write: ({[name]: value}) => (value === undefined ? undefined : write(value)),
	};
}

/** Reader and writer of each limit, in the order in which a cap is written. */
const wordings: readonly Words[] = [
	wordsOf(
		'dollars_an_hour',
		new RegExp(String.raw`^\$${NUMBER} *(?:\/|an?|per) *h(?:our)?$`),
		value => `$${value}/hour`,
	),
	wordsOf(
		'dollars_a_day',
		new RegExp(String.raw`^\$${NUMBER} *(?:\/|a|per) *d(?:ay)?$`),
		value => `$${value}/day`,
	),
	wordsOf(
		'dollars',
		new RegExp(String.raw`^\$${NUMBER}(?: *in all)?$`),
		value => `$${value} in all`,
	),
	wordsOf('instances', new RegExp(`^${NUMBER} *instances?$`), value =>
		value === 1 ? '1 instance' : `${value} instances`,
	),
	wordsOf('gpus', new RegExp(`^${NUMBER} *gpus?$`), value =>
		value === 1 ? '1 GPU' : `${value} GPUs`,
	),
	wordsOf(
		'lease_hours',
		new RegExp(String.raw`^${NUMBER} *h(?:ours?)?[ -]*(?:of )?(?:a )?leases?$`),
		value => `${value}h leases`,
	),
	{
		pattern: /^in ([a-z]{2}(?: +[a-z]{2})*)$/,
		read: ([places = '']) => ({
			regions: places.toUpperCase().split(/ +/),
		}),
		write: ({regions}) => (regions === undefined ? undefined : `in ${regions.join(' ')}`),
	},
];

/** Reads `$5/day, 2 instances, 12h leases, in SE NO`. @throws CapError */
export function readCap(text: string): Cap {
	const read: Array<readonly [string, unknown]> = [];
	for (const part of text.split(',').map(word => word.trim().toLowerCase())) {
		const known = wordings
			.map(words => ({words, match: words.pattern.exec(part)}))
			.find(({match}) => match !== null);
		if (known === undefined) {
			throw new CapError(
				`"${part}" is not a limit. There are $5/day, $1/hour, $100 in all, 2 instances, 4 GPUs, ` +
					'12h leases and in SE NO, with commas between them.',
			);
		}
		for (const entry of Object.entries(known.words.read(known.match?.slice(1) ?? []))) {
			if (read.some(([name]) => name === entry[0])) throw new CapError(`"${part}" is given twice.`);
			read.push(entry);
		}
	}
	const whole = cap.safeParse(Object.fromEntries(read));
	if (whole.success) return whole.data;
	const [issue] = whole.error.issues;
	throw new CapError(`${issue?.path.join(' ') ?? ''} ${issue?.message}.`.trim());
}

export function writeCap(value: Cap): string {
	return wordings.flatMap(({write}) => write(value) ?? []).join(', ');
}

/** Use of a cap: what the instances of its keys hold and cost at present. */
export const capUse = z.looseObject({
	dollars_an_hour: z.number(),
	/** Today's and tomorrow's dollars, whichever are more, until the leases end. */
	dollars_a_day: z.number(),
	/** Dollars in all, until the leases end; null while an instance has no lease that destroys it. */
	dollars: z.nullable(z.number()),
	instances: z.number(),
	gpus: z.number(),
});

/** Use of a cap in dollars; infinite while an instance has no lease that destroys it. */
export type CapUse = Readonly<Record<Exclude<keyof Cap, 'lease_hours' | 'regions'>, number>>;

const figures = {
	dollars_an_hour: value => `$${shown(value)} an hour`,
	dollars_a_day: value => `$${shown(value)} a day`,
	dollars: value => `$${shown(value)} in all`,
	instances: value => (value === 1 ? '1 instance at once' : `${value} instances at once`),
	gpus: value => (value === 1 ? '1 GPU at once' : `${value} GPUs at once`),
} as const satisfies Readonly<Record<keyof CapUse, (value: number) => string>>;

const counted = ['instances', 'gpus', 'dollars_an_hour', 'dollars_a_day', 'dollars'] as const;

/** Tolerance for rounding in sums of micro-dollars, which exceeds no limit. */
const DUST = 1e-6;

/**
 * The first limit that a use exceeds, in a sentence; undefined for none.
 *
 * @param whose "The cap of this key"
 */
export function capProblem(limits: Cap, use: CapUse, whose: string): string | undefined {
	const name = counted.find(one => use[one] > (limits[one] ?? Infinity) + DUST);
	if (name === undefined) return undefined;
	const most = figures[name](limits[name] ?? 0);
	if (use[name] !== Infinity) {
		return `${whose} is ${most}, and this would make it ${figures[name](use[name])}.`;
	}
	return (
		`${whose} is ${most}, so each instance needs a lease that destroys it ` +
		'(ends_at, with the action destroy or stop-destroy).'
	);
}

/** The rest of each counted limit, in words: "$3.20 a day of $5.00 a day". */
export function capLeft(limits: Cap, use: CapUse): readonly string[] {
	return counted.flatMap(name => {
		const most = limits[name];
		if (most === undefined) return [];
		return `${figures[name](Math.max(0, most - use[name]))} of ${figures[name](most)}`;
	});
}

/** Dollars with cents, or more decimals if cents are too coarse. */
function shown(dollars: number): string {
	return dollars >= 0.1 || dollars === 0
		? dollars.toFixed(2)
		: String(Number(dollars.toPrecision(2)));
}
