import {
	covers,
	PermissionsError,
	readPermissions,
	type Grants,
	type PermissionsRecord,
} from '../../contract/grammar/permissions.ts';
import {Refusal} from '../base/refusal.ts';
import type {ApiKey} from '../base/api-key.ts';
import type {ApiKeyFacts} from './store.ts';

export function readGrants(permissions: PermissionsRecord | undefined): Grants {
	try {
		if (JSON.stringify(permissions ?? null).length > LONGEST_PERMISSIONS) {
			throw new PermissionsError(`at most ${LONGEST_PERMISSIONS} characters are taken`);
		}
		return readPermissions(permissions);
	} catch (cause) {
		if (!(cause instanceof PermissionsError)) throw cause;
		throw new Refusal('badPermissions', `Invalid permission format: ${cause.message}.`, {cause});
	}
}

export function refuseTooWide(caller: ApiKey, wanted: Grants): void {
	if (covers(caller.grants, wanted)) return;
	throw new Refusal('lacksPermission', 'This key lacks permissions that the other shall have.');
}

/** Refuses to open an account or a team, whose first key may do everything. */
export function refuseOpening(caller: ApiKey): void {
	if (caller.grants === undefined) return;
	const why = 'A key without limits alone opens an account or a team, whose own key has none';
	throw new Refusal('lacksPermission', `${why}: nothing was opened.`);
}

/** Refuses to join a team: its key has the rights of the member's role, including later ones. */
export function refuseJoining(caller: ApiKey): void {
	if (caller.grants === undefined) return;
	const why = 'A key without limits alone joins a team, whose roles may become wider';
	throw new Refusal('lacksPermission', `${why}: nothing was joined.`);
}

/** Refuses if a key with a cap would create, or delete, a key outside that cap. */
export function refuseOtherCap(caller: ApiKey, {capped}: Pick<ApiKeyFacts, 'capped'>): void {
	if (caller.capped === undefined || caller.capped.keyId === capped?.keyId) return;
	throw new Refusal('beyondCap', 'A key with a cap reaches keys of its own cap alone.');
}

export function recordOf({id, accountId, name, permissions, ...key}: ApiKeyFacts) {
	const {lastFour, createdAt, capped} = key;
	return {
		id,
		user_id: accountId,
		name,
		permissions: permissions ?? false,
		rights: rightsOf(permissions),
		created_at: createdAt,
		last_four: lastFour,
		cap: capped?.cap ?? null,
		capped_by: capped === undefined || capped.keyId === id ? null : capped.keyId,
	} as const;
}

/** The longest permissions as JSON: every call of the key has to parse them. */
const LONGEST_PERMISSIONS = 8192;

function rightsOf(permissions: PermissionsRecord | undefined): string {
	const grants = readPermissions(permissions);
	if (grants === undefined) return 'all';
	return [...new Set(grants.map(({permission}) => permission))].join(' ');
}
