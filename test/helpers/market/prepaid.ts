import * as z from 'zod/mini';
import {contract} from '../../../source/contract/index.ts';
import type {InstanceRow} from '../../../source/market/database/instance-tables.ts';
import {creditOf, roundDollars, setCredit} from './billing.ts';
import {openSharedMachine} from './shared-machine.ts';
import {TEST_NOW, wholeReply} from './market.ts';

const shownInstance = z.object({instances: z.record(z.string(), z.unknown())});

type Prepaid = {
	/** Dollars, of which the renter has 1000 where nothing else is said. */
	readonly credit?: number;
	/** The most discount that the offer has. */
	readonly most?: number;
	readonly bid?: number;
};

/** A market with an instance that costs a dollar an hour, can be paid ahead, and lasts 45 days. */
export async function openPrepaid({credit = 1000, most = 0.4, bid}: Prepaid = {}) {
	const machine = await openSharedMachine();
	const {database} = machine;
	await database.updateTable('offers').set({credit_discount_max: most}).execute();
	await setCredit(database, credit * 1e6);
	const id = await machine.rent({
		gpus: [0],
		storage_micros: 0,
		end_date: TEST_NOW + 45 * 86_400,
		...(bid !== undefined && {bid}),
	});
	const host = await machine.createKey('host', 'host');

	return {
		...machine,
		row: async (): Promise<InstanceRow> => machine.row(id),
		prepay: async (amount: number) => machine.act('PUT', `prepay/${id}/`, {amount}),
		deposit: async () => (await machine.act('GET', `balance/${id}/`)).body,
		async deposited() {
			return wholeReply(
				contract.instances.deposit,
				(await machine.act('GET', `balance/${id}/`)).body,
			);
		},
		destroy: async () => machine.act('DELETE', `${id}/`),
		async shown(): Promise<Readonly<Record<string, unknown>>> {
			const {body} = await machine.act('GET', `${id}/`);
			return shownInstance.parse(body).instances;
		},
		credit: async () => (await creditOf(database)) / 1e6,
		setCredit: async (dollars: number) => setCredit(database, dollars * 1e6),
		/** Lets its machine be heard while time passes, in so many parts. */
		async run(seconds: number, parts = 1): Promise<void> {
			for (let part = 1; part <= parts; part++) {
				await hear(machine.clock.now() + seconds / parts);
				await machine.pass(seconds / parts);
			}
		},
		async lose(): Promise<void> {
			const set = {contact: 'lost', actual: 'offline'} as const;
			await database.updateTable('instances').set(set).where('id', '=', id).execute();
		},
		/** What the machines' provider has earned, in dollars. */
		async earned(): Promise<number> {
			const query = `sday=${Math.floor(TEST_NOW / 86_400)}&eday=${Math.floor(TEST_NOW / 86_400) + 60}`;
			const path = `/api/v0/users/me/machine-earnings?${query}`;
			const {body} = await machine.call(path, {headers: {authorization: `Bearer ${host}`}});
			return wholeReply(contract.machines.earnings, body).summary.total_gpu ?? NaN;
		},
		/** Types and sum of all invoices. */
		async invoices() {
			const when = {gte: TEST_NOW - 86_400, lte: TEST_NOW + 90 * 86_400};
			const filters = encodeURIComponent(JSON.stringify({when}));
			const path = `/api/v1/invoices/?limit=100&select_filters=${filters}`;
			const rows =
				wholeReply(contract.billing.invoices, (await machine.call(path)).body).results ?? [];
			const sum = roundDollars(rows.reduce((total, {amount}) => total + (amount ?? NaN), 0));
			return {rows: rows.map(({type}) => type), sum};
		},
	};

	async function hear(at: number): Promise<void> {
		await database.updateTable('machines').set({heard_at: at}).execute();
	}
}

/** What is left of what was paid ahead, in dollars. */
export function dollarsAhead({deposit_micros: micros}: InstanceRow): number {
	return micros / 1e6;
}
