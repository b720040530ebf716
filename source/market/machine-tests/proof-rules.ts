/**
 * Proof of a GPU: its memory is filled from a seed, which is expensive, and each round multiplies
 * all of it by a matrix derived from the previous round. Any row can be recomputed alone, so a
 * market checks a few without a GPU.
 */
import {createHash} from 'node:crypto';

export type ProofShape = {
	/** Bytes of a row of memory, and the width of its weights. */
	readonly columns: number;
	/** Products that compute a row: 2 × columns × layers operations per byte. */
	readonly layers: number;
	/** Rows of a round's matrix: few, so that reading memory takes most of the time. */
	readonly tall: number;
	/** Bytes of memory that yield one number per round. */
	readonly unit: number;
	readonly rounds: number;
};

/** Form for a card, and for a memory so small that a processor fills it. */
export const cardForm: ProofShape = {columns: 4096, layers: 4, tall: 32, unit: 65_536, rounds: 13};
export const smallForm: ProofShape = {columns: 1024, layers: 2, tall: 32, unit: 65_536, rounds: 3};

/** Numbers of a leaf of a round's tree. */
export const LEAF = 1024;

/** Batches of a proof, each with its own nonce, and how many of them must be in time. */
export const BATCHES = 5;
export const IN_TIME = 3;

function sha256(...parts: ReadonlyArray<Uint8Array | string>): Buffer {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(part);
	return hash.digest();
}

/** Scrambles 32 bits. */
function mix(word: number): number {
	let bits = word ^ (word >>> 16);
	bits = Math.imul(bits, 0x7f_eb_35_2d);
	bits ^= bits >>> 15;
	bits = Math.imul(bits, 0x84_6c_a6_8b);
	return bits ^ (bits >>> 16);
}

/** A table of random 32-bit words, by row and column, derived from a secret and a label. */
export function tableOf(secret: Uint8Array, label: string) {
	const key = sha256(secret, label);
	const [first, second] = [key.readInt32LE(0), key.readInt32LE(4)];
	return (row: number) => {
		const [one, other] = [mix(row ^ first), mix((row + second) | 0)];
		return (place: number) => mix((mix(place ^ one) + other) | 0);
	};
}

/** A row of numbers from -8 to 7: eight per word, the lowest bits first. */
export function smallNumbers(word: (place: number) => number, count: number): Int8Array {
	const numbers = new Int8Array(count);
	for (let place = 0; place * 8 < count; place += 1) {
		const bits = word(place);
		for (let at = 0; at < 8; at += 1) numbers[place * 8 + at] = ((bits >>> (4 * at)) & 15) - 8;
	}
	return numbers;
}

/** Matrix that determines a unit's number in a round. */
type Round = readonly Int8Array[];

export function roundOf(state: Uint8Array, {tall, unit}: ProofShape): Round {
	const table = tableOf(state, 'round');
	return Array.from({length: tall}, (_, row) => smallNumbers(table(row), unit));
}

/** Weight of a position in the sum, so that a sum of rows is no shortcut. */
const STEP = 0x9e_37_79_b1;

/** The number that a unit of memory yields in a round. */
export function computeUnitNumber(round: Round, unit: Int8Array): number {
	let number = 0;
	for (const [index, row] of round.entries()) {
		let sum = 0;
		for (let place = 0; place < row.length; place += 1) {
			sum += (row[place] ?? 0) * (unit[place] ?? 0);
		}
		number = (number + mix((sum + Math.imul(index, STEP)) | 0)) | 0;
	}
	return number;
}

/** State before the first round of a batch; the filling counts as a batch of one round. */
export function firstState(seed: Uint8Array, nonce: Uint8Array): Buffer {
	return sha256(seed, 'batch', nonce);
}

export function nextState(state: Uint8Array, root: Uint8Array): Buffer {
	return sha256(state, root);
}

const leafMark = Uint8Array.of(0);
const branchMark = Uint8Array.of(1);

export function leafHash(leaf: Uint8Array): Buffer {
	return sha256(leafMark, leaf);
}

export function branchHash(left: Uint8Array, right: Uint8Array): Buffer {
	return sha256(branchMark, left, right);
}

/**
 * True if a leaf is at its position in the tree with this root. A branch without a sibling moves up
 * unchanged.
 */
export function isInTree(
	root: Uint8Array,
	{
		leaf,
		at,
		count,
		path,
	}: {
		readonly leaf: Uint8Array;
		readonly at: number;
		readonly count: number;
		readonly path: readonly Uint8Array[];
	},
): boolean {
	let hash = leafHash(leaf);
	let [place, width, used] = [at, count, 0];
	for (; width > 1; place >>>= 1, width = (width + 1) >>> 1) {
		const isAlone = place === width - 1 && width % 2 === 1;
		if (isAlone) continue;
		const sister = path[used];
		used += 1;
		if (sister === undefined) return false;
		hash = place % 2 === 0 ? branchHash(hash, sister) : branchHash(sister, hash);
	}
	return used === path.length && hash.equals(root);
}
