import type {History} from './accounts/history.ts';
import type {InstanceLists} from './instances/instance-lists.ts';
import type {Metrics} from './metrics.ts';
import type {Balances} from './billing/balance.ts';
import type {Testing} from './machine-tests/machine-tests.ts';
import type {GpuMarket} from './gpu-market/gpu-market.ts';
import type {Patience} from './lifecycle/contact-rules.ts';
import type {RegistryLogins} from './base/registry-logins.ts';
import type {Means} from './http/handler.ts';
import type {OfferFinder} from './offers/offer-finder.ts';
import type {Poster} from './notifications/posting.ts';

/** Everything that calls use of the market; each noun takes its own part. */
export type Services = Means & {
	readonly patience: Patience;
	readonly testing: Testing;
	/** Keeps the changes that keys make. */
	readonly history: History;
	/** Logins of registries that hosts have not taken yet. */
	readonly registryLogins: RegistryLogins;
	readonly offers: OfferFinder;
	readonly gpuMarket: GpuMarket;
	readonly lists: InstanceLists;
	readonly balances: Balances;
	/** Sends to webhooks. */
	readonly poster: Poster;
	/** Counts what is answered; undefined where nobody reads it. */
	readonly metrics?: Metrics | undefined;
};
