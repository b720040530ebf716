import {mkdirSync, writeFileSync} from 'node:fs';
import {serviceFile, serviceId, type KeptService} from '../../../source/renter/files/kept-file.ts';
import {observe, type Observation} from '../../../source/renter/instance/observations.ts';
import {keepHeard, openTestMarketFile, rentDirectly, rentRunning} from '../market/instances.ts';
import {TEST_NOW} from '../market/market.ts';

/** An instance that its renter has stopped. */
export const stoppedRun = {
	label: 'old-run',
	actual: 'exited',
	reported: 'exited',
	contact: 'heard',
	intended: 'stopped',
	current: 'stopped',
	next: 'stopped',
	created_at: TEST_NOW - 90_000,
} as const;

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
	const stopped = await rentDirectly(database, stoppedRun);
	const fresh = await rentDirectly(database, {
		label: 'vllm-2',
		contact: 'heard',
		created_at: TEST_NOW - 30,
	});
	// The market looks after its machines by itself, and these are heard as long as a test lasts.
	await keepHeard(database);
	// What it costs so far is on the bills before anybody asks.
	await market.sweep();
	/** What an earlier run saw of what is stuck: 71 looks in 700 seconds, up to this moment. */
	const seen = (localNow: number): ReadonlyMap<number, Observation> =>
		new Map([[stuck.id, seenLoading(stuck.id, localNow)]]);
	return {...market, running, stuck, stopped, fresh, seen};
}

/** Looks every ten seconds that showed an instance loading, since it was made 1,000 seconds ago. */
export function seenLoading(id: number, localNow: number): Observation {
	const looks = Array.from({length: 71}, (_, index) => (70 - index) * 10);
	const running = {intended_status: 'running', cur_state: 'running', next_state: 'running'};
	const instance = {...running, id, actual_status: 'loading', start_date: TEST_NOW - 1000};
	let seen: Observation | undefined;
	for (const seconds of looks) {
		const now = (TEST_NOW - seconds) * 1000;
		const moment = {now, localNow: localNow - seconds * 1000};
		seen = observe(seen, instance, {...moment, idleBelow: 3, bootMs: 600_000});
	}
	if (seen === undefined) throw new Error('nothing was looked at');
	// It was looked at from its beginning.
	return {...seen, phases: [{status: 'loading', since: (TEST_NOW - 1000) * 1000}]};
}

export type FleetMarket = Awaited<ReturnType<typeof openFleetMarket>>;

/** Writes what was seen of instances into a folder of rentty's, as an earlier run left it. */
export function keepSeen(
	folder: string,
	service: KeptService,
	seen: ReadonlyMap<number, Observation>,
): void {
	mkdirSync(folder, {recursive: true});
	const kept = {service: serviceId(service), seen: [...seen.values()], boots: {}};
	writeFileSync(serviceFile(folder, 'fleet', service), JSON.stringify(kept));
}
