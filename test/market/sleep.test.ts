import {expect, test} from 'vitest';
import {openTestMarketFile, rentRunning} from '../helpers/market/instances.ts';

test('after the machine has slept, the first call finds everything as if it had not', async () => {
	await using market = await openTestMarketFile({offers: 20});
	const {database, clock, call} = market;
	const {id, gpu_micros: perHour} = await rentRunning(database);
	// Nobody sweeps meanwhile, and no host is heard.
	clock.pass(8 * 3600);
	expect((await call(`/api/v0/instances/${id}/`, {method: 'DELETE'})).status).toBe(200);
	const gpu = await database
		.selectFrom('charges')
		.select('amount_micros')
		.where('item', '=', 'gpu')
		.executeTakeFirstOrThrow();
	// It was heard of for so long.
	expect(gpu.amount_micros).toBe(Math.round((perHour * 45) / 3600));
});
