import type {History} from './history.ts';
import type {InstanceLists} from './lists/instance-lists.ts';
import type {Metrics} from './metrics.ts';
import type {Balances} from './operations/balance.ts';
import type {Testing} from './operations/machine-tests.ts';
import type {GpuMarket} from './operations/gpu-market.ts';
import type {Patience} from './rules/contact.ts';
import type {RegistryLogins} from './registry-logins.ts';
import type {Means} from './routes/handler.ts';
import type {OfferFinder} from './search/offer-finder.ts';
import type {Poster} from './webhooks/posting.ts';

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
