/** Streams of chance, one a purpose: a new draw in one of them moves no other. */
import {createHash} from 'node:crypto';

export type Chance = {
	/** At least 0, below 1. */
	readonly next: () => number;
	/** True as often as the share says, from 0 to 1. */
	readonly happens: (share: number) => boolean;
	/** A whole number of these bounds, both among them. */
	readonly whole: (least: number, most: number) => number;
	readonly pick: <Item>(items: readonly Item[]) => Item;
	/** A wait around a mean: short ones are frequent, and long ones come. */
	readonly wait: (mean: number) => number;
	readonly bytes: (length: number) => Buffer;
};

/** The stream of a name, which a seed decides. */
export function chanceOf(seed: number, name: string): Chance {
	const digest = createHash('sha256').update(`${seed} ${name}`).digest();
	let [a, b] = [digest.readInt32LE(0), digest.readInt32LE(4)];
	let [c, d] = [digest.readInt32LE(8), digest.readInt32LE(12)];
	// The generator sfc32: 128 bits of state, and quick.
	function next(): number {
		const sum = (((a + b) | 0) + d) | 0;
		d = (d + 1) | 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) | 0;
		c = ((c << 21) | (c >>> 11)) + sum;
		c |= 0;
		return (sum >>> 0) / 4294967296;
	}
	const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
	return {
		next,
		happens: share => next() < share,
		whole,
		pick(items) {
			const item = items[whole(0, items.length - 1)];
			if (item === undefined) throw new Error('there is nothing to pick from');
			return item;
		},
		wait: mean => -Math.log(1 - next()) * mean,
		bytes: length => Buffer.from(Array.from({length}, () => whole(0, 255))),
	};
}
