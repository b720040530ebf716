/** Replies with a list of records, of which those are read that can be. */
import * as z from 'zod/mini';
import {isRecord} from './json.ts';
import {openRecordReader, type ListRules, type RecordReader} from './record-list.ts';
import {noneUnreadable, type Unreadable} from './unreadable.ts';
import {described, tolerant} from './tolerant.ts';

/** A reply as it is read: what is documented, and what of its list was left out. */
export type WithUnreadable<Reply> = Reply & {readonly unreadable: Unreadable};

/** The list of a reply: the field that has it, and a reader of its records. */
type ListIn = {readonly name: string; readonly open: () => RecordReader<unknown>};

const lists = new WeakMap<z.ZodMiniType, ListIn>();

/** The list that a reply consists of, for whoever reads it in parts; undefined where there is none. */
export function listIn(schema: z.ZodMiniType): ListIn | undefined {
	return lists.get(schema);
}

type ListField = ListRules & {
	/** The field that has the list. */
	readonly name: string;
	readonly record: z.ZodMiniType;
};

/**
 * An object with a list. Who sends it sends `whole`, and so it is documented; who reads it gets the
 * records that can be read, and in `unreadable` what is known of the others.
 */
export function listReply<Whole extends z.ZodMiniType<Record<string, unknown>>>(
	whole: Whole,
	{name, record, ...rules}: ListField,
): z.ZodMiniType<WithUnreadable<z.output<Whole>>, z.output<Whole>> {
	const open = () => openRecordReader(record, rules);
	const schema = z.transform((sent: unknown, context) => {
		const list = isRecord(sent) ? sent[name] : undefined;
		const isListed = isRecord(sent) && Array.isArray(list);
		const reply = z.safeParse(whole, isListed ? {...sent, [name]: []} : sent);
		if (!reply.success) {
			for (const {message, path} of reply.error.issues) {
				context.issues.push({code: 'custom', input: sent, message, path: [...path]});
			}
			return z.NEVER;
		}
		if (!Array.isArray(list)) return {...reply.data, unreadable: noneUnreadable};
		const reader = open();
		reader.take(list);
		return {...reply.data, [name]: reader.records, unreadable: reader.unreadable()};
	});
	described.set(schema, whole);
	lists.set(schema, {name, open});
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reader fills the field that is called `name`
	return schema as z.ZodMiniType<WithUnreadable<z.output<Whole>>, z.output<Whole>>;
}

type MapReply<Name extends string, Item> = z.ZodMiniType<
	WithUnreadable<Record<string, unknown> & Readonly<Record<Name, Readonly<Record<string, Item>>>>>,
	Record<string, unknown> & Readonly<Record<Name, Readonly<Record<string, Item>>>>
>;

/** An object with a field whose values are records, each under a name of its own. */
export function mapReply<Name extends string, Item>(
	name: Name,
	record: z.ZodMiniType<Item>,
): MapReply<Name, Item> {
	const entry = tolerant({value: record}, {name: z.string()});
	const schema = z.pipe(
		z.looseObject({[name]: z.custom<Record<string, unknown>>(isRecord, 'expected an object')}),
		z.transform(sent => {
			const reader = openRecordReader(entry);
			reader.take(Object.entries(sent[name] ?? {}).map(([key, value]) => ({name: key, value})));
			const read = Object.fromEntries<unknown>(
				reader.records.map(({name: key, value}) => [String(key), value]),
			);
			return {...sent, [name]: read, unreadable: reader.unreadable()};
		}),
	);
	described.set(schema, z.looseObject({[name]: z.record(z.string(), record)}));
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the field that is filled is called `name`
	return schema as unknown as MapReply<Name, Item>;
}

type BareList<Name extends string, Item> = z.ZodMiniType<
	WithUnreadable<Readonly<Record<Name, readonly Item[]>>>,
	Item[]
>;

/** A list by itself, which is read as the field `name` of an object. */
export function bareList<Name extends string, Item>(
	name: Name,
	record: z.ZodMiniType<Item>,
	rules?: ListRules,
): BareList<Name, Item> {
	const schema = z.pipe(
		z.array(z.unknown()),
		z.transform(sent => {
			const reader = openRecordReader(record, rules);
			reader.take(sent);
			return {[name]: reader.records, unreadable: reader.unreadable()};
		}),
	);
	described.set(schema, z.array(record));
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one field is called `name`
	return schema as unknown as BareList<Name, Item>;
}
