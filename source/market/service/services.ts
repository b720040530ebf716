import type {History} from '../accounts/history.ts';
import type {InstanceLists} from '../instances/instance-lists.ts';
import type {Metrics} from './metrics.ts';
import type {Balances} from '../billing/balance.ts';
import type {Testing} from '../machine-tests/machine-tests.ts';
import type {GpuMarket} from '../gpu-market/gpu-market.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';
import type {RegistryLogins} from '../base/registry-logins.ts';
import type {Means} from '../http/handler.ts';
import type {OfferFinder} from '../offers/offer-finder.ts';
import type {Relays} from '../relay/relays.ts';
import type {Poster} from '../notifications/posting.ts';

/** All services for calls; each noun takes its own part. */
export type MarketServices = Means & {
	readonly patience: ContactTimeouts;
	readonly testing: Testing;
	readonly history: History;
	/** Registry logins that hosts have not taken yet. */
	readonly registryLogins: RegistryLogins;
	readonly offers: OfferFinder;
	readonly gpuMarket: GpuMarket;
	readonly lists: InstanceLists;
	readonly balances: Balances;
	readonly relays: Relays;
	readonly poster: Poster;
	/** Metrics of calls; undefined if they are off. */
	readonly metrics?: Metrics | undefined;
};
