import * as offers from './offers.ts';

/** Every endpoint of the service, by noun. The client and the market are typed by this table. */
export const contract = {
	offers: {search: offers.search},
} as const;

export type Contract = typeof contract;
export type Noun = keyof Contract;
