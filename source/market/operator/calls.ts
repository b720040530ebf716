import type {Contract} from '../../contract/index.ts';
import {operatorOf} from './operator.ts';
import {Refusal} from '../base/refusal.ts';
import {recordOf} from '../api-keys/grants.ts';
import type {Handler, Means} from '../http/handler.ts';

type Calls = Contract['operator'];

function operated({database, clock}: Pick<Means, 'database' | 'clock'>) {
	return operatorOf(database, () => clock.now());
}

export const accounts: Handler<Calls['accounts']> = async ({query: {after}}, context) =>
	operated(context).accounts(after);

export const addAccount: Handler<Calls['addAccount']> = async ({body}, context) =>
	operated(context).addAccount(body);

export const closeAccount: Handler<Calls['closeAccount']> = async ({params: {id}}, context) => {
	if (context.caller.accountId === id) {
		throw new Refusal('accountInUse', 'It is the account of your own key: nothing was closed.');
	}
	return operated(context).closeAccount(id);
};

export const giveCredit: Handler<Calls['giveCredit']> = async ({params, body}, context) =>
	operated(context).giveCredit({...params, ...body, dollars: body.amount});

export const payOut: Handler<Calls['payOut']> = async ({params, body}, context) =>
	operated(context).payOut({
		...params,
		...body,
		dollars: body.amount,
		toCredit: body.to_credit,
	});

export const keys: Handler<Calls['keys']> = async ({params: {id}}, context) => ({
	apikeys: (await operated(context).keys(id)).map(recordOf),
});

export const addKey: Handler<Calls['addKey']> = async ({params: {id}, body}, context) =>
	operated(context).addKey(id, body.name);

export const deleteKey: Handler<Calls['deleteKey']> = async ({params}, context) => {
	if (context.caller.id === params.key_id) {
		throw new Refusal('badArguments', 'It is your own key: end it by another one of yours.');
	}
	return operated(context).deleteKey(params.id, params.key_id);
};

export const invite: Handler<Calls['invite']> = async ({body}, context) =>
	operated(context).invite(body);

export const balance: Handler<Calls['balance']> = async (_, context) => operated(context).balance();

export const machines: Handler<Calls['machines']> = async ({query: {after}}, context) =>
	operated(context).machines(after);

export const machine: Handler<Calls['machine']> = async ({params: {id}}, context) =>
	operated(context).machine(id);

export const markMachine: Handler<Calls['markMachine']> = async ({params: {id}, body}, context) =>
	operated(context).markMachine({id, ...body});

export const relays: Handler<Calls['relays']> = async (_, context) => operated(context).relays();

export const addRelay: Handler<Calls['addRelay']> = async ({body}, context) =>
	operated(context).addRelay(body);

export const changeRelay: Handler<Calls['changeRelay']> = async ({params: {id}, body}, context) =>
	operated(context).changeRelay({id, ...body});

export const removeRelay: Handler<Calls['removeRelay']> = async ({params: {id}}, context) =>
	operated(context).removeRelay(id);
