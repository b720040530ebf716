/** All keys of an account and of this machine, as rows of one list. */
import type {ApiKeyRecord} from '../../../contract/nouns/api-keys.ts';
import {PermissionsError, readPermissions} from '../../../contract/grammar/permissions.ts';
import {
	parsePublicKey,
	PublicKeyError,
	type PublicKey,
} from '../../../contract/rules/public-key.ts';
import {
	isRegistered,
	type LocalKey,
	fingerprint,
	formatKeyType,
} from '../../../renter/connect/keys.ts';
import type {SshKey} from '../../../contract/nouns/ssh-keys.ts';
import {idOfText} from '../../list/columns.ts';

type ApiRow = {
	readonly kind: 'api';
	readonly id: number;
	readonly name: string;
	readonly type: string;
	/** End of the key's value. */
	readonly end: string;
	readonly where: string;
	readonly keyId: number;
	readonly isInUse: boolean;
};

export type SshRow = {
	readonly kind: 'ssh';
	readonly id: number;
	readonly name: string;
	readonly type: string;
	/** End of the key's fingerprint. */
	readonly end: string;
	readonly where: string;
	/** Number of the key at the service; undefined if it is only on this machine. */
	readonly keyId: number | undefined;
	readonly text: string;
	readonly blob: string;
	readonly local: LocalKey | undefined;
	/** True for a key that was deleted from the account, and that the service still lists. */
	readonly isDeleted: boolean;
};

export type KeyRow = ApiRow | SshRow;

type KeySources = {
	readonly apiKeys: readonly ApiKeyRecord[];
	readonly sshKeys: readonly SshKey[];
	readonly local: readonly LocalKey[];
	/** The number of the key in use; undefined if the service does not say it. */
	readonly inUse: number | undefined;
	/** The end of the key in use. */
	readonly end: string | undefined;
};

export function keyRows({apiKeys, sshKeys, local, inUse, end}: KeySources): readonly KeyRow[] {
	const registered = sshKeys.filter(isRegistered).map(key => sshRow(key, local));
	const deleted = sshKeys.filter(key => !isRegistered(key)).map(deletedRow);
	const blobs = new Set(registered.map(({blob}) => blob));
	const here = local.filter(({blob}) => !blobs.has(blob));
	return [
		...apiKeys.map(key => apiRow(key, {inUse, end})),
		...withoutTwins(registered),
		...here.map(localRow),
		...deleted,
	];
}

function apiRow(record: ApiKeyRecord, {inUse, end}: Pick<KeySources, 'inUse' | 'end'>): ApiRow {
	const {id, name, last_four: last} = record;
	// Two keys may end in the same four characters: the number says more, if any.
	const isInUse = inUse === undefined ? end !== undefined && last === end : id === inUse;
	return {
		kind: 'api',
		// Negative, so that it is no id of an SSH key.
		id: -1 - id,
		keyId: id,
		name: name ?? '',
		type: mayDo(record),
		end: typeof last === 'string' && last !== '' ? `..${last}` : '-',
		where: isInUse ? 'in use here' : '',
		isInUse,
	};
}

/** Permissions of a key in words; unknown forms are shown as unknown, not as few. */
export function mayDo({rights, permissions}: ApiKeyRecord): string {
	if (permissions === null || permissions === undefined) {
		return rights === 'all' ? 'everything' : (rights ?? 'not said');
	}
	try {
		const grants = readPermissions(permissions);
		if (grants === undefined) return 'everything';
		const words = grants.map(({permission, route, ids}) => {
			const limits = [
				...(route === undefined ? [] : [route]),
				...(ids === undefined ? [] : ['some ids']),
			];
			return limits.length === 0 ? permission : `${permission} (${limits.join(', ')})`;
		});
		return words.length === 0 ? 'nothing' : [...new Set(words)].join(' ');
	} catch (error) {
		if (error instanceof PermissionsError) return 'in a form unknown to this version';
		throw error;
	}
}

function sshRow(key: SshKey, local: readonly LocalKey[]): SshRow {
	const text = key.public_key ?? key.key ?? '';
	const read = parse(text);
	const here = local.find(({blob}) => blob === read?.blob);
	return {
		kind: 'ssh',
		id: idOfKey(read) ?? key.id,
		keyId: key.id,
		...wordsOf(read),
		where: here === undefined ? 'account' : `account, ${nearness(here)}`,
		text,
		local: here,
		isDeleted: false,
	};
}

/** A deleted key: its local half is a row of its own, which can be registered again. */
function deletedRow(key: SshKey): SshRow {
	return {...sshRow(key, []), id: key.id, where: 'deleted', isDeleted: true};
}

/** Above all ids of a service, so that rows stay distinct. */
const FIRST_OF_DATA = 2 ** 52;

/** Made of the key's data: a key keeps its row when it is registered. */
function idOfKey(key: PublicKey | undefined): number | undefined {
	return key === undefined ? undefined : FIRST_OF_DATA + idOfText(key.blob);
}

/** Equal keys of an account need distinct rows: the first is identified by its data, others by their number. */
function withoutTwins(rows: readonly SshRow[]): readonly SshRow[] {
	const ids = new Set<number>();
	return rows.map(row => {
		const isTwin = ids.has(row.id);
		ids.add(row.id);
		return isTwin && row.keyId !== undefined ? {...row, id: row.keyId} : row;
	});
}

function localRow(key: LocalKey): SshRow {
	return {
		kind: 'ssh',
		id: FIRST_OF_DATA + idOfText(key.blob),
		keyId: undefined,
		...wordsOf(key),
		where: `${nearness(key)} only`,
		text: key.text,
		local: key,
		isDeleted: false,
	};
}

/** Location of a local key: in the agent, or in a file alone. */
function nearness({isInAgent}: LocalKey): string {
	return isInAgent ? 'agent' : 'here';
}

function wordsOf(key: PublicKey | undefined) {
	if (key === undefined) return {name: '', type: 'unreadable', end: '-', blob: ''};
	const {type, blob, comment} = key;
	const end = `..${fingerprint(blob).slice(-4)}`;
	return {name: comment, type: formatKeyType(type, blob), end, blob};
}

function parse(text: string): PublicKey | undefined {
	try {
		return parsePublicKey(text);
	} catch (error) {
		if (error instanceof PublicKeyError) return undefined;
		throw error;
	}
}
