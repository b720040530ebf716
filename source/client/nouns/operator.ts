import {contract} from '../../contract/index.ts';
import type {RequestOf} from '../../contract/grammar/endpoint.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const calls = contract.operator;

type Body<Name extends 'addAccount' | 'giveCredit' | 'payOut' | 'invite' | 'markMachine'> =
	RequestOf<(typeof calls)[Name]>['body'];

/** Calls of whoever runs the market, with an operator's key. */
export function operatorCalls(call: CallEndpoint) {
	return {
		/** A thousand accounts at most, behind one of them. */
		accounts: async (after: number | undefined, options?: CallOptions) =>
			call(calls.accounts, {query: {after}}, options),
		addAccount: async (account: Body<'addAccount'>, options?: CallOptions) =>
			call(calls.addAccount, {body: account}, options),
		closeAccount: async (id: number, options?: CallOptions) =>
			call(calls.closeAccount, {params: {id}}, options),
		giveCredit: async (id: number, credit: Body<'giveCredit'>, options?: CallOptions) =>
			call(calls.giveCredit, {params: {id}, body: credit}, options),
		payOut: async (id: number, payout: Body<'payOut'>, options?: CallOptions) =>
			call(calls.payOut, {params: {id}, body: payout}, options),
		keys: async (id: number, options?: CallOptions) => call(calls.keys, {params: {id}}, options),
		addKey: async (id: number, name: string, options?: CallOptions) =>
			call(calls.addKey, {params: {id}, body: {name}}, options),
		deleteKey: async (id: number, keyId: number, options?: CallOptions) =>
			call(calls.deleteKey, {params: {id, key_id: keyId}}, options),
		invite: async (invitation: Body<'invite'>, options?: CallOptions) =>
			call(calls.invite, {body: invitation}, options),
		/** A thousand machines at most, behind one of them. */
		machines: async (after: number | undefined, options?: CallOptions) =>
			call(calls.machines, {query: {after}}, options),
		machine: async (id: number, options?: CallOptions) =>
			call(calls.machine, {params: {id}}, options),
		markMachine: async (id: number, mark: Body<'markMachine'>, options?: CallOptions) =>
			call(calls.markMachine, {params: {id}, body: mark}, options),
		balance: async (options?: CallOptions) => call(calls.balance, {}, options),
	};
}
