import type {BindingSet} from '../bindings.ts';
import type {Destination} from '../router.ts';
import {offerBindings, offerListBindings} from './offers/bindings.ts';

/** The screens that have a key of their own, in the order of their tabs. */
export const tabs: ReadonlyArray<{
	readonly key: string;
	readonly title: string;
	readonly destination: Destination;
}> = [{key: '1', title: 'Offers', destination: {name: 'offers'}}];

/** The tab that a place belongs to, for showing where one is. */
export const tabOf: Readonly<Record<Destination['name'], number>> = {offers: 0, offer: 0};

/** The keys of every screen, for the list of all keys. Targets differ; only titles are read. */
export const screenBindings: ReadonlyArray<BindingSet<never>> = [
	{title: 'Offers', bindings: offerListBindings},
	{title: 'Offer', bindings: offerBindings},
];
