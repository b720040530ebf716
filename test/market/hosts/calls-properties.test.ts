import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {
	openHostMarket,
	openRentedMarket,
	testFacts,
	testPublication,
} from '../../helpers/host/hosts.ts';
import {least, runs} from '../../helpers/property.ts';

const odd = fc.oneof(
	fc.constantFrom<unknown>(null, true, -1, 0, 0.5, 1e-300, 1e9, 1e308, 2 ** 53, '', 'x', '\0', {}),
	fc.double({min: 0, max: 1e9, noNaN: true}),
	fc.nat(60),
	fc.array(fc.nat(3), {maxLength: 3}),
	fc.string({unit: 'binary', maxLength: 40}),
);

/** What is right but for a few fields. */
function nearly(right: Readonly<Record<string, unknown>>) {
	const changes = fc.dictionary(fc.constantFrom(...Object.keys(right)), odd, {maxKeys: 3});
	return changes.map(changed => ({...right, ...changed}));
}

const [ask] = testPublication().asks;

const publications = fc
	.record({
		facts: nearly(testFacts),
		asks: fc
			.subarray([0, 1])
			.chain(gpus => fc.tuple(...gpus.map(gpu => nearly({...ask, gpu_ids: [gpu]})))),
		top: fc.constantFrom('rig', 'box').chain(name => nearly({name, busy_gpus: []})),
	})
	.map(({top, ...rest}) => ({...rest, ...top}));

test('whatever a host publishes is refused in words, or found as it says', async () => {
	await using market = await openHostMarket();
	const published = new Set<number>();
	await fc.assert(
		fc.asyncProperty(publications, async publication => {
			const reply = await market.callAsHost('PUT', 'machines/', publication);
			expect(market.log).toEqual([]);
			if (reply.status !== 200) {
				expect(reply).toMatchObject({status: 400, body: {success: false, error: 'invalid_args'}});
				return;
			}
			const machine = contract.hosts.publish.replies[200].parse(reply.body);
			expect(machine.asks).toHaveLength(publication.asks.length);
			published.add(machine.id);
			const found = await market.call('/api/v0/bundles/', {
				method: 'POST',
				body: JSON.stringify({machine_id: {eq: machine.id}, order: [['score', 'desc']]}),
			});
			expect(found.status).toBe(200);
		}),
		{numRuns: runs(200)},
	);
	expect(published.size).toBeGreaterThanOrEqual(least(2));
	expect((await market.host.list()).map(({id}) => id).toSorted((a, b) => a - b)).toEqual(
		[...published].toSorted((a, b) => a - b),
	);
});

const reports = nearly({
	instance_id: 1,
	boot: 1,
	status: 'running',
	status_msg: 'well',
	access: {ssh_host: 'ssh1.example', ssh_port: 22},
	usage: {gpu_util: 1, disk_util: 0.5},
	traffic: {up: 1, down: 1},
});

test('whatever a host reports is refused in words, or noted', async () => {
	await using market = await openRentedMarket();
	const noted = new Set<number>();
	await fc.assert(
		fc.asyncProperty(fc.array(reports, {maxLength: 4}), async sent => {
			const reply = await market.callAsHost('POST', 'reports/', {reports: sent});
			expect(market.log).toEqual([]);
			noted.add(reply.status);
			if (reply.status === 200) return;
			expect(reply).toMatchObject({status: 400, body: {success: false, error: 'invalid_args'}});
		}),
		{numRuns: runs(150)},
	);
	expect(noted).toEqual(new Set([200, 400]));
	expect((await market.renter.account.current()).credit).toBeLessThanOrEqual(100);
});
