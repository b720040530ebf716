/** A card of 1 MB that answers the market's proof, honestly or not, and takes time of the test's clock for its work. */
import {randomBytes} from 'node:crypto';
import type {GpuModel} from '../../../source/market/machine-tests/gpu-models.ts';
import type {ProofConnection} from '../../../source/market/machine-tests/proof-line.ts';
import {remakeRows} from '../../../source/market/machine-tests/proof-rows.ts';
import {
	branchHash,
	firstState,
	LEAF,
	leafHash,
	nextState,
	computeUnitNumber,
	roundOf,
	type ProofShape,
} from '../../../source/market/machine-tests/proof-rules.ts';
import {productsIn} from '../../../source/market/machine-tests/proof-texts.ts';

const MEGABYTE = 1 << 20;
const form: ProofShape = {columns: 32, layers: 1, tall: 2, unit: 256, rounds: 2};

/** Seconds that the slowest card of the model has for its filling, and for a batch. */
const FILL = 2;
const BATCH = 1;

/** The model whose cards tests play: deadlines are those of its measured speeds. */
export const testModel: GpuModel = {
	name: 'RTX 4090',
	memory: MEGABYTE,
	tops: productsIn(form, MEGABYTE) / FILL / 1e12,
	terabytes: (form.rounds * MEGABYTE) / BATCH / 1e12,
	from: 'measured',
	form,
};

export type PlayedCard = {
	/** Lets the test's time pass for work; left out, work takes none. */
	readonly pass?: (seconds: number) => void;
	/** Speed, as a share of the slowest honest card's. */
	readonly speed?: number;
	/** Bytes that it claims, and the share of them that it has. */
	readonly claims?: number;
	readonly holds?: number;
	/** Memory that it does not have: made again in each round, or numbers made up. */
	readonly missing?: 'made again' | 'made up';
	/** Seed that it fills its memory from: that of another, whose answers it copies. */
	readonly seed?: Buffer;
	/** Promises anything, and makes what it is asked to show once it knows what that is. */
	readonly isAfterwards?: boolean;
	/** Why it cannot answer. */
	readonly none?: string;
	/** Ends the conversation where it would have to show something. */
	readonly hides?: boolean;
};

const honest = {pass: () => undefined, speed: 1.25, claims: MEGABYTE, holds: 1};

/** Holds the card's side of the conversation. */
export async function playCard(line: ProofConnection, given: PlayedCard = {}): Promise<void> {
	const card = {...honest, ...given};
	const units = Math.floor(card.claims / form.unit);
	await line.hear();
	line.say(card.none === undefined ? {ready: units} : {none: card.none});
	if (card.none === undefined) await answer(line, card, units);
}

async function answer(
	line: ProofConnection,
	{pass, speed, holds, ...card}: PlayedCard & Required<Pick<PlayedCard, keyof typeof honest>>,
	units: number,
): Promise<void> {
	const seed = Buffer.from(textOf(await line.hear(), 'seed'), 'hex');
	const memory = await filled(card.seed ?? seed, units);
	const missing = Math.round(units * (1 - holds));
	pass((FILL / speed) * (1 - missing / units));
	const again = card.missing === 'made again' ? (FILL / speed) * (missing / units) : 0;
	const madeUp = card.missing === 'made up' ? missing : 0;
	const kept: Tree[][] = [];
	const promise = (nonce: Buffer, rounds: number) => {
		const trees = roundsOf(firstState(seed, nonce), {rounds, memory, madeUp});
		kept.push(trees);
		const roots = trees.map(({root}) => (card.isAfterwards === true ? randomBytes(32) : root));
		line.say({roots: roots.map(root => root.toString('hex'))});
	};
	promise(Buffer.alloc(0), 1);
	for (;;) {
		const words = await line.hear();
		if (words['show'] !== undefined) {
			if (card.hides === true) throw new Error('it would be seen');
			show(line, listOf(words['show']), {kept, memory});
			return;
		}
		pass(BATCH / speed + again * form.rounds);
		promise(Buffer.from(textOf(words, 'nonce'), 'hex'), form.rounds);
	}
}

type Work = {
	readonly rounds: number;
	readonly memory: readonly Int8Array[];
	/** Units from the first on whose numbers are none that memory gives. */
	readonly madeUp: number;
};

function roundsOf(first: Buffer, {rounds, memory, madeUp}: Work): Tree[] {
	let state = first;
	return Array.from({length: rounds}, () => {
		const numbers = numbersOf(state, memory);
		for (let at = 0; at < madeUp; at += 1) numbers[at] = at;
		const tree = treeOf(numbers);
		state = nextState(state, tree.root);
		return tree;
	});
}

type Held = {readonly kept: readonly Tree[][]; readonly memory: readonly Int8Array[]};

function show(line: ProofConnection, places: readonly number[][], {kept, memory}: Held): void {
	for (const [batch = 0, round = 0, place = 0] of places) {
		const tree = kept[batch]?.[round];
		const unit = memory[place] ?? new Int8Array();
		const at = Math.floor(place / LEAF);
		line.say({
			leaf: tree?.leaves[at]?.toString('hex'),
			path: tree?.pathOf(at).map(hash => hash.toString('hex')),
			unit: Buffer.from(unit.buffer, unit.byteOffset, unit.length).toString('hex'),
		});
	}
}

/** The memory by its units. */
async function filled(seed: Buffer, units: number): Promise<readonly Int8Array[]> {
	const perUnit = form.unit / form.columns;
	const rows = await remakeRows(
		seed,
		form,
		Array.from({length: units * perUnit}, (_, row) => row),
	);
	const all = new Int8Array(units * form.unit);
	for (const [at, row] of rows.entries()) all.set(row, at * form.columns);
	return Array.from({length: units}, (_, at) => all.subarray(at * form.unit, (at + 1) * form.unit));
}

function numbersOf(state: Buffer, memory: readonly Int8Array[]): Int32Array {
	const round = roundOf(state, form);
	return Int32Array.from(memory, unit => computeUnitNumber(round, unit));
}

type Tree = {
	readonly root: Buffer;
	readonly leaves: readonly Buffer[];
	readonly pathOf: (leaf: number) => readonly Buffer[];
};

function treeOf(numbers: Int32Array): Tree {
	const bytes = Buffer.from(numbers.buffer);
	const leaves = Array.from({length: Math.ceil(numbers.length / LEAF)}, (_, at) =>
		bytes.subarray(4 * LEAF * at, 4 * LEAF * (at + 1)),
	);
	const levels: Buffer[][] = [leaves.map(leafHash)];
	for (let below = levels[0] ?? []; below.length > 1; below = levels.at(-1) ?? []) {
		const pairs = below.flatMap((hash, at) =>
			at % 2 === 0 ? [[hash, below[at + 1]] as const] : [],
		);
		levels.push(
			pairs.map(([left, right]) => (right === undefined ? left : branchHash(left, right))),
		);
	}
	return {
		root: levels.at(-1)?.[0] ?? Buffer.alloc(32),
		leaves,
		pathOf: leaf =>
			levels.slice(0, -1).flatMap((level, height) => level[(leaf >> height) ^ 1] ?? []),
	};
}

function textOf(words: Readonly<Record<string, unknown>>, name: string): string {
	const text = words[name];
	return typeof text === 'string' ? text : '';
}

function listOf(value: unknown): readonly number[][] {
	if (!Array.isArray(value)) return [];
	return value.map((one: unknown) => (Array.isArray(one) ? one.map(Number) : []));
}
