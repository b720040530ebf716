/** Rate limits: a call too soon after others of its caller to the same endpoint is refused. */
import type {Endpoint} from '../../contract/grammar/endpoint.ts';
import {burstOf, createCallLimits, type TakeSharedCall} from '../http/limits.ts';
import {authorize} from '../api-keys/auth.ts';
import {Refusal} from '../base/refusal.ts';
import type {MarketServices} from './services.ts';
import type {Database} from '../database/database.ts';
import type {ApiKey} from '../base/api-key.ts';
import {isOnPostgres} from '../database/numbering.ts';
import {forgetPaces, takeShared} from '../database/postgres/paces.ts';

/** Rate limit of calls with an unknown or missing key. */
const unknownCallers: PacedEndpoint = {method: 'GET', path: '/unknown/', thresholdSeconds: 1};

/** Rate limit of calls for which a key lacks the permission. */
const unpermittedCalls: PacedEndpoint = {
	method: 'POST',
	path: '/unpermitted/',
	permission: 'misc',
	thresholdSeconds: 1,
};

type PacedEndpoint = Pick<Endpoint, 'method' | 'path' | 'thresholdSeconds' | 'countedAs'> &
	Partial<Pick<Endpoint, 'permission'>>;

/** Rate limit of hosts' calls, which an account with thousands of agents does not reach. */
const HOST_SECONDS_PER_CALL = 0.005;
const HOST_BURST = 2000;

/** Rate limits of a process. On PostgreSQL, all processes share the contract's limits. */
export function createPacing({database, clock}: MarketServices, rateScale: number) {
	const share = isOnPostgres(database) ? createSharing(database) : undefined;
	const callers = createCallLimits({share});
	// Separate, so that callers without a key cannot evict other callers' buckets.
	const strangers = createCallLimits({share});
	const hosts = createCallLimits();

	async function pace(
		endpoint: PacedEndpoint,
		identity: string,
		limits: typeof callers,
	): Promise<void> {
		const isUnpaced = endpoint.thresholdSeconds === undefined;
		if (isUnpaced && endpoint.permission?.startsWith('machine_') !== true) return;
		const threshold = (endpoint.thresholdSeconds ?? HOST_SECONDS_PER_CALL) * rateScale;
		if (threshold === 0) return;
		const name = `${identity} ${endpoint.countedAs ?? `${endpoint.method} ${endpoint.path}`}`;
		const burst = isUnpaced ? HOST_BURST : burstOf({permission: undefined, ...endpoint});
		const size = {secondsPerCall: threshold, burst};
		const waitSeconds = await (isUnpaced ? hosts : limits).take(name, size, clock.now());
		if (waitSeconds === 0) return;
		const text = `API requests too frequent endpoint threshold=${threshold.toFixed(1)}`;
		const headers = {'retry-after': String(Math.ceil(waitSeconds))};
		throw new Refusal('tooManyRequests', text, {headers});
	}

	return {
		/**
		 * Counts a call, by its network if the caller is unknown. @throws Refusal for a call too
		 * soon
		 */
		async known(endpoint: Endpoint, caller: ApiKey | undefined, network: string): Promise<void> {
			if (caller === undefined) return pace(endpoint, network, strangers);
			return pace(endpoint, identityOf(caller), callers);
		},
		/**
		 * @throws Refusal for a call that the key may not make; these have a rate limit of their
		 * own
		 */
		async permitted(caller: ApiKey, endpoint: Endpoint, id: string | undefined): Promise<void> {
			try {
				authorize(caller, endpoint, id);
			} catch (error) {
				await pace(unpermittedCalls, `key ${caller.id}`, callers);
				throw error;
			}
		},
		/** Counts a call with an unknown or missing key. */
		unknown: async (network: string): Promise<void> => pace(unknownCallers, network, strangers),
	};
}

/** Interval of deleting unused buckets. */
const FORGET_EVERY_SECONDS = 600;

function createSharing(database: Database): TakeSharedCall {
	let forgottenAt = -Infinity;
	return async (name, size, now) => {
		if (now - forgottenAt >= FORGET_EVERY_SECONDS) {
			forgottenAt = now;
			await forgetPaces(database, now);
		}
		return takeShared(database, name, size, now);
	};
}

/** Name for counting: the account, regardless of its key, or the instance of an instance's key. */
function identityOf({accountId, instanceId}: ApiKey): string {
	return instanceId === null ? `account ${accountId}` : `instance ${instanceId}`;
}
