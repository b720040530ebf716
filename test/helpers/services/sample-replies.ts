/** Replies made from what the contract documents of them, with each field there is. */
import {isRecord} from '../../../source/contract/grammar/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** A place in a reply, whose last part is the name of a field. */
export type Place = ReadonlyArray<string | number>;

/** A value with all fields that a JSON schema has. */
export function sampleOf(schema: unknown): unknown {
	if (!isRecord(schema)) return {};
	if ('const' in schema) return schema['const'];
	const choices = ['enum', 'anyOf', 'oneOf', 'allOf'].flatMap(name => listOf(schema[name]));
	if (choices.length > 0) return 'enum' in schema ? choices[0] : sampleOf(choices[0]);
	switch (schema['type']) {
		case 'string':
			return 'words';
		case 'number':
		case 'integer':
			return 1;
		case 'boolean':
			return true;
		case 'array':
			return sampleList(schema);
		case 'object':
			return sampleRecord(schema);
		default:
			return null;
	}
}

function sampleList({items, prefixItems}: Json): unknown {
	const given = listOf(prefixItems);
	return given.length > 0 ? given.map(item => sampleOf(item)) : [sampleOf(items)];
}

function sampleRecord({properties, additionalProperties}: Json): Json {
	const fields = isRecord(properties) ? Object.entries(properties) : [];
	// Other names are read as those of a map are, where it is one.
	const isMap = isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0;
	const others = isMap ? [['other', additionalProperties] as const] : [];
	return Object.fromEntries([...fields, ...others].map(([name, of]) => [name, sampleOf(of)]));
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The places of all fields of a value, those of records within it among them. */
export function placesIn(value: unknown, under: Place = []): readonly Place[] {
	if (Array.isArray(value)) return value.flatMap((item, at) => placesIn(item, [...under, at]));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		[...under, name],
		...placesIn(inner, [...under, name]),
	]);
}

/** The same value with another in one place. */
export function changedAt(value: unknown, [first, ...rest]: Place, other: unknown): unknown {
	if (first === undefined) return other;
	if (Array.isArray(value)) {
		return value.map((item: unknown, at) => (at === first ? changedAt(item, rest, other) : item));
	}
	return isRecord(value) ? {...value, [first]: changedAt(value[first], rest, other)} : value;
}
