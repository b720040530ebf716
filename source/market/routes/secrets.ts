import type {Contract} from '../../contract/index.ts';
import {HIDDEN, MOST_SECRETS} from '../../contract/secrets.ts';
import {Refusal} from '../refusal.ts';
import {addSecret, changeSecret, deleteSecret, listSecrets} from '../store/secrets.ts';
import type {Handler} from './handler.ts';

type Calls = Contract['secrets'];

export const list: Handler<Calls['list']> = async (_, {database, caller: {accountId}}) => {
	const secrets = await listSecrets(database, accountId);
	return {success: true, secrets: Object.fromEntries(secrets.map(({name}) => [name, HIDDEN]))};
};

export const create: Handler<Calls['create']> = async ({body}, {database, caller}) => {
	const name = body.key.toUpperCase();
	const {accountId} = caller;
	const outcome = await addSecret(database, {
		accountId,
		name,
		value: body.value,
		most: MOST_SECRETS,
	});
	if (outcome === 'exists') throw new Refusal('secretExists', `${name} is there already.`);
	if (outcome === 'too many') {
		throw new Refusal('tooManySecrets', `An account has at most ${MOST_SECRETS} variables.`);
	}
	return {success: true, msg: `${name} was added.`};
};

export const update: Handler<Calls['update']> = async ({body}, {database, caller}) => {
	const name = body.key.toUpperCase();
	const {accountId} = caller;
	const isChanged = await changeSecret(database, {accountId, name, value: body.value});
	if (!isChanged) throw unknownSecret(name);
	return {success: true, msg: `${name} was changed.`};
};

const remove: Handler<Calls['delete']> = async ({body}, {database, caller: {accountId}}) => {
	const name = body.key.toUpperCase();
	if (!(await deleteSecret(database, {accountId, name}))) throw unknownSecret(name);
	return {success: true, msg: `${name} was deleted.`};
};

export {remove as delete};

function unknownSecret(name: string): Refusal {
	return new Refusal('noSuchSecret', `There is no variable ${name}.`);
}
