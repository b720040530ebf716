import {expect, test} from 'vitest';
import {unavailable} from '../../../source/contract/nouns/unsupported.ts';
import {openSharedMachine} from '../../helpers/market/shared-machine.ts';
import {refusal} from '../../helpers/market/market.ts';

const noClouds = refusal('not_supported', 'Cloud connections are not available on this market.');
const missing = (what: string) => refusal('not_supported', `${what} not available on this market.`);
const noSteps = missing('Two-step sign-in is');

test.each([
	['POST', 'commands/rclone', {src: '/root', instance_id: '1', selected: '101'}, noClouds],
	['DELETE', 'commands/rclone', {dst_id: '1'}, noClouds],
	['PUT', 'commands/copy_direct', {src_id: 's3.101', src_path: '/x', dst_id: '1'}, noClouds],
	['POST', 'tfa/totp-setup', {}, noSteps],
	['PUT', 'tfa/update', {label: 'mine'}, noSteps],
	['DELETE', 'tfa', {}, noSteps],
	['GET', 'tfa', undefined, noSteps],
	['GET', 'tfa/methods', undefined, noSteps],
	['POST', 'tfa/status', {}, noSteps],
	['POST', 'tfa/sms/resend', {}, noSteps],
	['GET', 'network_disk', undefined, missing('Network disks are')],
	['PUT', 'network_volumes', {id: 1, size: 5}, missing('Network volumes are')],
	['POST', 'network_volumes/unlist', {id: 1}, missing('Network volumes are')],
	['GET', 'clusters', undefined, missing('Clusters are')],
	['DELETE', 'overlay', {}, missing('Overlays are')],
	['POST', 'endptjobs', {}, missing('Serverless endpoints are')],
	['DELETE', 'workergroups/7', {}, missing('Serverless endpoints are')],
] as const)('%s %s is refused in a sentence', async (method, path, body, refused) => {
	await using machine = await openSharedMachine();
	const reply = await machine.call(`/api/v0/${path}/`, {
		method,
		...(body !== undefined && {body: JSON.stringify(body)}),
	});
	expect(reply).toMatchObject({status: 400, body: refused});
});

test('every path of what no market here has is refused in a sentence, whatever its method', async () => {
	await using machine = await openSharedMachine();
	for (const [family, what] of unavailable) {
		for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
			const reply = await machine.call(`/api/v0/${family}/sms/resend/`, {method});
			expect(reply).toMatchObject({status: 400, body: missing(what)});
		}
	}
});

test.each([
	['GET', 'endptjobs', {success: true, results: []}],
	['GET', 'workergroups', {success: true, results: []}],
	['GET', 'autojobs', {success: true, results: []}],
	['POST', 'network_volumes/search', {offers: []}],
])('%s %s is an empty list', async (method, path, body) => {
	await using machine = await openSharedMachine();
	const reply = await machine.call(`/api/v0/${path}/`, {
		method,
		...(method === 'POST' && {body: '{"verified": {"eq": true}}'}),
	});
	expect(reply).toMatchObject({status: 200, body});
});

test('there are no cloud connections, and two-step sign-in is off', async () => {
	await using machine = await openSharedMachine();
	const clouds = await machine.call('/api/v0/users/cloud_integrations/');
	expect(clouds).toMatchObject({status: 200, body: []});
	const steps = await machine.call('/api/v0/tfa/status/');
	const off = {tfa_enabled: false, backup_codes_remaining: 0, methods: []};
	expect(steps).toMatchObject({status: 200, body: {success: true, ...off}});
});
