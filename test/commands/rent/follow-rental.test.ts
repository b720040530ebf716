import {expect, test} from 'vitest';
import {commandsOf, jsonOf} from '../../helpers/commands/commands.ts';
import type {CommandsOptions} from '../../helpers/commands/commands.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {answered} from '../../helpers/services/faults.ts';
import {misdeliver, recordsWith} from '../../helpers/services/other-records.ts';
import {openRentable} from '../../helpers/market/rentable.ts';

const RECORD = {method: 'GET', path: /^\/api\/v0\/instances\/\d+\//};

/** Rents through a service that says of instances what a test has it say. */
async function openService(options: CommandsOptions = {}) {
	const market = await openRentable();
	const proxy = await openFaultProxy(market.url);
	const run = commandsOf({url: proxy.url, key: market.key}, options);
	const words = ['--image', 'ubuntu:24.04', '--disk', '40', '--spend', '99', '--yes'];
	return {
		proxy,
		rent: async (...more: readonly string[]) =>
			run('rent', String(market.offer.id), ...words, ...more),
		/** Instances that were not destroyed. */
		rented: async () =>
			market.database
				.selectFrom('instances')
				.select('id')
				.where('destroyed_at', 'is', null)
				.execute(),
		async [Symbol.asyncDispose]() {
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('an instance as ordered is rented without a word about it', async () => {
	await using service = await openService();
	const rented = await service.rent('--exact', '--label', 'train', '--json');
	expect(rented.code).toBe(0);
	expect(rented.err).not.toContain('not as ordered');
	expect(jsonOf(rented)).toMatchObject([{label: 'train', differences: []}]);
});

test('a bid with ports is as ordered where the bid and its disk are the price', async () => {
	await using service = await openService();
	const words = ['--bid', '5', '--launch=ssh_direct', '--env=-p 80:80', '--exact', '--json'];
	const rented = await service.rent(...words);
	expect(rented.code).toBe(0);
	const [record] = jsonOf(rented);
	expect(record).toMatchObject({differences: []});
	expect(Number(record?.['price_per_hour'])).toBeGreaterThan(5);
});

test('an on-demand instance in the place of a bid is destroyed with --exact', async () => {
	await using service = await openService();
	misdeliver(service.proxy, {is_bid: false});
	const rented = await service.rent('--bid', '5', '--exact');
	expect(rented.code).toBe(9);
	expect(rented.err).toContain('1 is not as ordered: on demand instead of a bid.');
});

test('a first record that differs is said at once, with the price and the command that ends it', async () => {
	await using service = await openService();
	misdeliver(service.proxy, {disk_space: 20, gpu_name: 'RTX\u001B[2J 2060', dph_total: 9.5});
	const rented = await service.rent();
	expect(rented).toMatchObject({code: 9, out: '1\n'});
	expect(rented.err).toMatch(
		/rentty: 1 is not as ordered: GPU RTX\S* 2060 instead of .+, disk 20 GB instead of 40 GB, price \$9\.5000\/h instead of \$[\d.]+\/h \(\$[\d.]+\/h more\)\. It costs \$9\.5000\/h\. rentty destroy 1 ends it\./,
	);
	expect(rented.err).toContain('rentty: 1 costs $9.5000/h, $228.00 a day.');
	expect(rented.err).not.toContain('\u001B');
	expect(await service.rented()).toHaveLength(1);
});

test('rates of disk and traffic are compared, though the hour costs what was agreed', async () => {
	await using service = await openService();
	misdeliver(service.proxy, {storage_cost: 2.08, inet_up_cost: 20, inet_down_cost: 0});
	const rented = await service.rent();
	expect(rented).toMatchObject({code: 9, out: '1\n'});
	expect(rented.err).toMatch(
		/1 is not as ordered: storage \$2\.0800 a GB and month instead of \$0\.\d+ a GB and month, upload \$20\.00 a GB instead of \$0\.\d+ a GB\./,
	);
});

test('differences are JSON, with what each costs more', async () => {
	await using service = await openService();
	misdeliver(service.proxy, {is_bid: true, dph_total: 9.5});
	const [record] = jsonOf(await service.rent('--json'));
	expect(record?.['differences']).toEqual([
		{
			field: 'price',
			ordered: expect.closeTo(Number(record?.['price_per_hour']), 4) as unknown,
			got: 9.5,
			costs_per_hour: expect.closeTo(9.5 - Number(record?.['price_per_hour']), 3) as unknown,
		},
		{field: 'pricing', ordered: 'on-demand', got: 'bid', costs_per_hour: null},
	]);
});

test('with --exact an instance that differs is destroyed, which is proven, and the exit code is 9', async () => {
	await using service = await openService();
	misdeliver(service.proxy, {disk_space: 20});
	const rented = await service.rent('--exact');
	expect(rented).toMatchObject({code: 9, out: ''});
	expect(rented.err).toContain('disk 20 GB instead of 40 GB');
	expect(rented.err).toContain('rentty: 1 is gone. Nothing more is charged for it.');
	expect(await service.rented()).toEqual([]);
});

test('with --exact JSON says that it is gone', async () => {
	await using service = await openService();
	misdeliver(service.proxy, {image_uuid: 'ubuntu:22.04'});
	const rented = await service.rent('--exact', '--json');
	expect(rented.code).toBe(9);
	expect(jsonOf(rented)).toMatchObject([
		{id: 1, state: 'gone', differences: [{field: 'image', got: 'ubuntu:22.04'}]},
	]);
});

test('where it is not proven to be gone, it may still be charged, and the exit code is 9', async () => {
	await using service = await openService();
	misdeliver(service.proxy, {disk_space: 20});
	service.proxy.next({method: 'DELETE'}, answered({status: 403, body: {success: false}}), 9);
	const rented = await service.rent('--exact');
	expect(rented).toMatchObject({code: 9, out: '1\n'});
	expect(rented.err).toMatch(
		/1 is not known to be gone, and may still be charged: .+ rentty destroy 1/,
	);
	expect(await service.rented()).toHaveLength(1);
});

test('a record that is not there yet is waited for, and is no difference', async () => {
	await using service = await openService();
	service.proxy.next(RECORD, answered({status: 200, body: {instances: null}}));
	service.proxy.next(RECORD, recordsWith({disk_space: 20}), 9);
	expect((await service.rent()).err).toContain('disk 20 GB instead of 40 GB');
});

test('the number is printed where the service shows no record, and --exact says that nothing was compared', async () => {
	await using service = await openService();
	service.proxy.next(RECORD, answered({status: 500, body: {}}), 99);
	const rented = await service.rent('--exact');
	expect(rented).toMatchObject({code: 6, out: '1\n'});
	expect(rented.err).toContain('1 cannot be read so far, so it was not compared with the order');
});

test('a key that may not read instances is not made to wait', async () => {
	await using service = await openService();
	service.proxy.next(RECORD, answered({status: 403, body: {success: false}}), 99);
	expect(await service.rent()).toMatchObject({code: 0, out: '1\n'});
	expect(service.proxy.requests.filter(({path}) => RECORD.path.test(path))).toHaveLength(1);
});

test('with --wait each record is compared, and --exact ends the waiting at the first difference', async () => {
	await using service = await openService();
	service.proxy.next(RECORD, recordsWith({num_gpus: null, actual_status: 'loading'}));
	service.proxy.next(RECORD, recordsWith({num_gpus: 99, actual_status: 'loading'}), 9);
	const rented = await service.rent('--wait', '--exact');
	expect(rented).toMatchObject({code: 9, out: ''});
	expect(rented.err).toMatch(
		/rentty: 1 loading\n[^]*rentty: 1 is not as ordered: 99 GPUs instead of/,
	);
	expect(await service.rented()).toEqual([]);
});

test('ports are compared once it runs, and may come a little later', async () => {
	await using service = await openService();
	const running = {actual_status: 'running', image_runtype: 'args'};
	const ports = {'80/tcp': [{HostIp: '0.0.0.0', HostPort: '1'}]};
	service.proxy.next(RECORD, recordsWith({...running, ports: {}}));
	service.proxy.next(RECORD, recordsWith({...running, ports}));
	const words = ['--launch=args', '--env=-p 80:80', '--wait', '--json'];
	expect(jsonOf(await service.rent(...words))).toMatchObject([{state: 'running', differences: []}]);
});

test('a port that is missing from what runs is told of, and is destroyed for with --exact', async () => {
	await using service = await openService();
	const running = {actual_status: 'running', image_runtype: 'args', ports: {}};
	service.proxy.next(RECORD, recordsWith(running), 99);
	const rented = await service.rent('--launch=args', '--env=-p 80:80', '--wait', '--exact');
	expect(rented.code).toBe(9);
	expect(rented.err).toContain('port 80/tcp not reached from outside');
	expect(await service.rented()).toEqual([]);
});

test('ended by Ctrl-C during the look, it prints the number of the instance all the same', async () => {
	await using service = await openService({interruptAfter: /not as ordered/});
	misdeliver(service.proxy, {disk_space: 20});
	expect(await service.rent()).toMatchObject({code: 130, out: '1\n'});
});
