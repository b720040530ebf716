import {contract} from '../contract/index.ts';
import type {Account} from '../contract/account.ts';
import type {Contract, Noun} from '../contract/index.ts';
import type {Endpoint, ReplyOf, RequestOf} from '../contract/endpoint.ts';
import type {Offer} from '../contract/offers.ts';
import type {OfferSearch} from '../contract/offer-search.ts';
import {anyOffers} from '../contract/offer-search.ts';
import type {Parts} from './request.ts';
import {openTransport} from './transport.ts';
import {apiKeyCalls} from './api-keys.ts';
import {billingCalls} from './billing.ts';
import type {CallOptions} from './call.ts';
import {hostCalls} from './hosts.ts';
import {creationCalls} from './creation.ts';
import {instanceActionCalls} from './instance-actions.ts';
import {instanceCalls} from './instances.ts';
import {instanceSshCalls} from './instance-ssh.ts';
import {instanceTaskCalls} from './instance-tasks.ts';
import {secretCalls} from './secrets.ts';
import {sshKeyCalls} from './ssh-keys.ts';
import {templateCalls} from './templates.ts';
import {volumeCalls} from './volumes.ts';

export type {CallOptions} from './call.ts';

export type ClientOptions = {
	/** Where the service is: `http://` or `https://`, a path allowed. */
	readonly url: string;
	/** The API key. It goes into the Authorization header, and nowhere else. */
	readonly key: string;
	/**
	 * How long one call may take.
	 * @default 10_000
	 */
	readonly timeoutMs?: number;
	/**
	 * Who is calling, for the service's logs.
	 * @default 'rentty'
	 */
	readonly userAgent?: string;
	/** Told of every answer: how long it took, in milliseconds. */
	readonly onExchange?: ((ms: number) => void) | undefined;
};

export type Client = ReturnType<typeof openClient>;

/** Opens a client of one service with one key: a method for every endpoint, grouped by noun. */
export function openClient({
	url,
	key,
	timeoutMs = 10_000,
	userAgent = 'rentty',
	onExchange,
}: ClientOptions) {
	const transport = openTransport({url: readUrl(url), key, timeoutMs, userAgent, onExchange});

	/** The one place where a call's reply gets its type back from its endpoint. */
	async function call<Value extends Endpoint>(
		endpoint: Value,
		parts: RequestOf<Value> & Parts,
		{signal, waitMs = 0}: CallOptions = {},
	): Promise<ReplyOf<Value>> {
		const reply = await transport.send({endpoint, parts, signal, waitMs});
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the transport has checked it by the endpoint's schema
		return reply as ReplyOf<Value>;
	}

	return {
		account: {
			/** Whose key this is. */
			current: async (options?: CallOptions): Promise<Account> =>
				call(contract.account.current, {}, options),
		},
		apiKeys: apiKeyCalls(call),
		billing: billingCalls(call),
		hosts: hostCalls(call),
		instances: {
			...creationCalls(call),
			...instanceCalls(call),
			...instanceActionCalls(call),
			...instanceTaskCalls(call),
			...instanceSshCalls(call),
		},
		offers: {
			/** The offers that fit a search, in its order. */
			async search(wanted: Partial<OfferSearch> = {}, options?: CallOptions): Promise<Offer[]> {
				const body = {...anyOffers, ...wanted};
				return (await call(contract.offers.search, {body}, options)).offers;
			},
			/** The names of the GPUs that are offered. */
			gpuNames: async (options?: CallOptions): Promise<string[]> =>
				(await call(contract.offers.gpuNames, {}, options)).gpu_names,
		},
		secrets: secretCalls(call),
		sshKeys: sshKeyCalls(call),
		templates: templateCalls(call),
		volumes: volumeCalls(call),
		/** Ends every connection. Calls under way fail. */
		close: transport.close,
	} satisfies Methods & {readonly close: () => Promise<void>};
}

/** A method for every endpoint: forgetting one does not compile. */
type Methods = {
	readonly [Of in Noun]: {
		readonly [Name in keyof Contract[Of]]: (...parts: never[]) => Promise<unknown>;
	};
};

function readUrl(text: string): URL {
	const url = URL.parse(text);
	if (url === null || !['http:', 'https:'].includes(url.protocol)) {
		throw new Error('the address of the service must start with http:// or https://');
	}
	if (url.username !== '' || url.password !== '') {
		throw new Error('the address of the service must not carry a user name or password');
	}
	return url;
}
