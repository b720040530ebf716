import {expect, test} from 'vitest';
import {machineFields} from '../../../source/contract/nouns/machine-fields.ts';
import {idsOf, openTestMarket, type TestMarket} from '../../helpers/market/market.ts';

/** Columns that existing clients send, by their type. */
const columns = {
	number: `id ask_contract_id bundle_id bundled_results machine_id host_id hosting_type cluster_id
		num_gpus gpu_ram gpu_total_ram gpu_lanes compute_cap cpu_cores cpu_ram direct_port_count
		driver_vers has_avx geolocode vericode avail_vol_ask_id nw_disk_min_bw nw_disk_max_bw
		nw_disk_avg_bw bw_nvlink cpu_cores_effective cpu_ghz credit_discount_max cuda_max_good disk_bw
		disk_space dlperf dlperf_per_dphtotal dph_base dph_total end_date start_date duration
		expected_reliability flops_per_dphtotal gpu_frac gpu_mem_bw gpu_max_power gpu_max_temp
		inet_down inet_down_cost inet_up inet_up_cost min_bid pci_gen pcie_bw reliability
		reliability_mult score storage_cost storage_total_cost total_flops vram_costperhour
		avail_vol_dph avail_vol_size platform_fee reliability2 dphtotal gpu_totalram
		compute_capability gpu_ram_GB cpu_ram_GB gpu_totalram_GB cuda_vers dlperf_usd dph flops_usd
		allocated_storage target_reliability`,
	text: `cpu_arch cpu_name disk_name driver_version geolocation gpu_arch gpu_name hostname logo
		webpage mobo_name os_version public_ipaddr resource_type verification ubuntu_version`,
	boolean: `external gpu_display_active is_bid is_vm_deverified rentable rented static_ip
		vms_enabled verified datacenter display_active`,
};

const examples = {number: [1, '2.5'], text: ['550', '535.86'], boolean: [true, 'False', 0]};

const cases = Object.entries(columns).flatMap(([type, names]) =>
	names.split(/\s+/).map(name => [type, name] as const),
);

async function statusesOf(
	market: TestMarket,
	place: readonly [path: string, name: string],
	bodies: readonly unknown[],
) {
	const [path, name] = place;
	const statuses = [];
	for (const body of bodies) {
		const reply = await market.call(path, {method: 'POST', body: JSON.stringify(body)});
		statuses.push([name, reply.status, reply.status === 200 ? '' : reply.text]);
	}
	return statuses;
}

test('every column that existing clients know can be asked for and sorted by', async () => {
	await using market = await openTestMarket({offers: 5});
	for (const [type, name] of cases) {
		const values = Object.entries(examples).find(([known]) => known === type)?.[1] ?? [];
		const bodies = [
			...values.map(value => ({[name]: {eq: value}})),
			{[name]: {neq: null, in: values}},
			{[name]: {eq: 'any'}},
			{order: [[name, 'desc']]},
		];
		const ok = bodies.map(() => [name, 200, '']);
		expect(await statusesOf(market, ['/api/v0/bundles/', name], bodies)).toEqual(ok);
		if (!(name in machineFields)) continue;
		expect(await statusesOf(market, ['/api/v0/volumes/search/', name], bodies)).toEqual(ok);
	}
});

test('what is not measured is null, and is found as nothing else', async () => {
	await using market = await openTestMarket({offers: 5});
	const [offer] = await market.search({});
	for (const name of ['logo', 'bundled_results', 'nw_disk_avg_bw', 'platform_fee']) {
		expect(offer).toHaveProperty(name, null);
		const found = async (tests: object) => (await market.search({[name]: tests})).length;
		expect([await found({eq: null}), await found({neq: 5})]).toEqual([5, 5]);
		expect([await found({eq: 5}), await found({lt: 5}), await found({in: [5]})]).toEqual([0, 0, 0]);
	}
	expect(offer).toMatchObject({resource_type: 'gpu', rn: 1});
	expect(await market.search({resource_type: {eq: 'GPU'}})).toHaveLength(5);
});

test('flags are numbers and booleans alike', async () => {
	await using market = await openTestMarket({offers: 60});
	const found = async (body: object) => (await market.search(body)).map(({id}) => id);
	const centers = await found({hosting_type: {eq: 1}});
	expect(centers.length).toBeGreaterThan(0);
	expect(await found({hosting_type: {eq: 'true'}})).toEqual(centers);
	expect(await found({datacenter: {eq: true}})).toEqual(centers);
	expect(await found({has_avx: {eq: true}})).toEqual(await found({has_avx: 1}));
	expect(await found({vericode: {eq: 1}})).toEqual(await found({verified: {eq: true}}));
});

test('offers are found by the GPUs that they are for', async () => {
	await using market = await openTestMarket({offers: 60});
	const offers = await market.search({limit: 100});
	const having = (ids: readonly number[]) =>
		offers.filter(offer => offer.gpu_ids?.some(id => ids.includes(id)) === true).length;
	for (const ids of [[1], [0, 3]]) {
		const found = await market.search({gpu_ids: {in: ids}, limit: 100});
		expect(found).toHaveLength(having(ids));
		const others = await market.search({gpu_ids: {notin: ids}, limit: 100});
		expect(others).toHaveLength(offers.length - having(ids));
	}
	expect(await market.search({gpu_ids: {eq: 1}, limit: 100})).toHaveLength(having([1]));
});

test('a search may be in the q of a body, as an object or as text', async () => {
	await using market = await openTestMarket({offers: 20});
	const q = {num_gpus: {gte: 2}, order: [['id', 'asc']]};
	const post = async (body: unknown) =>
		idsOf(await market.call('/api/v0/bundles/', {method: 'POST', body: JSON.stringify(body)}));
	const wanted = await post(q);
	expect(wanted.length).toBeGreaterThan(0);
	expect(await post({q})).toEqual(wanted);
	expect(await post({q: JSON.stringify(q), select_cols: ['*']})).toEqual(wanted);
	const bad = await market.call('/api/v0/bundles/', {method: 'POST', body: '{"q":"{"}'});
	expect(bad).toMatchObject({status: 400, body: {error: 'invalid_request'}});
});
