import type {Bindings} from '../../bindings.ts';
import {
	columnKeys,
	movements,
	refreshKey,
	rereadWords,
	type ListTarget,
} from '../../list/bindings.ts';

/** Target of the keys of prices, beside those of their list. */
export type PricesTarget = {readonly refresh: () => void};

export const priceBindings: Bindings<ListTarget & PricesTarget> = [
	refreshKey(rereadWords),
	...movements,
	...columnKeys,
];
