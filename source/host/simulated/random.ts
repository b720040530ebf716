/** Numbers that look random and are always the same for the same names. */
export type Random = {
	/** At least 0, below 1. */
	readonly next: () => number;
	readonly between: (low: number, high: number) => number;
	/** A whole number; both ends can come. */
	readonly whole: (low: number, high: number) => number;
	/** Mostly near the middle, sometimes much more: as times and sizes are. */
	readonly around: (middle: number, spread: number) => number;
};

export function randomOf(...names: ReadonlyArray<number | string>): Random {
	let state = hashOf(names.join('/'));
	// mulberry32: 32 bits of state, and the same on every machine.
	const next = () => {
		state = (state + 0x6d_2b_79_f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		next,
		between: (low, high) => low + next() * (high - low),
		whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
		around(middle, spread) {
			// The sum of four is nearly a normal distribution, and never far out.
			const sum = next() + next() + next() + next() - 2;
			return middle * Math.exp(sum * Math.sqrt(3) * spread);
		},
	};
}

/** FNV-1a. */
function hashOf(text: string): number {
	let hash = 0x81_1c_9d_c5;
	for (let index = 0; index < text.length; index += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
	}
	return hash >>> 0;
}
