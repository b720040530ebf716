import type {Contract, Noun} from '../contract/index.ts';
import {
	isReading,
	type Endpoint,
	type ReplyOf,
	type RequestOf,
} from '../contract/grammar/endpoint.ts';
import type {Parts} from './exchange/request.ts';
import {accountCalls, secretCalls} from './nouns/account.ts';
import {apiKeyCalls} from './nouns/api-keys.ts';
import {billingCalls} from './nouns/billing.ts';
import type {CallOptions} from './exchange/call.ts';
import {openLayers, type ClientOptions} from './exchange/layers.ts';
import {openRecovery, type RecoveryOptions} from './recovery.ts';
import {hostCalls} from './nouns/hosts.ts';
import {RequestError} from './exchange/errors.ts';
import {attemptOf} from './exchange/attempt.ts';
import {copyCalls} from './nouns/copies.ts';
import {instanceActionCalls} from './nouns/instance-actions.ts';
import {instanceTaskCalls} from './nouns/instance-tasks.ts';
import {leaseCalls, creationCalls} from './nouns/instances.ts';
import {machineCalls} from './nouns/machines.ts';
import {notificationCalls} from './nouns/notifications.ts';
import {operatorCalls} from './nouns/operator.ts';
import {gpuMarketCalls, offerCalls} from './nouns/offers.ts';
import {priceIncreaseCalls} from './nouns/price-increases.ts';
import {scheduledJobCalls} from './nouns/scheduled-jobs.ts';
import {sshKeyCalls, instanceSshCalls} from './nouns/ssh-keys.ts';
import {teamCalls} from './nouns/teams.ts';
import {templateCalls} from './nouns/templates.ts';
import {volumeCalls} from './nouns/volumes.ts';
import {isRecord} from '../contract/grammar/json.ts';
import {removeLease} from '../contract/nouns/leases.ts';
import type {Read} from './exchange/reading.ts';

export type {CallOptions} from './exchange/call.ts';
export type {ClientOptions} from './exchange/layers.ts';
export type {PaceReport, PaceView} from './exchange/pacing.ts';

/** A longer description is not read: memory is finite. */
const LONGEST_BYTES = 8 * 1024 * 1024;

const PATIENCE_MS = 15_000;

type Extensions = {
	/** Leases that the service enforces; asked for once, and again where nobody answered. */
	readonly leases: (signal?: AbortSignal) => Promise<boolean>;
};

/** @param service the address of the service, without a slash at the end */
function findExtensions(service: string, read: Read): Extensions {
	const address = new URL(`${service}/openapi.json`);
	let found: Promise<boolean> | undefined;
	return {
		async leases(signal) {
			found ??= describes(removeLease.path, async () =>
				read(address, {signal: patient(signal), longestBytes: LONGEST_BYTES}),
			);
			try {
				return await found;
			} catch {
				found = undefined;
				signal?.throwIfAborted();
				return false;
			}
		},
	};
}

function patient(signal: AbortSignal | undefined): AbortSignal {
	const late = AbortSignal.timeout(PATIENCE_MS);
	return signal === undefined ? late : AbortSignal.any([signal, late]);
}

/** A description is read without a key; answers true where it names a path. */
async function describes(path: string, read: () => ReturnType<Read>): Promise<boolean> {
	const {status, text} = await read();
	if (status >= 500) throw new Error(`the service answered ${status}`);
	const paths = status === 200 ? pathsIn(text) : undefined;
	return paths !== undefined && Object.hasOwn(paths, path);
}

function pathsIn(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const description: unknown = JSON.parse(text);
		return isRecord(description) && isRecord(description['paths'])
			? description['paths']
			: undefined;
	} catch {
		return undefined;
	}
}

export type Client = ReturnType<typeof openClient>;

/** Opens a client of one service with one key: a method for every endpoint, grouped by noun. */
export function openClient(clientOptions: ClientOptions & RecoveryOptions) {
	const {send, read, service, pace, clock, close} = openLayers(clientOptions);

	/** The one place where a call's reply gets its type back from its endpoint. */
	async function plainCall<Value extends Endpoint>(
		endpoint: Value,
		parts: RequestOf<Value> & Parts,
		{signal, waitMs = 0, isUrgent = !isReading(endpoint)}: CallOptions = {},
	): Promise<ReplyOf<Value>> {
		if (clientOptions.isReadOnly === true) refuseChange(endpoint);
		const reply = await send({endpoint, parts, signal, waitMs, isUrgent});
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the transport has checked it by the endpoint's schema
		return reply as ReplyOf<Value>;
	}

	const {call, instances, pendingRents, journal} = openRecovery(plainCall, {
		...clientOptions,
		clock,
	});

	return {
		account: accountCalls(call),
		apiKeys: apiKeyCalls(call),
		billing: billingCalls(call),
		copies: copyCalls(call),
		gpuMarket: gpuMarketCalls(call),
		hosts: hostCalls(call),
		instances: {
			...creationCalls(call),
			...instanceActionCalls(call),
			...instanceTaskCalls(call, read),
			...instanceSshCalls(call),
			...leaseCalls(call),
			...priceIncreaseCalls(call),
			...instances,
		},
		machines: machineCalls(call),
		notifications: notificationCalls(call),
		offers: offerCalls(call),
		operator: operatorCalls(call),
		secrets: secretCalls(call),
		sshKeys: sshKeyCalls(call),
		scheduledJobs: scheduledJobCalls(call),
		teams: teamCalls(call),
		templates: templateCalls(call),
		volumes: volumeCalls(call),
		/** Rent requests whose replies were lost. */
		pendingRents,
		/** Changes made through this client. */
		journal,
		/** Present call rate of each endpoint, with the reason for it. */
		pace,
		/** Extensions: calls that this service has and others lack. */
		extensions: findExtensions(service, read),
		/** The service's clock, as its replies date themselves. */
		clock,
		/** Ends every connection. Calls under way fail, and nobody waits any longer. */
		close,
	} satisfies Methods &
		Record<'pendingRents' | 'journal' | 'pace' | 'extensions' | 'clock' | 'close', unknown>;
}

/** Lets only those calls pass that change nothing. */
function refuseChange(endpoint: Endpoint): void {
	if (isReading(endpoint)) return;
	throw new RequestError(attemptOf(endpoint), 'this profile is read-only', {
		money: 'Nothing was sent',
	});
}

/**
 * A method for every endpoint but those that payment services sign, and those that are refused to
 * everybody: forgetting one does not compile.
 */
type Methods = {
	readonly [Of in Exclude<Noun, 'payments' | 'unsupported'>]: {
		readonly [Name in keyof Contract[Of]]: (...parts: never[]) => Promise<unknown>;
	};
};
