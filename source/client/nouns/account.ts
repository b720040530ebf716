import type {Account} from '../../contract/nouns/account.ts';
import type {RequestOf} from '../../contract/grammar/endpoint.ts';
import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';

const {list, create, update, delete: remove} = contract.secrets;

/** An environment variable. */
type Secret = {readonly key: string; readonly value: string};

type Secrets = {
	readonly secrets: Readonly<Record<string, string | null>>;
	readonly unreadable: Unreadable;
};

export function secretCalls(call: CallEndpoint) {
	return {
		/** The account's environment variables by name; services hide their values. */
		async list(options?: CallOptions): Promise<Secrets> {
			const {secrets, unreadable} = await call(list, {}, options);
			return {secrets, unreadable};
		},
		async create(secret: Secret, options?: CallOptions): Promise<void> {
			await call(create, {body: secret}, options);
		},
		async update(secret: Secret, options?: CallOptions): Promise<void> {
			await call(update, {body: secret}, options);
		},
		async delete(key: string, options?: CallOptions): Promise<void> {
			await call(remove, {body: {key}}, options);
		},
	};
}

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
		/** Gives credit to another account, by its id, or by an email that was shown to be its own. It cannot be taken back. */
		transfer: async (recipient: string | number, amount: number, options?: CallOptions) =>
			call(calls.transfer, {body: {recipient, amount}}, options),
		/** Changes that the keys of the account made, the newest first: those before one, or the last. */
		changes: async (before?: number, options?: CallOptions) =>
			call(calls.changes, {query: {before}}, options),
		/** Addresses that the keys of the account called from. */
		addresses: async (options?: CallOptions) =>
			call(calls.addresses, {params: {user_id: 'me'}}, options),
	};
}
