/**
 * Lists of records as services really send them: a record that cannot be read is left out, counted and
 * named, and does not hide the others.
 */
import * as z from 'zod/mini';
import {isRecord} from './json.ts';
import {kindOf} from './tolerant.ts';
import {MOST_NAMED, type Unreadable, type UnreadRecord} from './unreadable.ts';

/** Reader of one list, which may come in parts. */
export type RecordReader<Item> = {
	readonly take: (sent: readonly unknown[]) => void;
	readonly records: readonly Item[];
	readonly unreadable: () => Unreadable;
};

export type ListRules = {
	/**
	 * Records with a known `id` are unreadable: rows, marks and actions go by the id, so the first
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
	return issue?.code === 'custom' ? issue.message : `it is ${kindOf(record)}`;
}

/** Text that does nothing on a terminal and takes little room. */
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
