import * as z from 'zod/mini';
import {isRecord} from './json.ts';
import {boundsOf, type Bounds} from './values.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

type Values<Fields extends Shape> = {[Name in keyof Fields]: z.output<Fields[Name]>};

/** Record from a foreign service: required fields are checked, others may be missing. */
type Tolerant<Required extends Shape, Fields extends Shape> = Values<Required> & {
	[Name in keyof Fields]?: z.output<Fields[Name]> | null | undefined;
} & Record<string, unknown>;

/** The full schema of each tolerant one, for the API document. */
export const described = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/**
 * A record as services really send it: fields are missing, null, or of another type in another
 * version. Only the `required` fields must exist. A field of another type becomes undefined,
 * never a made-up zero, and unknown fields are kept.
 *
 * Manual parsing is for lists of thousands: an object schema of eighty lenient fields takes 15 µs
 * a record, and this code 1.
 */
export function tolerant<Required extends Shape, Fields extends Shape>(
	required: Required,
	fields: Fields,
) {
	const checks = new Map(Object.entries(fields).map(([name, schema]) => [name, checkOf(schema)]));
	const must = Object.entries(required).map(
		([name, schema]) => [name, exactCheck(schema)] as const,
	);
	const schema = z.pipe(
		z.custom<Record<string, unknown>>(value => problemOf(value, must) === undefined, {
			error: ({input}) => problemOf(input, must),
		}),
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checks above and below are what makes it one
		z.transform(record => forgetUnfit(record, checks) as Tolerant<Required, Fields>),
	);
	const optional = Object.entries(fields).map(([name, of]) => [name, z.nullish(of)]);
	described.set(schema, z.looseObject({...required, ...Object.fromEntries(optional)}));
	return schema;
}

/** Problem that makes a record unreadable: `id is missing`; undefined without one. */
function problemOf(record: unknown, must: ReadonlyArray<readonly [string, Check]>) {
	if (!isRecord(record)) return `it is ${kindOfValue(record)}`;
	const unfit = must.find(([name, check]) => !check(record[name]));
	return unfit && `${unfit[0]} is ${kindOfValue(record[unfit[0]])}`;
}

/** Kind of a value in a word or two, without repeating hostile text. */
export function kindOfValue(value: unknown): string {
	if (value === undefined) return 'missing';
	if (typeof value === 'string') return 'text';
	if (Array.isArray(value)) return 'a list';
	const isSafe = typeof value === 'number' || typeof value === 'boolean' || value === null;
	return isSafe ? String(value) : 'an object';
}

type Check = (value: unknown) => boolean;

const anyNumber: Bounds = {least: -1e15, most: 1e15};

/** The test of a schema, optimised for a plain type. */
function checkOf(schema: z.ZodMiniType): Check {
	if (schema._zod.def.type !== 'number') return exactCheck(schema);
	const {least, most} = boundsOf.get(schema) ?? anyNumber;
	// Whole numbers are not required: a service that sends 12.5 cores still means 12.5.
	return value => typeof value === 'number' && value >= least && value <= most;
}

/**
 * The exact test of a schema, for required fields: an id of 12.5 or -1 would be useless in a call.
 */
function exactCheck(schema: z.ZodMiniType): Check {
	const {type} = schema._zod.def;
	if (type === 'string' || type === 'boolean') return value => typeof value === type;
	return value => z.safeParse(schema, value).success;
}

function forgetUnfit(
	record: Record<string, unknown>,
	checks: ReadonlyMap<string, Check>,
): Record<string, unknown> {
	for (const name in record) {
		const value = record[name];
		if (value !== null && checks.get(name)?.(value) === false) record[name] = undefined;
	}
	return record;
}

const anything = z.record(z.string(), z.unknown());

type DependentBody<Value> = {
	/** Reads the body; the message of its error becomes the refusal. */
	readonly read: (body: Readonly<Record<string, unknown>>) => Value;
	readonly write: (value: Value) => Record<string, unknown>;
	/** Request fields, for the documents. */
	readonly takes: Readonly<Record<string, z.ZodMiniType>>;
	/** The errors that `read` throws for a malformed body. */
	readonly throws: ReadonlyArray<new (message: string) => Error>;
};

/** A schema of a body whose parts depend on each other too much for a table of types. */
export function dependentBody<Value>({read, write, takes, throws}: DependentBody<Value>) {
	const schema = z.codec(anything, z.custom<Value>(), {
		decode(body, context) {
			try {
				return read(body);
			} catch (error) {
				if (!(error instanceof Error) || !throws.some(kind => error instanceof kind)) throw error;
				context.issues.push({code: 'custom', input: body, message: error.message});
				return z.NEVER;
			}
		},
		encode: write,
	});
	described.set(schema, z.looseObject(takes));
	return schema;
}
