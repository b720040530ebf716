/** What an account has beside instances at a service as others have built it: volumes, keys, templates. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';

type Fields = Readonly<Record<string, unknown>>;

const rows = z.array(z.looseObject({}));
const recorded = z.object({volumes: rows, room: rows, apikeys: rows, ssh: rows});
const file = join(import.meta.dirname, '../../fixtures/services/account.json');

/** Answers to changes, by call: none of them shows in a list. */
const changes = new Map<string, unknown>([
	['PUT /api/v0/volumes/', {success: true, volume_name: 'V.13', volume_id: 13}],
	['POST /api/v0/volumes/copy/', {success: true, volume_id: 13}],
	['DELETE /api/v0/volumes/', {success: true}],
	['POST /api/v0/auth/apikeys/', {id: 6, key: 'c0ffee'.repeat(10), permissions: {}}],
	['POST /api/v0/ssh/', {success: true, key: {id: 10}}],
	['POST /api/v0/template/', {success: true, template: {id: 32, hash_id: 'c0ffee'.repeat(5)}}],
	['DELETE /api/v0/template/', {success: true}],
]);

const byId = /^\/api\/v0\/(?:auth\/apikeys|ssh)\/\d+\/$/;
const edited = z.looseObject({hash_id: z.string()});
const reset = z.looseObject({id: z.nullish(z.int())});

/** @param odd makes records of one as the service does of all that it has */
export function recordedAccount(odd: (record: Fields) => readonly Fields[]) {
	const account = recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
	const lists = new Map<string, unknown>([
		['GET /api/v0/volumes/', {volumes: account.volumes.flatMap(odd)}],
		['POST /api/v0/volumes/search/', {offers: account.room.flatMap(odd)}],
		['GET /api/v0/auth/apikeys/', {apikeys: account.apikeys.flatMap(odd)}],
		['GET /api/v0/ssh/', account.ssh.flatMap(odd)],
	]);
	/** The answer to a call about them; undefined for any other. */
	return (method: string, path: string, body: string): unknown => {
		const call = `${method} ${path}`;
		if (method === 'DELETE' && byId.test(path)) return {success: true};
		if (call === 'PUT /api/v0/template/') {
			const {hash_id: hash} = edited.parse(JSON.parse(body));
			return {success: true, template: {id: 31, hash_id: `${hash}0`.slice(1)}};
		}
		if (call === 'PUT /api/v0/commands/reset_apikey/') {
			const {id} = reset.parse(JSON.parse(body));
			return {success: true, id, new_api_key: 'c0ffee'.repeat(10)};
		}
		return lists.get(call) ?? changes.get(call);
	};
}
