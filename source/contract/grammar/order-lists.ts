/**
 * Replies with lists of orders: an order that cannot be read completely is left out, because half
 * an order is a different one.
 */
import * as z from 'zod/mini';
import {at, fieldsOf, isRecord} from './json.ts';
import {described, kindOfValue} from './tolerant.ts';

export type UnreadOrder = {
	readonly list: string;
	/** Position in its list, counted from 0. */
	readonly index: number;
	readonly instanceId: number | undefined;
	/** Reason in a few words, without the sender's text. */
	readonly why: string;
};

/**
 * An object with lists of orders; the reader gets the readable ones, and the others in `unread`.
 */
export function orderLists<Whole extends z.ZodMiniObject>(
	whole: Whole,
): z.ZodMiniType<z.output<Whole> & {readonly unread?: readonly UnreadOrder[]}, z.input<Whole>> {
	const orders = Object.entries(whole.shape).flatMap(([name, field]) => {
		const order = orderOf(field);
		return order === undefined ? [] : [[name, order] as const];
	});
	const readable = z.transform((sent: unknown) => {
		if (!isRecord(sent)) return sent;
		const unread: UnreadOrder[] = [];
		const lists = orders.flatMap(([name, order]) => {
			const list = sent[name];
			if (!Array.isArray(list)) return [];
			const isRead = (one: unknown, index: number) => {
				const why = whyUnread(order, one);
				if (why !== undefined) unread.push({list: name, index, instanceId: idOf(one), why});
				return why === undefined;
			};
			return [[name, list.filter(isRead)] as const];
		});
		return {...sent, ...Object.fromEntries(lists), unread};
	});
	const schema = z.pipe(readable, whole);
	described.set(schema, whole);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the first half of the pipe adds `unread`
	return schema as unknown as ReturnType<typeof orderLists<Whole>>;
}

/** Schema of a list's items; undefined for a field that is no list. */
function orderOf(field: z.core.$ZodType): z.core.$ZodType | undefined {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all schemas are of these kinds
	const {def} = (field as z.core.$ZodTypes)._zod;
	if (def.type === 'optional') return orderOf(def.innerType);
	return def.type === 'array' ? def.element : undefined;
}

function whyUnread(order: z.core.$ZodType, sent: unknown): string | undefined {
	const {error} = z.safeParse(order, sent);
	if (error === undefined) return undefined;
	const path = (error.issues[0]?.path ?? []).map(String);
	const name = path.length === 0 ? 'it' : path.join('.');
	return `${name} is ${kindOfValue(at(sent, ...path))}`;
}

function idOf(sent: unknown): number | undefined {
	const {instance_id: id} = fieldsOf(sent);
	return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}
