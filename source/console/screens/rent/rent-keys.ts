import type {Binding} from '../../bindings.ts';

/** What the key to rent acts on, wherever there is something that can be rented. */
export type RentKeys = {
	/** Opens the form; nothing is sent before its review was answered. */
	readonly rent: () => void;
	/** Why there is nothing to rent; undefined where there is. */
	readonly rentUnavailable: () => string | undefined;
};

type Bindings = ReadonlyArray<Binding<RentKeys>>;

const run = {
	hint: 'rent',
	isChange: true,
	changesService: true,
	run: (target: RentKeys) => target.rent(),
	unavailable: (target: RentKeys) => target.rentUnavailable(),
};

export const rentOfferKeys: Bindings = [
	{keys: ['r'], title: 'rent it: opens the form and its review', ...run},
];

export const rentTemplateKeys: Bindings = [
	{keys: ['r'], title: 'rent with it: opens the form', ...run},
];

export const rentLikeKeys: Bindings = [
	{keys: ['r', 'n'], title: 'rent one like it: opens the form', ...run},
];
