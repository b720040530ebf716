import {contract} from '../../contract/index.ts';
import type {CallEndpoint, CallOptions} from '../exchange/call.ts';
import type {RelayCounts} from '../../contract/nouns/relays.ts';

const {account, operator, relays, secrets} = contract;

export function accountCalls(call: CallEndpoint) {
	return {
		/** Addresses from which the account's keys called. */
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

export function operatorCalls(call: CallEndpoint) {
	return {
		/** At most a thousand accounts, after one of them. */
		accounts: async (after: number | undefined, options?: CallOptions) =>
			call(operator.accounts, {query: {after}}, options),
		addKey: async (id: number, name: string, options?: CallOptions) =>
			call(operator.addKey, {params: {id}, body: {name}}, options),
		/** At most a thousand machines, after one of them. */
		machines: async (after: number | undefined, options?: CallOptions) =>
			call(operator.machines, {query: {after}}, options),
	};
}

type Following = {
	/** The version of the last reply; undefined for the first. */
	readonly known: string | undefined;
	readonly waitSeconds: number;
	readonly counts: RelayCounts;
};

/** Calls of a relay beside a market, by its own key. */
export function relayCalls(call: CallEndpoint) {
	return {
		/** The ports that the relay forwards, as soon as they differ from those of a version. */
		ports: async ({known, waitSeconds, counts}: Following, options?: CallOptions) =>
			call(
				relays.ports,
				{body: {known, wait: waitSeconds, figures: counts}},
				{waitMs: waitSeconds * 1000, ...options},
			),
		agent: async (ticket: string, options?: CallOptions): Promise<number[]> =>
			(await call(relays.agent, {body: {ticket}}, options)).machines,
	};
}
