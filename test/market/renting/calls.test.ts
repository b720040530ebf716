import {expect, test} from 'vitest';
import {callLate} from '../../helpers/market/after-read.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

const image = 'ubuntu:24.04';

test('accepting an offer makes an instance that is provisioned, costs, and has a key of its own', async () => {
	await using market = await openRentable();
	const {offer, rent, instance} = market;
	const reply = await rent({image, disk: 20, label: 'first', env: {A: '1', '-p 80:80': '1'}});
	expect(reply).toMatchObject({
		status: 200,
		body: {
			success: true,
			new_contract: 1,
			instance_api_key: expect.stringMatching(/^[\da-f]{64}$/) as unknown,
		},
	});
	expect(await instance(reply)).toMatchObject({
		ask_id: offer.id,
		image,
		label: 'first',
		disk_gb: 20,
		is_bid: 0,
		gpu_micros: offer.dph_base_micros,
		actual: null,
		intended: 'running',
		current: 'running',
		billed_until: TEST_NOW,
	});
});

test('the 17 keys that the official command line always sends make an instance', async () => {
	await using market = await openRentable();
	const {rent, instance} = market;
	const reply = await rent({
		client_id: 'me',
		image,
		env: {},
		price: null,
		disk: 10,
		label: null,
		extra: null,
		onstart: null,
		image_login: null,
		python_utf8: false,
		lang_utf8: false,
		use_jupyter_lab: false,
		jupyter_dir: null,
		force: false,
		cancel_unavail: false,
		template_hash_id: null,
		user: null,
		runtype: 'ssh_direc ssh_proxy',
	});
	expect(reply.status).toBe(200);
	const {settings, label} = await instance(reply);
	expect(label).toBeNull();
	expect(JSON.parse(settings)).toMatchObject({launch: {mode: 'ssh', sshDirect: true}});
});

test.each(['ssh_direct', 'ssh_direc ssh_proxy'])(
	'a launch that is asked for as %j is listed in the tokens of the official command line',
	async runtype => {
		await using market = await openRentable();
		expect((await market.rent({image, runtype})).status).toBe(200);
		expect((await market.call('/api/v0/instances/1/')).body).toMatchObject({
			instances: {image_runtype: 'ssh ssh_direc ssh_proxy'},
		});
	},
);

test('the key of an instance starts, stops and destroys it, and nothing else', async () => {
	await using market = await openRentable();
	const {rent, call} = market;
	const {body} = await rent({image});
	const key = typeof body === 'object' && body !== null ? String(Object.values(body)[2]) : '';
	const headers = {authorization: `Bearer ${key}`};
	for (const [method, path] of [
		['GET', '/api/v0/instances/1/'],
		['GET', '/api/v0/instances/'],
		['GET', '/api/v0/auth/apikeys/'],
		['POST', '/api/v0/bundles/'],
		['PUT', '/api/v0/asks/1/'],
	] as const) {
		const init = {method, headers, ...(method !== 'GET' && {body: '{}'})};
		expect((await call(path, init)).status, `${method} ${path}`).toBe(403);
	}
});

/** True for what a search of a launch reads of an offer. */
const isOffer = (row: object) => Object.keys(row).join() === 'id';

test('a launch rents no offer that became dearer than its search allows', async () => {
	await using market = await openRentable();
	const {offer, database, file, key} = market;
	const dearer = database
		.updateTable('offers')
		.set({dph_base_micros: offer.dph_base_micros * 10})
		.where('id', '=', offer.id);
	const q = {id: {eq: offer.id}, dph_total: {lte: offer.dph_base_micros / 1e6 + 0.1}};
	const order = ['PUT', '/launch_instance/', {q, image, disk: 10}] as const;
	const late = {file, key, of: isOffer, act: async () => dearer.execute()};
	expect(await callLate(late, ...order)).toMatchObject({status: 404, body: {success: false}});
	expect(await database.selectFrom('instances').select('id').execute()).toEqual([]);
});
