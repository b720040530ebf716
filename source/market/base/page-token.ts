/** Page token: the last row of a page, as opaque text that callers send for the next one. */
import {Refusal} from './refusal.ts';

export type PageKey = ReadonlyArray<number | string | null>;

/** The token of a page that ended with a row; `query` is the page's query as JSON values. */
export function writePageToken(query: unknown, last: PageKey): string {
	const bytes = new TextEncoder().encode(JSON.stringify([JSON.stringify(query), ...last]));
	return btoa(String.fromCharCode(...bytes))
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replace(/(?<!=)=+$/, '');
}

/**
 * The row after which the next page begins; `isKey` checks its values. A token of another query is
 * refused like an invalid one.
 */
export function readPageToken<Key extends PageKey>(
	token: string,
	query: unknown,
	isKey: (key: PageKey) => key is Key,
): Key {
	const [of, ...last] = parse(token);
	if (of !== JSON.stringify(query) || !isPageKey(last) || !isKey(last)) throw refusal();
	return last;
}

function isPageKey(values: readonly unknown[]): values is PageKey {
	return values.every(value => value === null || ['string', 'number'].includes(typeof value));
}

function parse(token: string): readonly unknown[] {
	try {
		const bytes = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
		const text = new TextDecoder().decode(Uint8Array.from(bytes, byte => byte.charCodeAt(0)));
		const value: unknown = JSON.parse(text);
		return Array.isArray(value) ? value : [];
	} catch (cause) {
		throw refusal(cause);
	}
}

function refusal(cause?: unknown): Refusal {
	return new Refusal('badToken', 'Invalid pagination token', {cause});
}
