/** Numbers that look random and are always the same for one seed. */
export type Random = {
	/** At least 0, below 1. */
	readonly next: () => number;
	readonly between: (low: number, high: number) => number;
	/** A whole number; both ends can come. */
	readonly whole: (low: number, high: number) => number;
	readonly chance: (probability: number) => boolean;
	readonly pick: <Item>(items: readonly Item[]) => Item;
	/** Items come in proportion to their weights. */
	readonly weighted: <Item extends {readonly weight: number}>(items: readonly Item[]) => Item;
};

export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	// mulberry32: 32 bits of state, and the same on every machine.
	const next = () => {
		state = (state + 0x6d_2b_79_f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
	return {
		next,
		whole,
		between: (low, high) => low + next() * (high - low),
		chance: probability => next() < probability,
		pick: items => present(items[whole(0, items.length - 1)]),
		weighted: items => {
			let rest = next() * items.reduce((sum, {weight}) => sum + weight, 0);
			return present(items.find(({weight}) => (rest -= weight) < 0) ?? items.at(-1));
		},
	};
}

function present<Item>(item: Item | undefined): Item {
	if (item === undefined) throw new RangeError('there is nothing to pick from');
	return item;
}

/** A number with so many decimals, as people write prices and programs write measurements. */
export function rounded(value: number, decimals: number): number {
	const factor = 10 ** decimals;
	return Math.round(value * factor) / factor;
}
