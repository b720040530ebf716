import {contract} from '../../contract/index.ts';
import type {Unreadable} from '../../contract/unreadable.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

const {list, create, update, delete: remove} = contract.secrets;

/** An environment variable. */
type Secret = {readonly key: string; readonly value: string};

export type Secrets = {
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
