import {contract, type Contract, type Noun} from '../contract/index.ts';
import {forwardingCalls} from './nouns/forwarding.ts';
import {
	isReading,
	type Endpoint,
	type ReplyOf,
	type RequestOf,
} from '../contract/grammar/endpoint.ts';
import type {RequestParts, CallOptions} from './exchange/call.ts';
import {accountCalls, operatorCalls, relayCalls, secretCalls} from './nouns/account.ts';
import {apiKeyCalls, sshKeyCalls, instanceSshCalls} from './nouns/keys.ts';
import {billingCalls} from './nouns/billing.ts';
import {openLayers, type ClientOptions} from './exchange/layers.ts';
import {openRecovery, type RecoveryOptions} from './recovery.ts';
import {hostCalls, machineCalls} from './nouns/machines.ts';
import {RequestError} from './exchange/errors.ts';
import {attemptOf} from './exchange/refusal.ts';
import {copyCalls, volumeCalls} from './nouns/volumes.ts';
import {instanceActionCalls, scheduledJobCalls} from './nouns/instance-actions.ts';
import {instanceTaskCalls} from './nouns/instance-tasks.ts';
import {leaseCalls, creationCalls} from './nouns/instances.ts';
import {gpuMarketCalls, offerCalls} from './nouns/offers.ts';
import {templateCalls} from './nouns/templates.ts';
import {isRecord, parseJson} from '../contract/grammar/json.ts';
import {removeLease} from '../contract/nouns/leases.ts';
import type {Read} from './exchange/reading.ts';

export type {CallOptions} from './exchange/call.ts';
export type {ClientOptions} from './exchange/layers.ts';
export type {PaceReport, PaceView} from './exchange/pacing.ts';

/** Longest description that is read, because memory is finite. */
const LONGEST_BYTES = 8 * 1024 * 1024;

const PATIENCE_MS = 15_000;

type Extensions = {
	/** Leases that the service enforces; read once, and again after a failed read. */
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

/** True if the service's description, which is read without a key, lists a path. */
async function describes(path: string, read: () => ReturnType<Read>): Promise<boolean> {
	const {status, text} = await read();
	if (status >= 500) throw new Error(`the service answered ${status}`);
	const description = status === 200 ? parseJson(text) : undefined;
	const paths = isRecord(description) ? description['paths'] : undefined;
	return isRecord(paths) && Object.hasOwn(paths, path);
}

export type Client = ReturnType<typeof openClient>;

/**
 * Nouns without methods: only payment services can sign a payment, and `unsupported` is refused to every
 * caller.
 */
type Refused = 'payments' | 'unsupported';

/**
 * Opens a client of one service with one key: a method for every endpoint, grouped by noun. Methods
 * that do more than forward a call are in the file of their noun.
 */
export function openClient(clientOptions: ClientOptions & RecoveryOptions) {
	const {send, read, service, pace, clock, close} = openLayers(clientOptions);

	/** Typed call: the only place that gives a reply the type of its endpoint. */
	async function plainCall<Value extends Endpoint>(
		endpoint: Value,
		parts: RequestOf<Value> & RequestParts,
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

	const forward = <Endpoints extends Contract[Noun]>(endpoints: Endpoints) =>
		forwardingCalls(call, endpoints);

	return {
		account: {...forward(contract.account), ...accountCalls(call)},
		apiKeys: {...forward(contract.apiKeys), ...apiKeyCalls(call)},
		billing: {...forward(contract.billing), ...billingCalls(call)},
		copies: {...forward(contract.copies), ...copyCalls(call)},
		gpuMarket: {...forward(contract.gpuMarket), ...gpuMarketCalls(call)},
		hosts: {...forward(contract.hosts), ...hostCalls(call)},
		instances: {
			...forward(contract.instances),
			...creationCalls(call),
			...instanceActionCalls(call),
			...instanceTaskCalls(call, read),
			...instanceSshCalls(call),
			...leaseCalls(call),
			...instances,
		},
		machines: {...forward(contract.machines), ...machineCalls(call)},
		notifications: forward(contract.notifications),
		offers: {...forward(contract.offers), ...offerCalls(call)},
		operator: {...forward(contract.operator), ...operatorCalls(call)},
		relays: {...forward(contract.relays), ...relayCalls(call)},
		secrets: {...forward(contract.secrets), ...secretCalls(call)},
		sshKeys: {...forward(contract.sshKeys), ...sshKeyCalls(call)},
		scheduledJobs: {...forward(contract.scheduledJobs), ...scheduledJobCalls(call)},
		teams: forward(contract.teams),
		templates: {...forward(contract.templates), ...templateCalls(call)},
		volumes: {...forward(contract.volumes), ...volumeCalls(call)},
		/** Rent requests whose replies were lost. */
		pendingRents,
		journal,
		/** Present call rate of each endpoint, with the reason for it. */
		pace,
		/** Extensions: calls that this service has and others lack. */
		extensions: findExtensions(service, read),
		/** The service's clock, by the Date headers of its replies. */
		clock,
		/** Ends every connection. Calls in progress fail. */
		close,
	} satisfies Record<Exclude<Noun, Refused>, unknown> & Record<string, unknown>;
}

function refuseChange(endpoint: Endpoint): void {
	if (isReading(endpoint)) return;
	throw new RequestError(attemptOf(endpoint), 'this profile is read-only', {
		money: 'Nothing was sent',
	});
}
