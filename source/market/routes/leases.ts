import type {Contract} from '../../contract/index.ts';
import {Refusal} from '../refusal.ts';
import {leaseRow, shownLease} from '../rules/leases.ts';
import {findInstance} from '../store/instances.ts';
import {deleteLease, writeLease} from '../store/leases.ts';
import type {Context, Handler} from './handler.ts';
import {writingOn} from '../store/writing.ts';

type Calls = Contract['instances'];

export const setLease: Handler<Calls['setLease']> = async ({params: {id}, body}, context) => {
	const row = leaseRow(body, id, context.clock.now());
	const held = {instances: [id], payers: false};
	await writingOn(context.database, held, async transaction => {
		await refuseUnknown(id, {...context, database: transaction});
		await writeLease(transaction, row);
	});
	return {success: true, lease: shownLease(row) ?? {}};
};

export const removeLease: Handler<Calls['removeLease']> = async ({params: {id}}, context) => {
	await refuseUnknown(id, context);
	await deleteLease(context.database, id);
	return {success: true, msg: `Instance ${id} goes on without an end.`};
};

async function refuseUnknown(
	id: number,
	{database, caller: {accountId}}: Pick<Context<Calls['setLease']>, 'database' | 'caller'>,
): Promise<void> {
	const row = await findInstance(database, {id, accountId});
	if (row === undefined) throw new Refusal('noSuchInstance', `Instance ${id} not found.`);
}
