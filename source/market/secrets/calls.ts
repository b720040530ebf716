import type {Contract} from '../../contract/index.ts';
import {HIDDEN} from '../../contract/nouns/secrets.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {Refusal} from '../base/refusal.ts';
import {addSecret, changeSecret, deleteSecret, listSecrets} from './store.ts';
import {writingOn} from '../database/writing.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['secrets'];

export const list: Handler<Calls['list']> = async (_, {database, caller: {accountId}}) => {
	const secrets = await listSecrets(database, accountId);
	return {success: true, secrets: Object.fromEntries(secrets.map(({name}) => [name, HIDDEN]))};
};

export const create: Handler<Calls['create']> = async ({body}, {database, clock, caller}) => {
	const name = body.key.toUpperCase();
	const {accountId} = caller;
	await writingOn(database, {accounts: [accountId]}, async transaction => {
		if (!(await addSecret(transaction, {accountId, name, value: body.value}))) {
			throw new Refusal('secretExists', `${name} is there already.`);
		}
		await refuseTooMany(transaction, 'secret', {accountId, now: clock.now()});
	});
	return {success: true, msg: `${name} was added.`};
};

export const update: Handler<Calls['update']> = async ({body}, {database, caller}) => {
	const name = body.key.toUpperCase();
	const {accountId} = caller;
	const secret = {accountId, name, value: body.value};
	const isChanged = await writingOn(database, {accounts: [accountId]}, async transaction =>
		changeSecret(transaction, secret),
	);
	if (!isChanged) throw unknownSecret(name);
	return {success: true, msg: `${name} was changed.`};
};

const remove: Handler<Calls['delete']> = async ({body}, {database, caller: {accountId}}) => {
	const name = body.key.toUpperCase();
	const isDeleted = await writingOn(database, {accounts: [accountId]}, async transaction =>
		deleteSecret(transaction, {accountId, name}),
	);
	if (!isDeleted) throw unknownSecret(name);
	return {success: true, msg: `${name} was deleted.`};
};

export {remove as delete};

function unknownSecret(name: string): Refusal {
	return new Refusal('noSuchSecret', `There is no variable ${name}.`);
}
