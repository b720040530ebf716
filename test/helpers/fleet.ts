import {openTestMarketFile, rentDirectly, rentRunning} from './instances.ts';
import {TEST_NOW} from './market.ts';

/** A market where somebody rents: one runs, one loads for long, one is stopped, one lost its host. */
export async function openFleetMarket() {
	const market = await openTestMarketFile({offers: 60});
	const {database} = market;
	const running = await rentRunning(database, {
		label: 'train-a',
		created_at: TEST_NOW - 7200,
		running_since: TEST_NOW - 7000,
	});
	const stuck = await rentDirectly(database, {
		label: 'train-c',
		actual: 'loading',
		reported: 'loading',
		contact: 'heard',
		message: 'pulling layer 7/19',
		created_at: TEST_NOW - 1000,
	});
	const stopped = await rentDirectly(database, {
		label: 'old-run',
		actual: 'exited',
		reported: 'exited',
		contact: 'heard',
		intended: 'stopped',
		current: 'stopped',
		next: 'stopped',
		created_at: TEST_NOW - 90_000,
	});
	const fresh = await rentDirectly(database, {
		label: 'vllm-2',
		contact: 'heard',
		created_at: TEST_NOW - 30,
	});
	// The market looks after its machines by itself, and these are heard as long as a test lasts.
	await database.updateTable('machines').set({heard_at: TEST_NOW}).execute();
	return {...market, running, stuck, stopped, fresh};
}

export type FleetMarket = Awaited<ReturnType<typeof openFleetMarket>>;
