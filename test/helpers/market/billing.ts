import {createWorkSignal} from '../../../source/market/base/work-signal.ts';
import {noteHeartbeat} from '../../../source/market/hosts/heartbeats.ts';
import {createSweep} from '../../../source/market/sweep/sweep.ts';
import {usualPatience} from '../../../source/market/lifecycle/contact-rules.ts';
import {contractEnd} from '../../../source/market/base/contract-end.ts';
import {makeOffers} from './made-offers.ts';
import {addCredit, readAccount, soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {createChanges} from '../../../source/market/database/changes.ts';
import {openDatabase} from './postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import type {VolumeRow} from '../../../source/market/database/instance-tables.ts';
import {insertInstance} from '../../../source/market/lifecycle/instances-store.ts';
import {insertOffers} from '../../../source/market/offers/store.ts';
import {openTestMarketFile, readInstance, rentRunning} from './instances.ts';
import {TEST_NOW, type CallInit, type TestMarket} from './market.ts';

/** What the renter has, in micro-dollars. */
export const OPENING = 1_000_000_000;
export const rates = {gpuMicros: 1_234_567, storageMicros: 151_003, diskGb: 10.08};
export const volumeRates = {gpuMicros: 0, storageMicros: 99_991, diskGb: 3.3};

/** The market's share of what providers earn there. */
export const SHARE = 0.2;

/** A database with a running instance that costs, and a volume beside it. */
export async function openBilledWorld() {
	const changes = createChanges();
	const database = await openDatabase(':memory:', changes);
	const workSignal = createWorkSignal();
	let openedAt = TEST_NOW;
	const patience = {...usualPatience, listeningSince: () => openedAt};
	const sweepOn = createSweep({database, patience, workSignal, share: SHARE}, changes);
	const {id: account_id} = await soleAccount(database, 'host', TEST_NOW);
	const offers = makeOffers({seed: 3, count: 1, epoch: TEST_NOW});
	for (const {machine_id: id, host_id} of offers) {
		const machine = {id, host_id, account_id, name: 'm', num_gpus: 1, heard_at: null};
		await database.insertInto('machines').values(machine).execute();
	}
	await insertOffers(
		database,
		offers.map(offer => ({...offer, rentable: 1})),
	);
	const {id: renter} = await soleAccount(database, 'renter', TEST_NOW);
	await addCredit(database, renter, {micros: OPENING, description: 'Opening', now: TEST_NOW});
	const {id, machine_id, ask_id} = await rentRunning(database, {
		gpu_micros: rates.gpuMicros,
		storage_micros: rates.storageMicros,
		disk_gb: rates.diskGb,
	});
	await insertVolume(database, {
		machine_id,
		ask_id,
		size_gb: volumeRates.diskGb,
		storage_micros: volumeRates.storageMicros,
	});
	return {
		database,
		workSignal,
		changes,
		renter,
		id,
		patience,
		/** Another instance like the one that is there. */
		async rentAlike(): Promise<void> {
			const {id: _, ...row} = await readInstance(database, id);
			await insertInstance(database, row);
		},
		/** As a market does it every second: what can wait to be charged is left. */
		sweep: async (now: number) => sweepOn(now, 'urgent'),
		sweepAll: async (now: number) => sweepOn(now, 'all'),
		/** The machine shows that it lives. */
		async hear(now: number): Promise<void> {
			const word = {accountId: account_id, ids: [machine_id], contact: 'heard', now} as const;
			await noteHeartbeat({database, patience, workSignal}, word);
		},
		/** The market is opened again. */
		async reopen(now: number): Promise<void> {
			openedAt = now;
			await sweepOn(now, 'all');
		},
		[Symbol.asyncDispose]: async () => database.destroy(),
	};
}

export type BilledWorld = Awaited<ReturnType<typeof openBilledWorld>>;

type TestVolume = Pick<VolumeRow, 'machine_id' | 'ask_id' | 'size_gb' | 'storage_micros'> &
	Partial<Pick<VolumeRow, 'created_at'>>;

/** A volume of the renter, made at TEST_NOW if nothing else is said. */
export async function insertVolume(database: Database, volume: TestVolume): Promise<void> {
	const {id: account_id} = await soleAccount(database, 'renter', TEST_NOW);
	const {id: host_account_id} = await soleAccount(database, 'host', TEST_NOW);
	const {created_at = TEST_NOW} = volume;
	const times = {created_at, destroyed_at: null, billed_until: created_at};
	const end_date = contractEnd(null, TEST_NOW);
	await database
		.insertInto('volumes')
		.values({
			...volume,
			...times,
			end_date,
			account_id,
			host_account_id,
			label: 'data',
			revision: 0,
		})
		.execute();
}

/** What the market's renter has, as far as everything was charged. */
export async function creditOf(database: Database): Promise<number> {
	const {id} = await soleAccount(database, 'renter', TEST_NOW);
	return (await readAccount(database, id)).creditMicros;
}

/** Changes that, and answers whose it is. */
export async function setCredit(database: Database, micros: number): Promise<number> {
	const {id} = await soleAccount(database, 'renter', TEST_NOW);
	const {creditMicros} = await readAccount(database, id);
	const more = {micros: micros - creditMicros, description: 'Set', now: TEST_NOW};
	await addCredit(database, id, more);
	return id;
}

/** All charges: for what, on which day, how much, and for how much. */
export async function chargesIn(database: Database, source: 'instance' | 'volume' = 'instance') {
	const rows = await database
		.selectFrom('charges')
		.select(['item', 'day', 'quantity', 'amount_micros'])
		.where('source', '=', source)
		.orderBy('day')
		.orderBy('item', 'desc')
		.execute();
	return rows.map(row => [row.item, row.day, row.quantity, row.amount_micros]);
}

const NEVER = {silentAfter: 1e9, lostAfter: 2e9};
const DAY = 86_400;
/** The day of TEST_NOW, counted from 1970. */
export const TODAY = Math.floor(TEST_NOW / DAY);
/** How many seconds are left of it. */
export const UNTIL_MIDNIGHT = (TODAY + 1) * DAY - TEST_NOW;
export const week = {gte: TEST_NOW - 3 * DAY, lte: TEST_NOW + 4 * DAY};

/**
 * A market in which an instance and a volume are used until an hour after midnight. Its computing
 * costs a dollar an hour, its disk another one, and the volume a tenth of one.
 */
export async function openUsedMarket() {
	const market = await openTestMarketFile({offers: 5, patience: NEVER});
	const {id, account_id, ask_id, machine_id} = await rentRunning(market.database, {
		gpu_micros: 1_000_000,
		storage_micros: 1_000_000,
		disk_gb: 720,
		label: 'trainer',
	});
	await insertVolume(market.database, {
		machine_id,
		ask_id,
		size_gb: 72,
		storage_micros: 1_000_000,
	});
	await market.pass(UNTIL_MIDNIGHT + 3600);
	return {...market, id, account_id};
}

/** Asks a path of the API, with what is not text written as JSON. */
export async function get(
	market: Pick<TestMarket, 'call'>,
	path: string,
	query: object = {},
	init: CallInit = {},
) {
	const texts = Object.entries(query).map(([name, value]) => [
		name,
		typeof value === 'string' ? value : JSON.stringify(value),
	]);
	const search = new URLSearchParams(texts).toString();
	const {status, body} = await market.call(`/api/${path}?${search}`, init);
	return {status, body};
}

export function roundDollars(dollars: number): number {
	return Math.round(dollars * 1e6) / 1e6;
}
