import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {contract} from '../../../source/contract/index.ts';
import type {Endpoint} from '../../../source/contract/grammar/endpoint.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {schemaOf} from '../../../source/contract/openapi.ts';
import {parseReply} from '../../../source/client/exchange/replies.ts';
import {changedAt, placesIn, sampleOf, type Place} from '../../helpers/services/sample-replies.ts';

const oddValues = [null, 'odd', '', -1e300, 0.5, true, [], {}, [null], {a: 'x'}, {a: null}];

const nouns: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = contract;
// These nouns are of our own market alone, or of teams, which nothing in rentty reads.
const {hosts: _, operator: __, payments: ___, relays: ____, teams: _____, ...others} = nouns;

const endpoints = Object.entries(others).flatMap(([noun, named]) =>
	Object.entries(named).map(([name, endpoint]) => ({name: `${noun}.${name}`, endpoint})),
);

/** Places of a reply by which something is decided: what was asked for, or whether it was done. */
const deciding: ReadonlyMap<string, RegExp> = new Map([
	['account.create', /^(id|username|email|key_id|api_key)$/],
	['apiKeys.create', /^(id|key)$/],
	['apiKeys.reset', /^new_api_key$/],
	['billing.invoices', /^results\.0\.amount$/],
	['billing.charges', /^results\.0\.amount$/],
	['gpuMarket.current', /\.gpu_name$/],
	['gpuMarket.history', /^gpus(\.other)?$/],
	['gpuMarket.locations', /\.gpu_name$/],
	['instances.priceIncreases', /\.(pending_price_increase_id|contract_id)$/],
	['instances.acceptPriceIncrease', /_id$/],
	['instances.rejectPriceIncrease', /_id$/],
	['instances.createMany', /^(new_contracts|results.*)$/],
	['instances.create', /^new_contract$/],
	['instances.launch', /^new_contract$/],
	['instances.deposit', /./],
	['instances.setLease', /^lease$/],
	['instances.sshKeys', /^ssh_keys$/],
	['machines.offer', /^extended$/],
	['machines.defragment', /^machines/],
	['machines.maintenance', /^0\.machine_id$/],
	['machines.cleanUp', /^num_deleted$/],
	['machines.test', /^test_id$/],
	['machines.earnings', /./],
	['notifications.kinds', /\.key$/],
	['notifications.preferences', /^notification_preferences$/],
	['notifications.changePreferences', /^notification_preferences$/],
	['notifications.createWebhook', /^webhook/],
	['notifications.changeWebhook', /^webhook/],
	['notifications.rotateSecret', /^webhook/],
	['secrets.list', /^secrets(\.other)?$/],
	['sshKeys.create', /^key$/],
	['sshKeys.update', /^key$/],
	['templates.search', /\.hash_id$/],
	['templates.create', /^template(\.hash_id)?$/],
	['templates.edit', /^template(\.hash_id)?$/],
	['volumes.create', /^volume_name$/],
	['volumes.copy', /^volume_id$/],
	['volumes.offerRoom', /^volume_offers/],
]);

/** True for what a reply consists of, for `id`, and for the outcome of a change. */
function decides(name: string, sample: unknown, place: Place): boolean {
	const path = place.join('.');
	if (place.at(-1) === 'id' || deciding.get(name)?.test(path) === true) return true;
	if (place.length > 1 || !isRecord(sample)) return false;
	return Array.isArray(sample[path]) || ['success', 'error', 'instances'].includes(path);
}

test.each(endpoints)('$name is read whatever is in a field that nobody decides by', given => {
	const {name, endpoint} = given;
	const sample = sampleOf(schemaOf(endpoint.replies[200]));
	expect(z.safeParse(endpoint.replies[200], structuredClone(sample)).success).toBe(true);
	const fields = placesIn(sample).filter(place => !decides(name, sample, place));
	const unread = fields.flatMap(place =>
		oddValues
			.filter(odd => !isReadWhole(endpoint, changedAt(structuredClone(sample), place, odd)))
			.map(odd => `${place.join('.')} = ${JSON.stringify(odd)}`),
	);
	expect(unread).toEqual([]);
});

/** True where a reply can be read, and all the records that are in it. */
function isReadWhole(endpoint: Endpoint, sent: unknown): boolean {
	const read = parseReply(endpoint, structuredClone(sent));
	if (!read.success) return false;
	const {unreadable} = isRecord(read.data) ? read.data : {};
	return !isRecord(unreadable) || unreadable['count'] === 0;
}

test.each(['success', 'error'])('an odd %s of a change is not taken for its success', field => {
	const {destroy} = contract.instances;
	expect(parseReply(destroy, {success: true, msg: {}}).success).toBe(true);
	expect(parseReply(destroy, {[field]: {code: 5}}).success).toBe(false);
});
