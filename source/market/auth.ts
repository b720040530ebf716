/** Authentication and permission of a call. */
import {isGranted, routeOf} from '../contract/permissions.ts';
import type {Endpoint} from '../contract/endpoint.ts';
import {Refusal} from './refusal.ts';
import type {Database} from './store/database.ts';
import {findKey, type ApiKey} from './store/keys.ts';

/** Credentials of a request. */
export type Credentials = {
	readonly header: string | undefined;
	/** Old clients send `?api_key=`: it counts only where there is no header. */
	readonly query: string | undefined;
};

/** Finds the key that a call was made with. */
export async function authenticate(
	database: Database,
	{header, query}: Credentials,
): Promise<ApiKey> {
	if (header === undefined && query === undefined) {
		throw new Refusal('loginRequired', 'This action requires login.');
	}
	const value = header === undefined ? query : /^bearer +(\S+)$/i.exec(header.trim())?.[1];
	const key = value === undefined ? undefined : await findKey(database, value);
	if (key === undefined) throw new Refusal('unknownKey', 'Invalid user key');
	return key;
}

/** Refuses what a key was not made for; `id` is what the path names. */
export function authorize(
	{grants}: Pick<ApiKey, 'grants'>,
	{permission, path}: Pick<Endpoint, 'permission' | 'path'>,
	id: string | undefined,
): void {
	if (permission === undefined || permission === 'any key') return;
	const named = id !== undefined && /^\d+$/.test(id) ? Number(id) : undefined;
	if (isGranted(grants, {permission, route: routeOf(path), id: named})) return;
	throw new Refusal('lacksPermission', `This key lacks the permission ${permission}.`);
}
