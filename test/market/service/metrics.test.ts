import process from 'node:process';
import {expect, test} from 'vitest';
import {openMarket} from '../../../source/market/open.ts';
import {hearMachines, openTestMarketFile, rentDirectly} from '../../helpers/market/instances.ts';

test('the figures of a market tell what was answered, without a key and without ids', async () => {
	await using market = await openTestMarketFile({offers: 20, metricsPort: 0});
	const {database, call, clock, metricsUrl} = market;
	await hearMachines(database);
	const {ask_id: taken} = await rentDirectly(database);
	const offers = await market.search({rentable: {eq: true}});
	const order = {method: 'PUT', body: JSON.stringify({image: 'ubuntu', disk: 10})};
	const free = offers.find(({id}) => id !== taken)?.id;
	expect((await call(`/api/v0/asks/${free}/`, order)).status).toBe(200);
	expect((await call(`/api/v0/asks/${free}/`, order)).status).toBe(410);
	await call('/api/v0/users/current/', {headers: {authorization: undefined}});
	await call('/api/v0/nothing-of-the-kind/123456/');
	clock.pass(20);
	const reply = await fetch(`${metricsUrl}/metrics`);
	const text = await reply.text();
	expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4');
	const lines = text.trim().split('\n');
	const rent = 'endpoint="PUT /api/v0/asks/:id"';
	expect(lines).toEqual(
		expect.arrayContaining([
			`rentty_requests_total{${rent},status="200",outcome="ok"} 1`,
			`rentty_requests_total{${rent},status="410",outcome="askGone"} 1`,
			`rentty_request_seconds_count{${rent}} 2`,
			`rentty_request_seconds_bucket{${rent},le="+Inf"} 2`,
			'rentty_rents_total 1',
			'rentty_rents_refused_as_taken_total 1',
			'rentty_oldest_heartbeat_age_seconds 20',
		]),
	);
	expect(text).toContain('rentty_sweep_lag_seconds ');
	expect(text).toContain('rentty_connections ');
	expect(text).not.toContain('123456');
	expect(text).not.toContain(market.key);
	for (const line of lines) {
		expect(line).toMatch(/^(# TYPE \w+ \w+|\w+(\{(\w+="[^"\n]*",?)+\})? -?[\d.e+-]+)$/);
	}
	expect((await fetch(`${metricsUrl}/other`)).status).toBe(404);
});

test('a market has no figures where nobody asks for them', async () => {
	await using market = await openTestMarketFile();
	expect(market.metricsUrl).toBeUndefined();
	expect((await market.call('/metrics')).status).toBe(404);
});

/** Number of sockets that this process listens on. */
function listening(): number {
	return process.getActiveResourcesInfo().filter(name => name === 'TCPServerWrap').length;
}

test('a market whose port for figures is taken does not go on listening', async () => {
	await using other = await openTestMarketFile({offers: 1, metricsPort: 0});
	const metricsPort = Number(new URL(other.metricsUrl ?? '').port);
	const before = listening();
	await expect(openMarket({file: ':memory:', metricsPort})).rejects.toThrow(/in use|taken/i);
	await expect.poll(listening).toBe(before);
});
