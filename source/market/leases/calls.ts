import type {Contract} from '../../contract/index.ts';
import {Refusal} from '../base/refusal.ts';
import {leaseRow, shownLease} from './rules.ts';
import {findInstance} from '../lifecycle/instances-store.ts';
import {deleteLease, writeLease} from './store.ts';
import type {Context, Handler} from '../http/handler.ts';
import {refuseBeyondCap} from '../api-keys/caps.ts';
import {writingOn} from '../database/writing.ts';

type Calls = Contract['instances'];

export const setLease: Handler<Calls['setLease']> = async ({params: {id}, body}, context) => {
	const {capped} = context.caller;
	const now = context.clock.now();
	const row = leaseRow(body, id, now);
	const held = {instances: [id], payers: capped !== undefined};
	await writingOn(context.database, held, async transaction => {
		await refuseUnknown(id, {...context, database: transaction});
		await writeLease(transaction, row);
		await refuseBeyondCap(transaction, {capped, leaseOf: id, now});
	});
	return {success: true, lease: shownLease(row) ?? {}};
};

export const removeLease: Handler<Calls['removeLease']> = async ({params: {id}}, context) => {
	const held = {instances: [id], payers: false};
	await writingOn(context.database, held, async transaction => {
		await refuseUnknown(id, {...context, database: transaction});
		await deleteLease(transaction, id);
	});
	return {success: true, msg: `Instance ${id} goes on without an end.`};
};

async function refuseUnknown(
	id: number,
	{database, caller: {accountId}}: Pick<Context<Calls['setLease']>, 'database' | 'caller'>,
): Promise<void> {
	const row = await findInstance(database, {id, accountId});
	if (row === undefined) throw new Refusal('noSuchInstance', `Instance ${id} not found.`);
}
