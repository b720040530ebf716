/** The operator gives credit, pays out and closes accounts; a stranger tries what is not theirs. */
import {send} from '../takeover/network.ts';
import {keepDoing, pause, type Actor, type Deed} from './deeds.ts';

const weights = {credit: 3, refund: 1, payout: 3, 'closing an account': 2};

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
