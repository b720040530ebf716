import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../call.ts';

const {list, create, update, delete: remove} = contract.secrets;

/** An environment variable. */
type Secret = {readonly key: string; readonly value: string};

export function secretCalls(call: CallEndpoint) {
	return {
		/** The account's environment variables by name; services hide their values. */
		list: async (options?: CallOptions): Promise<Record<string, string | null>> =>
			(await call(list, {}, options)).secrets,
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
