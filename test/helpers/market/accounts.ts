/** Accounts of a market, opened by its operator, and what each of them is answered. */
import {contract} from '../../../source/contract/index.ts';
import {isRecord} from '../../../source/contract/grammar/json.ts';
import {openTestMarket, wholeReply, type Reply, type TestMarketOptions} from './market.ts';

export type Ask = (path: string, method?: string, body?: unknown) => ReturnType<TestCall>;
type TestCall = Awaited<ReturnType<typeof openTestMarket>>['call'];

/** Calls with a key, or without one, of paths under /api/v0. */
export function asksOf(call: TestCall) {
	return (key: string | undefined): Ask =>
		async (path, method = 'GET', body?: unknown) =>
			call(`/api/v0${path}`, {
				method,
				...(body !== undefined && {body: JSON.stringify(body)}),
				headers: {authorization: key && `Bearer ${key}`},
			});
}

/** A market with an operator. */
export async function openOperated(options: TestMarketOptions = {}) {
	const market = await openTestMarket(options);
	const as = asksOf(market.call);
	const operator = as(await market.createOperatorKey('operator'));

	/** Opens an account, with so many dollars. */
	async function add(account: object = {}, credit = 0) {
		const {body} = await operator('/operator/accounts/', 'POST', account);
		const {id, api_key: key} = wholeReply(contract.operator.addAccount, body);
		if (credit > 0) {
			await operator(`/operator/accounts/${id}/credit/`, 'POST', {amount: credit});
		}
		return {id, key, ask: as(key)};
	}

	return {...market, as, operator, add, [Symbol.asyncDispose]: market.close};
}

export type Operated = Awaited<ReturnType<typeof openOperated>>;

/** The word of a refusal; undefined for what was done. */
export function errorOf({body}: Reply): unknown {
	return isRecord(body) ? body['error'] : undefined;
}
