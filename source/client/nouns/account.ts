import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';

const {account, operator, secrets} = contract;

export function accountCalls(call: CallEndpoint) {
	return {
		/** Addresses that the keys of the account called from. */
		addresses: async (options?: CallOptions) =>
			call(account.addresses, {params: {user_id: 'me'}}, options),
	};
}

export function secretCalls(call: CallEndpoint) {
	return {
		delete: async (key: string, options?: CallOptions) =>
			call(secrets.delete, {body: {key}}, options),
	};
}

/** Calls of whoever runs the market, with an operator's key: the market's own operator has the same. */
export function operatorCalls(call: CallEndpoint) {
	return {
		/** A thousand accounts at most, behind one of them. */
		accounts: async (after: number | undefined, options?: CallOptions) =>
			call(operator.accounts, {query: {after}}, options),
		addKey: async (id: number, name: string, options?: CallOptions) =>
			call(operator.addKey, {params: {id}, body: {name}}, options),
		/** A thousand machines at most, behind one of them. */
		machines: async (after: number | undefined, options?: CallOptions) =>
			call(operator.machines, {query: {after}}, options),
	};
}
