/** Sorting many numbers in a millisecond: numbers are sorted many times faster than places are by comparing. */

/** The places of numbers from the least to the greatest; places of equal numbers rise. None is NaN. */
export function sortedPlaces(numbers: Float64Array): Uint32Array {
	const mask = 2 ** Math.ceil(Math.log2(Math.max(2, numbers.length))) - 1;
	const packed = pack(numbers, mask).toSorted();
	const places = unpack(packed, mask);
	settle(places, numbers);
	return places;
}

/** Numbers with their places in their last bits, which hardly ever decide between two of them. */
function pack(numbers: Float64Array, mask: number): Float64Array {
	const packed = Float64Array.from(numbers, clamped);
	const words = new Uint32Array(packed.buffer);
	packed.forEach((number, place) => {
		const word = words[2 * place] ?? 0;
		// Of two negative numbers that with the greater last bits is less.
		const bits = number < 0 ? mask - place : place;
		words[2 * place] = (word & ~mask) | bits;
	});
	return packed;
}

/** Below it a number has few bits, and without the last of them might be 0. */
const LEAST = 2 ** -1022;

/** Infinity with other last bits would be no number, and of 0 and -0 neither is to come first. */
function clamped(number: number): number {
	if (Math.abs(number) < LEAST) return 0;
	return Math.max(-Number.MAX_VALUE, Math.min(number, Number.MAX_VALUE)) + 0;
}

function unpack(packed: Float64Array, mask: number): Uint32Array {
	const words = new Uint32Array(packed.buffer);
	return Uint32Array.from(packed, (number, at) => {
		const bits = (words[2 * at] ?? 0) & mask;
		return number < 0 ? mask - bits : bits;
	});
}

/** Exchanges neighbours where only the bits decided that were taken: there are few of them. */
function settle(places: Uint32Array, numbers: Float64Array): void {
	const isBehind = (a: number, b: number) => {
		const [first = 0, second = 0] = [numbers[a], numbers[b]];
		return first > second || (first === second && a > b);
	};
	for (let end = 1; end < places.length; end++) {
		const place = places[end] ?? 0;
		let at = end;
		while (at > 0 && isBehind(places[at - 1] ?? 0, place)) {
			places[at] = places[at - 1] ?? 0;
			at -= 1;
		}
		places[at] = place;
	}
}
