import {expect, test} from 'vitest';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openRentable} from '../../helpers/market/rentable.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';

const image = 'ubuntu:24.04';

/** How the making of an instance is refused. */
function refused(status: number, error: string, text: RegExp, askId: number | null) {
	const msg: unknown = expect.stringMatching(new RegExp(`^error ${status}/\\d+: .*${text.source}`));
	return {status, body: {success: false, error, msg, ask_id: askId}};
}

test.each([
	['no image and no template', {}, 'invalid_args', /image is required/],
	['an empty image', {image: ''}, 'invalid_args', /image is required/],
	['an image that is no text', {image: 7}, 'invalid_args', /image must be text/],
	['a long image', {image: 'x'.repeat(1025)}, 'invalid_args', /image has at most 1024/],
	['half a character', {image: '\uD800'}, 'invalid_args', /image must not have/],
	['a long label', {image, label: 'x'.repeat(257)}, 'invalid_args', /label has at most 256/],
	['a small disk', {image, disk: 7.9}, 'invalid_args', /disk must be a number of at least 8/],
	['a disk that is a word', {image, disk: 'large'}, 'invalid_args', /disk must be a number/],
	['a disk larger than there is', {image, disk: 1e9}, 'invalid_args', /disk must be at most/],
	['an unknown runtype', {image, runtype: 'telnet'}, 'invalid_args', /runtype must be/],
	['args beside ssh', {image, runtype: 'args ssh'}, 'invalid_args', /runtype must be/],
	['an unknown state', {image, target_state: 'frozen'}, 'invalid_args', /target_state must be/],
	[
		'a long onstart',
		{image, onstart: 'x'.repeat(4049)},
		'invalid_args',
		/onstart has at most 4048/,
	],
	[
		'long commands',
		{image, onstart: 'x'.repeat(4000), args_str: 'y'.repeat(97)},
		'invalid_args',
		/at most 4096 characters together/,
	],
	['args that are no texts', {image, args: [1]}, 'invalid_args', /args must be a list/],
	['an env that is a list', {image, env: []}, 'invalid_args', /env must be text or an object/],
	['a long name in env', {image, env: {['x'.repeat(257)]: '1'}}, 'invalid_args', /env: a name/],
	['a flag that is a word', {image, vm: 'perhaps'}, 'invalid_args', /vm must be true or false/],
	['a volume that is a number', {image, volume_info: 3}, 'invalid_args', /volume_info must be/],
	['the number of a template', {image, template_id: 3}, 'invalid_args', /template_hash_id/],
	[
		'a low price',
		{image, price: 0.0009},
		'invalid_price',
		/price must be a number from 0.001 to 128/,
	],
	['a high price', {image, price: 128.01}, 'invalid_price', /price must be a number/],
	['a price that is a word', {image, price: 'NaN'}, 'invalid_price', /price must be a number/],
	['a bid below what wins', {image, price: 0.001}, 'invalid_price', /price must be at least/],
	['a VM where there are none', {image, vm: true}, 'invalid_args', /runs no VMs/],
])('%s is refused', async (_, body, error, text) => {
	await using market = await openRentable();
	const {offer, rent, database} = market;
	expect(await rent(body)).toMatchObject(refused(400, error, text, offer.id));
	expect(await database.selectFrom('instances').selectAll().execute()).toEqual([]);
});

test.each(['x', '-1', '1.5', '9'.repeat(16)])('the offer id %s is refused', async id => {
	await using market = await openRentable();
	expect(await market.rent({image}, id)).toMatchObject(
		refused(400, 'invalid_args', /`id` is required and must be a valid offer ID/, null),
	);
});

test('what is no JSON object is refused with the offer', async () => {
	await using market = await openRentable();
	const {offer, rent} = market;
	for (const body of ['{', '[]', 'null']) {
		const reply = await rent({}, offer.id, {method: 'PUT', body});
		expect(reply).toMatchObject(refused(400, 'invalid_args', /json/i, offer.id));
	}
});

test('an unknown template is refused before an unknown offer', async () => {
	await using market = await openRentable();
	expect(await market.rent({template_hash_id: 'f'.repeat(32)}, 5)).toMatchObject(
		refused(404, 'invalid_args', /no template/, 5),
	);
	expect(await market.rent({image}, 5)).toMatchObject(
		refused(404, 'invalid_args', /no_such_ask/, 5),
	);
});

test('an offer that somebody has is 410 for who wants it at once, and 404 for others', async () => {
	await using market = await openRentable();
	const {offer, rent} = market;
	expect((await rent({image})).status).toBe(200);
	expect(await rent({image})).toMatchObject(refused(410, 'no_such_ask', /no_such_ask/, offer.id));
	const patient = {image, cancel_unavail: false};
	expect(await rent(patient)).toMatchObject(refused(404, 'invalid_args', /no_such_ask/, offer.id));
	const bid = {image, price: 100};
	expect(await rent(bid)).toMatchObject(refused(404, 'invalid_args', /no_such_ask/, offer.id));
});

test('offers that are over, or not sold, are 404', async () => {
	await using market = await openRentable();
	const {offer, rent, database} = market;
	await database.updateTable('offers').set({listed: 0}).where('id', '=', offer.id).execute();
	expect((await rent({image})).status).toBe(404);
	await database
		.updateTable('offers')
		.set({listed: 1, end_date: TEST_NOW})
		.where('id', '=', offer.id)
		.execute();
	expect((await rent({image})).status).toBe(404);
});

test('a machine that is away is 410, or gives a stopped instance to who can wait', async () => {
	await using market = await openRentable();
	const {offer, rent, database, instance} = market;
	await database.updateTable('machines').set({contact: 'silent'}).execute();
	expect(await rent({image})).toMatchObject(refused(410, 'no_such_ask', /no longer/, offer.id));
	const reply = await rent({image, cancel_unavail: false});
	expect(reply.status).toBe(200);
	expect(await instance(reply)).toMatchObject({
		actual: null,
		intended: 'stopped',
		current: 'stopped',
		message: expect.stringContaining('its disk costs') as unknown,
	});
});

test('a host rents its own machines and no others', async () => {
	await using market = await openRentable();
	const {offer, rent, database} = market;
	await database.updateTable('accounts').set({kind: 'provider'}).execute();
	expect(await rent({image})).toMatchObject(
		refused(403, 'invalid_args', /only their own machines/, offer.id),
	);
});

test('without credit nothing is rented', async () => {
	await using market = await openRentable();
	const {offer, rent, database} = market;
	await database.updateTable('accounts').set({credit_micros: 0}).execute();
	expect(await rent({image})).toMatchObject(
		refused(400, 'insufficient_credit', /nothing was rented/, offer.id),
	);
});

test('a VM needs an SSH key, and takes no volume', async () => {
	await using market = await openRentable();
	const {offer, rent, database, call} = market;
	await database.updateTable('offers').set({vms_enabled: 1}).execute();
	expect(await rent({image, vm: true})).toMatchObject(
		refused(400, 'no_ssh_key_for_vm', /register one first/, offer.id),
	);
	const key = JSON.stringify({ssh_key: sshKeyText(1)});
	expect((await call('/api/v0/ssh/', {method: 'POST', body: key})).status).toBe(200);
	const withVolume = {image, vm: true, volume_info: {volume_id: 1, mount_path: '/data'}};
	expect(await rent(withVolume)).toMatchObject(
		refused(400, 'invalid_args', /VMs take no volumes/, offer.id),
	);
	expect((await rent({image, vm: true})).status).toBe(200);
});

test('a key that may not rent is told so in the words of this call', async () => {
	await using market = await openRentable();
	const {offer, rent, call} = market;
	const body = JSON.stringify({name: 'reader', permissions: {instance_read: true}});
	const made = await call('/api/v0/auth/apikeys/', {method: 'POST', body});
	const key = String(
		made.body && Object.values(made.body).find(value => String(value).length === 64),
	);
	const headers = {authorization: `Bearer ${key}`};
	const init = {method: 'PUT', body: JSON.stringify({image}), headers};
	expect(await rent({}, offer.id, init)).toMatchObject(
		refused(403, 'invalid_args', /instance_write/, offer.id),
	);
});
