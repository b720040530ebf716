import {expect, test} from 'vitest';
import {openSharedMachine} from '../../helpers/shared-machine.ts';
import {refusal} from '../../helpers/market.ts';

const noClouds = refusal('not_supported', 'Cloud connections are not available on this market.');
const noSteps = refusal('not_supported', 'Two-step sign-in is not available on this market.');

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
] as const)('%s %s is refused in a sentence', async (method, path, body, refused) => {
	await using machine = await openSharedMachine();
	const reply = await machine.call(`/api/v0/${path}/`, {
		method,
		...(body !== undefined && {body: JSON.stringify(body)}),
	});
	expect(reply).toMatchObject({status: 400, body: refused});
});

test('there are no cloud connections, and two-step sign-in is off', async () => {
	await using machine = await openSharedMachine();
	const clouds = await machine.call('/api/v0/users/cloud_integrations/');
	expect(clouds).toMatchObject({status: 200, body: []});
	const steps = await machine.call('/api/v0/tfa/status/');
	const off = {tfa_enabled: false, backup_codes_remaining: 0, methods: []};
	expect(steps).toMatchObject({status: 200, body: {success: true, ...off}});
});
