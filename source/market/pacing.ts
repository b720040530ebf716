/** Paces of calls: what comes too soon after others of the same caller to the same endpoint is refused. */
import type {Endpoint} from '../contract/grammar/endpoint.ts';
import {burstOf, createCallLimits, type Share} from './http/limits.ts';
import {Refusal} from './base/refusal.ts';
import type {Services} from './services.ts';
import type {Database} from './database/database.ts';
import type {ApiKey} from './base/api-key.ts';
import {isOnPostgres} from './database/numbering.ts';
import {forgetPaces, takeShared} from './database/postgres/paces.ts';

/** Calls with a key that nobody has, or with none where one is needed, are counted as one endpoint. */
const unknownCallers: PacedEndpoint = {method: 'GET', path: '/unknown/', thresholdSeconds: 1};

type PacedEndpoint = Pick<Endpoint, 'method' | 'path' | 'thresholdSeconds' | 'countedAs'> &
	Partial<Pick<Endpoint, 'permission'>>;

/** Calls of hosts have no pace in the contract: an account with thousands of agents stays below this. */
const HOST_SECONDS_PER_CALL = 0.005;
const HOST_BURST = 2000;

/** Paces of one process; on a PostgreSQL, those that the contract sets are held by all together. */
export function createPacing({database, clock}: Services, rateScale: number) {
	const share = isOnPostgres(database) ? createSharing(database) : undefined;
	const callers = createCallLimits({share});
	// Apart, so that nobody without a key makes the market forget those who have one.
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
		/** @throws Refusal where it comes too soon. Without a caller it is counted by its network. */
		async known(endpoint: Endpoint, caller: ApiKey | undefined, network: string): Promise<void> {
			if (caller === undefined) return pace(endpoint, network, strangers);
			return pace(endpoint, identityOf(caller), callers);
		},
		/** The same for a call whose key nobody has, or that lacks one. */
		unknown: async (network: string): Promise<void> => pace(unknownCallers, network, strangers),
	};
}

/** Seconds after which a process looks for buckets that nobody needs. */
const FORGET_EVERY_SECONDS = 600;

function createSharing(database: Database): Share {
	let forgottenAt = -Infinity;
	return async (name, size, now) => {
		if (now - forgottenAt >= FORGET_EVERY_SECONDS) {
			forgottenAt = now;
			await forgetPaces(database, now);
		}
		return takeShared(database, name, size, now);
	};
}

/** Calls are counted by account: a new key is no new account. An instance's key is counted by itself. */
function identityOf({accountId, instanceId}: ApiKey): string {
	return instanceId === null ? `account ${accountId}` : `instance ${instanceId}`;
}
