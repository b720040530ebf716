/** Replies with a list of records: unreadable records are left out and counted. */
import * as z from 'zod/mini';
import {isRecord} from './json.ts';
import {kindOfValue, described, tolerant} from './tolerant.ts';
import {MOST_NAMED, type Unreadable, type UnreadRecord, noneUnreadable} from './unreadable.ts';

/** Reader of one list, which may come in parts. */
type RecordReader<Item> = {
	readonly take: (sent: readonly unknown[]) => void;
	readonly records: readonly Item[];
	readonly unreadable: () => Unreadable;
};

type ListRules = {
	/**
	 * True to treat records with a repeated `id` as unreadable: rows, marks and actions use the id,
	 * so the first
	 * record of each id is kept.
	 * @default false
	 */
	readonly hasIds?: boolean;
};

export function openRecordReader<Of extends z.ZodMiniType>(
	schema: Of,
	{hasIds = false}: ListRules = {},
): RecordReader<z.output<Of>> {
	const records: Array<z.output<Of>> = [];
	const first: UnreadRecord[] = [];
	const places = new Map<unknown, number>();
	let [count, of] = [0, 0];

	/** Reason why a readable record is left out. */
	function repeats(record: unknown): string | undefined {
		const id = isRecord(record) ? record['id'] : undefined;
		const place = places.get(id);
		if (place === undefined) places.set(id, of);
		return place === undefined ? undefined : `its id is that of number ${place + 1}`;
	}

	function take(sent: readonly unknown[]): void {
		for (const record of sent) {
			const read = z.safeParse(schema, record);
			const twice = read.success && hasIds ? repeats(read.data) : undefined;
			if (read.success && twice === undefined) records.push(read.data);
			else {
				count += 1;
				if (first.length < MOST_NAMED) {
					const why = twice ?? whyUnread(read.error, record);
					first.push({index: of, name: recordName(record), why});
				}
			}
			of += 1;
		}
	}

	return {take, records, unreadable: () => ({count, of, first})};
}

function whyUnread(error: z.core.$ZodError | undefined, record: unknown): string {
	const [issue] = error?.issues ?? [];
	return issue?.code === 'custom' ? issue.message : `it is ${kindOfValue(record)}`;
}

/** Text that is harmless on a terminal and short. */
const harmless = /^\w[\w .:/+-]{0,39}$/;

function recordName(record: unknown): string | undefined {
	if (!isRecord(record)) return undefined;
	for (const field of ['id', 'hash_id', 'name', 'label']) {
		const value = record[field];
		const isName = typeof value === 'number' || (typeof value === 'string' && harmless.test(value));
		if (isName) return `${field} ${value}`;
	}
	return undefined;
}

/** A parsed reply: the documented fields, and the records that were left out of its list. */
type WithUnreadable<Reply> = Reply & {readonly unreadable: Unreadable};

type ListIn = {readonly name: string; readonly open: () => RecordReader<unknown>};

const lists = new WeakMap<z.ZodMiniType, ListIn>();

/** The list of a reply, for readers of a stream; undefined for a reply without a list. */
export function listIn(schema: z.ZodMiniType): ListIn | undefined {
	return lists.get(schema);
}

type ListField = ListRules & {
	/** The field that contains the list. */
	readonly name: string;
	readonly record: z.ZodMiniType;
};

/**
 * An object with a list. The sender sends `whole`, which is the documented schema; the reader gets the
 * readable records, and a summary of the others in `unreadable`.
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

/** An object with a field whose values are named records. */
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

/** A bare list, which is read as the field `name` of an object. */
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
