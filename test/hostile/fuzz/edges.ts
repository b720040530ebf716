/** The edges of each field of a request: of every alternative of its schema, and what is none of them. */
import {isRecord, listOf} from '../../../source/contract/grammar/json.ts';

type Json = Readonly<Record<string, unknown>>;

const numbers = [
	0,
	-1,
	0.1,
	1.5,
	2 ** 31 - 1,
	2 ** 31,
	2 ** 53 - 1,
	2 ** 53,
	9e15,
	-9e15,
	1e19,
	1e308,
	5e-324,
];

const texts = [
	'',
	' ',
	'0',
	'-1',
	'1.5',
	'9'.repeat(15),
	'9'.repeat(16),
	'9'.repeat(400),
	'1e308',
	'a'.repeat(5000),
	'\0',
	'\u001B[2J\r\n',
	'\uD800',
];

const edgesByType: ReadonlyMap<unknown, readonly unknown[]> = new Map<unknown, readonly unknown[]>([
	['number', numbers],
	['integer', numbers],
	['string', texts],
	['boolean', [true, false]],
]);

/** A value of every type: a field takes one of them at most. */
const types = [null, true, 1, 'x', [], [null], {}, {x: null}];

/** Values for a field in place of its own, each once. */
export function edgesOf(schema: unknown, own: unknown): readonly unknown[] {
	const values = [...types, ...alternatives(schema, own)];
	return [...new Map(values.map(value => [JSON.stringify(value), value])).values()];
}

function alternatives(schema: unknown, own: unknown): readonly unknown[] {
	if (!isRecord(schema)) return [];
	const {anyOf, type, enum: words, const: word} = schema;
	if (Array.isArray(anyOf)) return anyOf.flatMap(one => alternatives(one, own));
	const named = Array.isArray(type) ? type : [type];
	// A schema that says nothing is held to nothing.
	const taken = type === undefined && isOpen(schema) ? ['number', 'string', 'inner'] : named;
	return [
		...listOf(words),
		...(word === undefined ? [] : [word]),
		...taken.flatMap(name => [...(edgesByType.get(name) ?? []), ...insideOf(name, schema, own)]),
	];
}

function isOpen(schema: Json): boolean {
	return schema['enum'] === undefined && schema['const'] === undefined;
}

/** Edges of the parts of a value, each in the value that is otherwise its own. */
function insideOf(type: unknown, schema: Json, own: unknown): readonly unknown[] {
	if (type === 'array') return itemsOf(schema['items'], own);
	if (type === 'object') return fieldsAtEdges(schema, own);
	if (type !== 'string' && type !== 'inner') return [];
	return readText(own).flatMap(inner => {
		const edges = Array.isArray(inner) ? itemsOf({}, inner) : fieldsAtEdges({}, inner);
		return typeof own === 'string' ? edges.map(edge => JSON.stringify(edge)) : edges;
	});
}

/** A value with parts, also one that is written as text. */
function readText(own: unknown): readonly unknown[] {
	if (typeof own !== 'string') return typeof own === 'object' && own !== null ? [own] : [];
	return /^[[{]/.test(own) ? [JSON.parse(own)] : [];
}

function itemsOf(items: unknown, own: unknown): readonly unknown[] {
	const [first, ...others] = listOf(own);
	return edgesOf(items ?? {}, first).map(edge => [edge, ...others]);
}

/** Fields at each of their edges, one at a time. */
export function fieldsAtEdges(
	{properties, additionalProperties}: Json,
	own: unknown,
): readonly Json[] {
	const known = isRecord(properties) ? properties : {};
	const fields = isRecord(own) ? own : {};
	// What a record's names stand for is in the value alone.
	const open = isRecord(additionalProperties) ? additionalProperties : {};
	const other =
		properties === undefined ? {...(Object.keys(fields).length === 0 && {x: open})} : {};
	const named = Object.fromEntries(Object.keys(fields).map(name => [name, open]));
	return Object.entries({...other, ...named, ...known}).flatMap(([name, schema]) =>
		edgesOf(schema, fields[name]).map(edge => ({...fields, [name]: edge})),
	);
}
