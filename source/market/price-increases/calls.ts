import type {Contract} from '../../contract/index.ts';
import type {PriceIncrease} from '../../contract/nouns/price-increases.ts';
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import {decideIncrease, listIncreases} from './price-increases.ts';
import {openEnd} from '../base/contract-end.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {IncreaseOfRental} from './store.ts';
import type {Context, Handler} from '../http/handler.ts';
import {HOUR} from '../../contract/rules/durations.ts';

type Calls = Contract['instances'];

/** Price before and after, in dollars per unit; null for an unchanged one. */
function change(name: string, [before, after]: readonly [number, number], unit: number) {
	const dollars = (micros: number) => micros / MICROS_PER_DOLLAR / unit;
	return {
		[`old_${name}`]: dollars(before),
		[`new_${name}`]: after === before ? null : dollars(after),
	};
}

function recordOf({rental, ...increase}: IncreaseOfRental, now: number): PriceIncrease {
	const gpus = Math.max(1, increase.numGpus);
	const both = (name: 'gpu_micros' | 'storage_micros' | 'up_micros' | 'down_micros') =>
		[rental[name], increase[name]] as const;
	return {
		pending_price_increase_id: increase.id,
		contract_id: increase.instance_id,
		host_id: rental.host_account_id,
		machine_id: rental.machine_id,
		...change('gpu_costpersec', both('gpu_micros'), gpus * HOUR),
		...change('disk_ram_costpersec', both('storage_micros'), HOURS_PER_MONTH * HOUR),
		...change('bwu_cost', both('up_micros'), 1),
		...change('bwd_cost', both('down_micros'), 1),
		new_platform_fee: null,
		old_platform_fee: null,
		contract_end_date: rental.end_date,
		ask_end_date: increase.offered_until ?? openEnd(now).end,
		created_at: increase.created_at,
	};
}

export const priceIncreases: Handler<Calls['priceIncreases']> = async (
	_,
	{database, clock, caller: {accountId}},
) => {
	const now = clock.now();
	const {increases, isCut} = await listIncreases(database, accountId, now);
	return {
		success: true,
		count: increases.length,
		truncated: isCut,
		pending_price_increases: increases.map(one => recordOf(one, now)),
	};
};

type Called = Context<Calls['acceptPriceIncrease']>;

async function answered(id: number, isAccepted: boolean, {database, clock, caller}: Called) {
	const {accountId} = caller;
	const instanceId = await decideIncrease(database, {id, accountId, isAccepted, now: clock.now()});
	return {success: true, pending_price_increase_id: id, contract_id: instanceId} as const;
}

export const acceptPriceIncrease: Handler<Calls['acceptPriceIncrease']> = async ({body}, context) =>
	answered(body.pending_price_increase_id, true, context);

export const rejectPriceIncrease: Handler<Calls['rejectPriceIncrease']> = async ({body}, context) =>
	answered(body.pending_price_increase_id, false, context);
