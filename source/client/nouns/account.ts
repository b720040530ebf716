import type {Account} from '../../contract/account.ts';
import type {RequestOf} from '../../contract/endpoint.ts';
import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

const calls = contract.account;

export function accountCalls(call: CallEndpoint) {
	return {
		/** The account that the API key belongs to. */
		current: async (options?: CallOptions): Promise<Account> => call(calls.current, {}, options),
		/** Opens an account; the reply is the only place where its key is ever shown. */
		create: async (account: RequestOf<typeof calls.create>['body'], options?: CallOptions) =>
			call(calls.create, {body: account}, options),
		change: async (fields: Readonly<Record<string, unknown>>, options?: CallOptions) =>
			call(calls.change, {body: {...fields}}, options),
		subaccounts: async (options?: CallOptions) => call(calls.subaccounts, {}, options),
		/** Gives credit to another account, by its email or id. It cannot be taken back. */
		transfer: async (recipient: string | number, amount: number, options?: CallOptions) =>
			call(calls.transfer, {body: {recipient, amount}}, options),
	};
}
