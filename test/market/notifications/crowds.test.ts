import type {ServerResponse} from 'node:http';
import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {openOperated, type Operated} from '../../helpers/market/accounts.ts';
import {wholeReply} from '../../helpers/market/market.ts';
import {openReceiver} from '../../helpers/market/receiver.ts';

const KIND = 'client:credit_transfer_received';

/** Gives an account so many webhooks, each told of credit that is given to it. */
async function addWebhooks(market: Operated, key: string, urls: readonly string[]) {
	for (const webhook_url of urls) {
		const body = {webhook_url, event_types: [KIND]};
		expect((await market.as(key)('/webhooks/', 'POST', body)).status).toBe(200);
	}
}

/** A person with subaccounts, and a way to give one of them credit. */
async function addPerson(market: Operated, name: string, subaccounts: number) {
	const parent = await market.add({email: `${name}@example.org`}, 50);
	const children: Array<{readonly id: number; readonly key: string}> = [];
	for (let count = 0; count < subaccounts; count++) {
		const me = {email: `${name}-${count}@example.org`, username: `${name}-${count}`};
		const body = {...me, password: 'long enough', parent_id: 'me', host_only: true};
		const made = (await parent.ask('/users/', 'POST', body)).body;
		const {id, api_key: key} = wholeReply(contract.account.create, made);
		children.push({id, key});
	}
	const give = async (recipient: number) => {
		const given = {recipient, amount: '0.01'};
		const {body} = await parent.ask('/commands/transfer_credit/', 'PUT', given);
		expect(body).toMatchObject({success: true});
	};
	return {children, give};
}

test('webhooks of one person that answer slowly, however many, keep nobody else from being told', async () => {
	await using receiver = await openReceiver();
	const webhooks = {targets: 'any', patienceMs: 60_000} as const;
	await using market = await openOperated({webhooks});
	const slow = await addPerson(market, 'slow', 5);
	const other = await addPerson(market, 'other', 1);
	const [told] = other.children;
	for (const {key} of slow.children) {
		await addWebhooks(market, key, Array(4).fill(`${receiver.url}/slow`));
	}
	await addWebhooks(market, told?.key ?? '', [`${receiver.url}/other`]);
	const held: ServerResponse[] = [];
	receiver.answer(...Array.from({length: 64}, () => (one: ServerResponse) => void held.push(one)));
	for (const {id} of slow.children) for (let count = 0; count < 5; count++) await slow.give(id);
	const delivered = market.deliver();
	await expect.poll(() => held.length).toBe(64);
	market.clock.pass(1);
	await other.give(told?.id ?? 0);
	held.pop()?.end();
	await expect.poll(() => receiver.received.length).toBeGreaterThan(64);
	expect(receiver.received[64]?.path).toBe('/other');
	for (const one of held) one.end();
	await delivered;
	expect(receiver.received).toHaveLength(101);
});
