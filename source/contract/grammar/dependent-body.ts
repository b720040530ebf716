import * as z from 'zod/mini';
import {described} from './tolerant.ts';

const anything = z.record(z.string(), z.unknown());

type DependentBody<Value> = {
	/** The words of what it throws are the words of the refusal. */
	readonly read: (body: Readonly<Record<string, unknown>>) => Value;
	readonly write: (value: Value) => Record<string, unknown>;
	/** Request fields, for the documents. */
	readonly takes: Readonly<Record<string, z.ZodMiniType>>;
	/** The errors with which it says that a body is not what it must be. */
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
