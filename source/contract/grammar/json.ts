/** Reads foreign JSON without trusting its shape. */

/** True for a JSON object: neither a list nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parsed JSON; undefined for invalid text. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none for other values. */
export function fieldsOf(value: unknown): Fields {
	return isRecord(value) ? value : {};
}

/** Value at the end of a path through objects and lists. */
export function at(value: unknown, ...path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(inner, name) => (Array.isArray(inner) ? inner[Number(name)] : fieldsOf(inner)[name]),
		value,
	);
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
	const found = at(value, ...path);
	return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
	const found = at(value, ...path);
	return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
