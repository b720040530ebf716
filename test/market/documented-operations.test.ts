import {expect, test} from 'vitest';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {openTestMarket} from '../helpers/market/market.ts';

/** Every operation that the description and existing clients name. */
const operations = `
GET /bundles/
POST /bundles/
PUT /bundles/
PUT /search/asks/
GET /gpu_names/unique/
PUT /asks/{id}/
POST /asks/bulk/
PUT /launch_instance/
GET /instances/
GET /v1/instances/
GET /instances/filters/
POST /instances/start/
GET /instances/{id}/
PUT /instances/{id}/
PUT /instances/
DELETE /instances/{id}/
DELETE /instances/
PUT /instances/reboot/{id}/
PUT /instances/recycle/{id}/
PUT /instances/update_template/{id}/
PUT /instances/request_logs/{id}/
PUT /instances/command/{id}/
PUT /instances/bid_price/{id}/
PUT /instances/prepay/{id}/
GET /instances/balance/{id}/
GET /instances/{id}/ssh/
POST /instances/{id}/ssh/
DELETE /instances/{id}/ssh/{id}/
POST /instances/take_snapshot/{id}/
GET /instances/pending-price-increases/
PUT /instances/accept-price-increase/
PUT /instances/reject-price-increase/
GET /template/
POST /template/
PUT /template/
DELETE /template/
GET /ssh/
POST /ssh/
PUT /ssh/{id}/
DELETE /ssh/{id}/
GET /auth/apikeys/
POST /auth/apikeys/
GET /auth/apikeys/{id}/
DELETE /auth/apikeys/{id}/
PUT /commands/reset_apikey/
GET /secrets/
POST /secrets/
PUT /secrets/
DELETE /secrets/
GET /users/current/
POST /users/
PUT /users/
GET /subaccounts/
PUT /commands/transfer_credit/
GET /users/{user}/invoices/
GET /users/{user}/ipaddrs/
GET /users/{user}/machine-earnings/
GET /users/{user}/notification-prefs/
PUT /users/{user}/notification-prefs/
GET /users/cloud_integrations/
GET /invoices/
GET /v1/invoices/
GET /charges/
POST /contracts/fetch/
GET /audit_logs/
GET /benchmarks/
GET /metrics/gpu/current/
GET /metrics/gpu/history/
GET /metrics/gpu/locations/
GET /machines/
GET /machines/{id}/
PUT /machines/create_asks/
PUT /machines/create_bids/
DELETE /machines/{id}/asks/
DELETE /machines/{id}/defjob/
PUT /machines/{id}/minbid/
POST /machines/{id}/force_delete/
PUT /machines/{id}/dnotify/
PUT /machines/{id}/cancel_maint/
GET /machines/maintenances/
PUT /machines/{id}/cleanup/
PUT /machines/defrag_offers/
GET /machines/{id}/reports/
PUT /machines/{id}/report/
GET /volumes/
PUT /volumes/
POST /volumes/
DELETE /volumes/
POST /volumes/search/
POST /volumes/unlist/
PUT /commands/copy_direct/
DELETE /commands/copy_direct/
PUT /commands/rsync/
DELETE /commands/rsync/
POST /commands/rclone/
DELETE /commands/rclone/
GET /commands/schedule_job/
POST /commands/schedule_job/
PUT /commands/schedule_job/{id}/
DELETE /commands/schedule_job/{id}/
GET /notification-types/
GET /webhooks/
POST /webhooks/
PUT /webhooks/{id}/
DELETE /webhooks/{id}/
POST /webhooks/{id}/rotate-secret/
POST /webhooks/{id}/test/
POST /team/
DELETE /team/
GET /team/members/
DELETE /team/members/{id}/
POST /team/invite/
POST /team/roles/
GET /team/roles-full/
GET /team/roles/{name}/
PUT /team/roles/{id}/
DELETE /team/roles/{name}/
GET /tfa/status/
`
	.trim()
	.split('\n');

test('every operation that is documented, or that clients in use call, is served', async () => {
	await using market = await openTestMarket();
	const missing: string[] = [];
	for (const operation of operations) {
		const [method = '', path = ''] = operation.split(' ');
		const named = path
			.replaceAll('{id}', '9')
			.replace('{name}', 'x')
			.replace('{user}', 'me')
			.replace(/^(?!\/v1\/)/, '/v0');
		const body = method === 'GET' ? null : '{}';
		const reply = await market.call(`/api${named}`, {method, body});
		const isThere = reply.status !== 405 && !reply.text.includes('nothing at this path');
		const isSaid =
			reply.status < 400 || (isRecord(reply.body) && typeof reply.body['msg'] === 'string');
		if (!isThere || !isSaid || reply.status >= 500) missing.push(operation);
	}
	expect(missing).toEqual([]);
});
