import type {Log} from '../base/log.ts';
import type {GpuModel} from '../machine-tests/gpu-models.ts';
import type {OnCall} from '../http/call-log.ts';
import type {Clock} from '../base/clock.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';
import type {TlsFiles} from '../http/tls.ts';
import type {OwnRelayOptions} from '../relay/own-relay.ts';
import type {PostingOptions} from '../notifications/posting.ts';
import type {ExtraPath} from './server.ts';

export type MarketOptions = {
	/** Database file, or `:memory:`. */
	readonly file: string;
	/**
	 * Number of offers to make up in an empty database. They are renewed at each start, so that a
	 * market unused for a year still has something to rent.
	 * @default 0
	 */
	readonly offers?: number;
	/**
	 * Seed of the made-up offers.
	 *
	 * @default 1
	 */
	readonly seed?: number;
	/**
	 * Port; 0 for any free one.
	 *
	 * @default 0
	 */
	readonly port?: number;
	/**
	 * Address to listen on.
	 * @default '127.0.0.1'
	 */
	readonly address?: string;
	/**
	 * Port for metrics; 0 for any free one.
	 *
	 * @default none
	 */
	readonly metricsPort?: number;
	/**
	 * Files of the certificate that the market answers with.
	 * @default none: HTTP without TLS
	 */
	readonly tls?: TlsFiles | undefined;
	/**
	 * Relay of the market: the host name or address that renters are shown, and its ports.
	 *
	 * @default none: instances are reached at their machines alone
	 */
	readonly relay?: OwnRelayOptions | undefined;
	/** @default systemClock */
	readonly clock?: Clock;
	/**
	 * False if work that comes due by time runs on request only.
	 *
	 * @default true, every second
	 */
	readonly sweepsByItself?: boolean;
	/**
	 * The most offers of a search, whatever its limit.
	 *
	 * @default 2000
	 */
	readonly searchLimit?: number;
	/**
	 * Factor for the waits that the contract sets between calls: 0.5 allows twice as many calls,
	 * and 0 any number.
	 * @default 1
	 */
	readonly rateScale?: number;
	/**
	 * Addresses of trusted proxies, whose `X-Forwarded-For` counts.
	 *
	 * @default []
	 */
	readonly trustedProxies?: readonly string[];
	/**
	 * The most connections of an address. Those of trusted proxies are not counted.
	 *
	 * @default 2000
	 */
	readonly mostConnections?: number;
	/**
	 * Time limit for receiving a request. Its headers get half of it.
	 * @default 30_000
	 */
	readonly slowestRequestMs?: number;
	/**
	 * Time for calls in progress after the market is closed.
	 * @default 2000
	 */
	readonly graceMs?: number;
	/**
	 * Credit of the market's first account at each start, in dollars.
	 * @default 100
	 */
	readonly credit?: number;
	/**
	 * The market's share of what providers earn, from 0 to 1, for days that are not over.
	 *
	 * @default 0
	 */
	readonly share?: number;
	/**
	 * People who may open an account without the operator: nobody, invited people, or everybody.
	 *
	 * @default 'closed'
	 */
	readonly signUp?: 'closed' | 'invited' | 'open';
	/**
	 * Secret of a payment service's signatures.
	 *
	 * @default none: no payment service
	 */
	readonly paymentSecret?: string;
	/**
	 * Allowed webhook targets: by default no private addresses.
	 * @default {targets: 'public'}
	 */
	readonly webhooks?: PostingOptions;
	/**
	 * Image of tests of machines.
	 *
	 * @default an image with Python, and for GPUs one that computes on them
	 */
	readonly testImage?: string | undefined;
	/**
	 * GPU models that take precedence over the built-in ones, such as ones with measured speeds.
	 *
	 * @default none
	 */
	readonly gpuModels?: readonly GpuModel[];
	/** @default usualPatience */
	readonly patience?: Omit<ContactTimeouts, 'listeningSince'>;
	/**
	 * Takes log lines for the operator alone, such as the stack of an internal error.
	 *
	 * @default nowhere
	 */
	readonly log?: Log;
	/**
	 * Another path, whose calls are made in the name of its caller.
	 *
	 * @default none
	 */
	readonly beside?: ExtraPath | undefined;
	/** Called after every response. */
	readonly onCall?: OnCall;
};
