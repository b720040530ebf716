/** The price at which an order takes an offer, where its account may have it. */
import type {InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {Refusal} from '../base/refusal.ts';
import {priceOf, type Plan} from './order-rules.ts';
import {readPayer} from '../ledger/accounts-store.ts';
import type {AskRow} from '../lifecycle/asks-store.ts';
import {isTooLittle} from '../ledger/charge-prices-store.ts';
import type {Database} from '../database/database.ts';
import {countKeys} from '../ssh-keys/instance-ssh-keys-store.ts';

export type Price = ReturnType<typeof priceOf>;

type Ordered = {
	readonly accountId: number;
	readonly plan: Plan;
	readonly order: Pick<InstanceOrder, 'price'>;
};

/** The price of an offer for whoever orders it. @throws Refusal where it is not for them, or not as ordered */
export async function payablePrice(
	database: Database,
	{accountId, plan, order}: Ordered,
	ask: AskRow,
): Promise<Price> {
	const {kind, creditMicros} = await readPayer(database, accountId);
	const isOwn = ask.hostAccountId === accountId;
	if (kind === 'provider' && !isOwn) {
		throw new Refusal(
			'notYours',
			'this offer is not your own: hosts can rent only their own machines',
		);
	}
	refuseUnfit(plan, ask);
	const price = isOwn ? {...priceOf(order.price, ask), micros: 0} : priceOf(order.price, ask);
	if (plan.vm && (await countKeys(database, accountId)) === 0) {
		throw new Refusal(
			'noSshKeyForVm',
			'a VM cannot be entered without an SSH key: register one first',
		);
	}
	if (isTooLittle(creditMicros, price.micros) && !isOwn) throw noCredit(creditMicros);
	return price;
}

function noCredit(micros: number): Refusal {
	const has = micros <= 0 ? 'no credit left' : 'too little credit for this price';
	return new Refusal('noCredit', `the account has ${has}: nothing was rented`);
}

function refuseUnfit(plan: Plan, {disk_space, vms_enabled}: AskRow): void {
	if (disk_space !== null && plan.diskGb > disk_space) {
		throw new Refusal(
			'badArguments',
			`disk must be at most ${disk_space} (GB), which is what this offer has`,
		);
	}
	if (plan.vm && vms_enabled !== 1) throw new Refusal('badArguments', 'this offer runs no VMs');
}
