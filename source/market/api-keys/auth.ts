/** Authentication and permission of a call. */
import {createHmac, timingSafeEqual} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import {isGranted, routeOf} from '../../contract/grammar/permissions.ts';
import type {Endpoint} from '../../contract/grammar/endpoint.ts';
import {SIGNED_SECONDS, signedBy} from '../../contract/nouns/account.ts';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import {guardWrites} from '../database/writing.ts';
import {findApiKey} from './store.ts';
import type {ApiKey} from '../base/api-key.ts';

export type Credentials = {
	readonly header: string | undefined;
	/** `?api_key=` of old clients, which counts only without a header. */
	readonly query: string | undefined;
};

/** The key that was sent; undefined for a missing or malformed one. */
export function sentKey({header, query}: Credentials): string | undefined {
	return header === undefined ? query : /^bearer +(\S+)$/i.exec(header.trim())?.[1];
}

/**
 * A secret derived from the call's key and a purpose: only the key's holder gets it again, and the key
 * cannot be derived from it.
 */
export function secretFor(credentials: Credentials, purpose: string): string {
	const value = sentKey(credentials);
	if (value === undefined) throw new Refusal('loginRequired', 'This action requires login.');
	return createHmac('sha256', value).update(purpose).digest('hex');
}

export async function authenticate(database: Database, credentials: Credentials): Promise<ApiKey> {
	if (credentials.header === undefined && credentials.query === undefined) {
		throw new Refusal('loginRequired', 'This action requires login.');
	}
	const value = sentKey(credentials);
	const key = value === undefined ? undefined : await findApiKey(database, value);
	if (key === undefined) throw new Refusal('unknownKey', 'Invalid user key');
	return key;
}

/**
 * The database of a call, which writes only while the call's key is what it was when the call came:
 * neither ended nor reset, with the same rights, and of accounts that are open.
 */
export function guardCall(database: Database, caller: ApiKey, credentials: Credentials): Database {
	return guardWrites(database, async transaction =>
		refuseChanged(transaction, caller, credentials),
	);
}

/** Refuses a call whose key is not what it was when the call came. */
export async function refuseChanged(
	database: Database,
	caller: ApiKey,
	credentials: Credentials,
): Promise<void> {
	const present = await authenticate(database, credentials);
	if (isDeepStrictEqual(present, caller)) return;
	const what = 'The rights of this key were changed while this call waited';
	throw new Refusal('lacksPermission', `${what}, so it was not carried out: make it again.`);
}

/** Refuses a call that the key does not permit; `id` is the id in the path. */
export function authorize(
	caller: Pick<ApiKey, 'grants' | 'kind'>,
	{permission, path}: Pick<Endpoint, 'permission' | 'path'>,
	id: string | undefined,
): void {
	if (permission === undefined || permission === 'any key') return;
	const isOperators = caller.kind === 'operator';
	if (permission === 'operator') {
		if (isOperators) return;
		throw new Refusal('lacksPermission', 'This call is for operators of the market.');
	}
	if (permission === 'relay') {
		throw new Refusal('lacksPermission', 'This call is for relays of the market.');
	}
	if (isOperators) {
		throw new Refusal('lacksPermission', 'An operator’s key is for calls under /operator/ alone.');
	}
	const named = id !== undefined && /^\d+$/.test(id) ? Number(id) : undefined;
	const need = {permission, route: routeOf(path), id: named};
	if (isGranted(caller.grants, need)) return;
	throw new Refusal('lacksPermission', `This key lacks the permission ${permission}.`);
}

type Signed = {
	/** Secret shared with the payment service; undefined for none. */
	readonly secret: string | undefined;
	readonly header: (name: string) => string | undefined;
	readonly text: string;
	readonly now: number;
};

/** Refuses a call without a valid and recent signature. */
export function verifySignature({secret, header, text, now}: Signed): void {
	if (secret === undefined) {
		throw new Refusal('badSignature', 'This market takes no word of a payment service.');
	}
	const time = header(signedBy.time) ?? '';
	const signature = header(signedBy.signature) ?? '';
	const right = `sha256=${createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')}`;
	const [given, wanted] = [Buffer.from(signature), Buffer.from(right)];
	if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
		throw new Refusal('badSignature', 'The signature is not that of this call.');
	}
	if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) > SIGNED_SECONDS) {
		throw new Refusal('badSignature', 'It was signed too long ago, or by another clock.');
	}
}
