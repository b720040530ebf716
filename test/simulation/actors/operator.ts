/** The operator gives credit, pays out and closes accounts, a payment service tells of payments; a stranger tries what is not theirs. */
import {createHmac} from 'node:crypto';
import {signedBy} from '../../../source/contract/nouns/account.ts';
import {send} from '../takeover/network.ts';
import {keepDoing, pause, type Actor, type Deed} from './deeds.ts';

const weights = {credit: 3, refund: 1, payout: 3, payment: 2, 'closing an account': 2};

/** Secret with which the payment service signs. */
export const PAYMENT_SECRET = 'of the payment service';

const deeds: Readonly<Record<keyof typeof weights, Deed>> = {
	/** Written twice, as where the first answer was lost: the reference counts once. */
	async credit({operator}, {ids, chance}) {
		const id = chance.pick(ids);
		const payment = {amount: chance.whole(1, 500) / 100, reference: `r${chance.whole(1, 1e9)}`};
		await operator.giveCredit(id, payment);
		return operator.giveCredit(id, payment);
	},
	/** Of more than an account has, which is paid again some minutes later: debts until then. */
	async refund({operator}, {ids, chance}) {
		const [id, amount] = [chance.pick(ids), chance.whole(100, 800)];
		const reference = `r${chance.whole(1, 1e9)}`;
		await operator.giveCredit(id, {amount: -amount, reference});
		await pause(chance.wait(120_000));
		return operator.giveCredit(id, {amount, reference: `${reference} again`});
	},
	/** Told again, as where the first answer was lost, and now and then by somebody without the secret. */
	async payment(_client, {ids, chance, url, truth}) {
		const isForged = chance.happens(0.2);
		const amount = chance.whole(1, 500) / 100;
		const id = `p${chance.whole(1, 1e9)}`;
		const body = JSON.stringify({id, user_id: chance.pick(ids), amount, currency: 'usd'});
		const time = String(Math.floor(Date.now() / 1000));
		const secret = isForged ? 'of somebody' : PAYMENT_SECRET;
		const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
		const headers = {
			'content-type': 'application/json',
			[signedBy.time]: time,
			[signedBy.signature]: `sha256=${digest}`,
		};
		const tell = async () =>
			send(url, {method: 'POST', path: '/api/v0/payments/', headers, body}).catch(() => undefined);
		await tell();
		const again = await tell();
		if (again?.status !== 200) return undefined;
		if (isForged) truth.lies.push(`the market took the word of somebody for payment ${id}`);
		return again;
	},
	/** Mostly to those who have earned something. */
	async payout({operator}, {ids, chance}) {
		const {accounts} = await operator.accounts(undefined);
		const earning = accounts.filter(({earnings}) => (earnings ?? 0) > 0).map(({id}) => id);
		const likely = earning.length > 0 && chance.happens(0.8) ? earning : ids;
		return operator.payOut(chance.pick(likely), {
			amount: chance.whole(1, 100) / 1000,
			to_credit: chance.happens(0.3),
		});
	},
	async 'closing an account'({operator}, {ids, truth, chance}) {
		const {accounts} = await operator.accounts(undefined);
		const made = accounts.map(({id}) => id).filter(id => !ids.includes(id));
		if (made.length === 0) return undefined;
		const id = chance.pick(made);
		truth.closing.add(id);
		const closed = await operator.closeAccount(id);
		truth.endKeys(id);
		return closed;
	},
};

export async function operate(operator: Actor, meanMs: number): Promise<void> {
	return keepDoing(operator, {weights, deeds, meanMs});
}

/** Requests about an instance of somebody else. */
const attempts = [
	['GET', '', undefined],
	['PUT', '', {state: 'stopped'}],
	['PUT', '', {label: 'mine'}],
	['DELETE', '', undefined],
	['PUT', 'prepay/', {amount: 1}],
	['PUT', 'bid_price/', {price: 9}],
	['PUT', 'reboot/', undefined],
	['PUT', 'command/', {command: 'ls'}],
	['PUT', 'request_logs/', {tail: '10'}],
] as const;

const trespass: Deed = async (_client, {url, truth, chance}, key) => {
	const ids = [...truth.made.keys()];
	if (ids.length === 0) return undefined;
	const id = chance.pick(ids);
	const [method, place, body] = chance.pick(attempts);
	const {text, status} = await send(url, {
		method,
		path: `/api/v0/instances/${place}${id}/`,
		headers: {authorization: `Bearer ${key}`, 'content-type': 'application/json'},
		body: body === undefined ? null : JSON.stringify(body),
	}).catch(() => ({text: '', status: 0}));
	const isDone = status === 200 && !/"success": ?false|"instances": ?null/.test(text);
	if (isDone) truth.lies.push(`a stranger's ${method} ${place} of ${id}: ${text.slice(0, 60)}`);
	return 'tried';
};

export async function stray(stranger: Actor, meanMs: number): Promise<void> {
	return keepDoing(stranger, {weights: {trespass: 1}, deeds: {trespass}, meanMs});
}
