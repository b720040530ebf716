/** All that is wrong after renters and hosts did much at once. */
import {MARKET} from '../../../source/market/database/account-tables.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {bookSum} from '../../../source/market/ledger/store.ts';
import {allFaults, allMoney} from './ledger.ts';
import type {Answered} from './mixed-workload.ts';

/** Everything that is wrong with what is kept, in words. */
export async function problemsAfter(
	database: Database,
	answered: Answered,
): Promise<readonly string[]> {
	const {rented, destroyed, doubtful} = answered;
	const instances = await database.selectFrom('instances').selectAll().execute();
	const byId = new Map(instances.map(row => [row.id, row]));
	const offers = await database.selectFrom('offers').selectAll().execute();
	const running = instances.filter(row => row.destroyed_at === null && row.current === 'running');
	const doubles = running.flatMap((one, index) =>
		running
			.slice(index + 1)
			.filter(other => other.machine_id === one.machine_id && (other.gpu_mask & one.gpu_mask) !== 0)
			.map(other => `${one.id} and ${other.id} have the same GPU`),
	);
	const free = offers.filter(
		offer =>
			offer.rentable === 1 &&
			running.some(
				row =>
					row.machine_id === offer.machine_id &&
					row.is_bid === 0 &&
					(row.gpu_mask & offer.gpu_mask) !== 0,
			),
	);
	const unanswered = instances.filter(({id}) => !rented.has(id)).length;
	return [
		...doubles,
		...(unanswered <= doubtful ? [] : [`${unanswered} rents were refused or lost, and are there`]),
		...free.map(({id}) => `offer ${id} is rented, and offered`),
		...[...rented].filter(id => !byId.has(id)).map(id => `${id} is lost`),
		...[...destroyed]
			.filter(id => byId.get(id)?.destroyed_at === null)
			.map(id => `${id} came back`),
		...(await lostMoney(database, answered)),
		...(await leftovers(database)),
	];
}

/** To the micro-dollar: what was paid in is what all have together, and each balance is its sum. */
async function lostMoney(
	database: Database,
	{prepaid, given}: Answered,
): Promise<readonly string[]> {
	const faults = (await allFaults(database)).map(({what, micros}) => `${what}: ${micros} too much`);
	const missing = (await bookSum(database, MARKET, 'outside')) + (await allMoney(database));
	const entries = await database
		.selectFrom('entries')
		.innerJoin('postings', 'postings.entry_id', 'entries.id')
		.select(['entries.kind', 'postings.micros'])
		.where('postings.micros', '>', 0)
		.execute();
	const movedBy = (wanted: string) =>
		entries.reduce((sum, {kind, micros}) => sum + (kind === wanted ? micros : 0), 0);
	return [
		...faults,
		...(missing === 0 ? [] : [`${missing} micro-dollars are missing`]),
		...(movedBy('reserved') >= Math.round(prepaid * 1e6) ? [] : ['a deposit is lost']),
		...(movedBy('transfer') >= Math.round(given * 1e6) ? [] : ['a transfer is lost']),
	];
}

/** What was to end with an instance. */
async function leftovers(database: Database): Promise<readonly string[]> {
	const gone = database.selectFrom('instances').select('id').where('destroyed_at', 'is not', null);
	const jobs = await database
		.selectFrom('scheduled_jobs')
		.select('id')
		.where('instance_id', 'in', gone)
		.execute();
	const copies = await database
		.selectFrom('copies')
		.select('id')
		.where('ended_at', 'is', null)
		.where('source_kind', '=', 'instance')
		.where('target_kind', '=', 'instance')
		.where(eb => eb.or([eb('source_id', 'in', gone), eb('target_id', 'in', gone)]))
		.execute();
	const increases = await database
		.selectFrom('price_increases')
		.select('id')
		.where('state', '=', 'open')
		.where('instance_id', 'in', gone)
		.execute();
	const deposits = await database
		.selectFrom('instances')
		.select('id')
		.where('destroyed_at', 'is not', null)
		.where('deposit_micros', '>', 0)
		.execute();
	const kept = {job: jobs, copy: copies, increase: increases, deposit: deposits};
	return Object.entries(kept).flatMap(([what, rows]) =>
		rows.map(({id}) => `${what} ${id} outlived its instance`),
	);
}
