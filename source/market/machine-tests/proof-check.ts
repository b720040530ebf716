/** Check of a card's proof, by the market's own processor alone. */
import {randomInt} from 'node:crypto';
import {setImmediate} from 'node:timers/promises';
import {isInTree, LEAF, computeUnitNumber, roundOf, type ProofShape} from './proof-rules.ts';
import {remakeRows} from './proof-rows.ts';

/** A card's commitment to a batch: each round's root, and the state that the round began with. */
export type Promised = ReadonlyArray<{readonly root: Buffer; readonly state: Buffer}>;

/** A card's disclosure of a unit in a round: its leaf with the path to the root, and its memory. */
export type Shown = {
	readonly batch: number;
	readonly round: number;
	readonly place: number;
	readonly leaf?: unknown;
	readonly path?: unknown;
	readonly unit?: unknown;
};

type Proof = {
	readonly form: ProofShape;
	readonly seed: Uint8Array;
	readonly units: number;
	readonly promised: readonly Promised[];
};

/** Problem of a proof, as the end of a sentence; undefined if everything is correct. */
export async function whatIsWrong(
	proof: Proof,
	shown: readonly Shown[],
): Promise<string | undefined> {
	const {form, seed, promised} = proof;
	if (promised.some((batch, at) => batch.length !== (at === 0 ? 1 : form.rounds))) {
		return `promised other answers than were asked for: ${form.rounds} a batch`;
	}
	const rows: Array<{readonly at: number; readonly held: Buffer}> = [];
	for (const one of shown) {
		const unit = bytesOf(one.unit, form.unit);
		const wrong = unit === undefined ? 'shows no memory' : wrongIn(proof, one, unit);
		if (wrong !== undefined || unit === undefined) return wrong;
		const row = randomInt(form.unit / form.columns);
		const held = unit.subarray(row * form.columns, (row + 1) * form.columns);
		rows.push({at: (one.place * form.unit) / form.columns + row, held});
		await setImmediate();
	}
	const made = await remakeRows(
		seed,
		form,
		rows.map(({at}) => at),
	);
	const other = rows.findIndex(({held}, index) => !held.equals(asBytes(made[index] ?? none)));
	if (other < 0) return undefined;
	return `holds other bytes than the seed gives, at ${rows[other]?.at ?? 0} of its rows of memory`;
}

const none = new Int8Array();

function asBytes({buffer, byteOffset, length}: Int8Array): Uint8Array {
	return new Uint8Array(buffer, byteOffset, length);
}

function wrongIn(
	{form, units, promised}: Proof,
	{batch, round, place, ...shown}: Shown,
	unit: Buffer,
): string | undefined {
	const {root, state} = promised[batch]?.[round] ?? {};
	const at = Math.floor(place / LEAF);
	const leaf = bytesOf(shown.leaf, 4 * Math.min(LEAF, units - at * LEAF));
	const path = pathOf(shown.path);
	const count = Math.ceil(units / LEAF);
	const isPromised =
		root !== undefined && leaf !== undefined && isInTree(root, {leaf, at, count, path});
	if (!isPromised || state === undefined) {
		return 'shows other numbers of a round than it promised';
	}
	const told = leaf.readInt32LE(4 * (place % LEAF));
	const signed = new Int8Array(unit.buffer, unit.byteOffset, unit.length);
	if (computeUnitNumber(roundOf(state, form), signed) === told) return undefined;
	return 'gives a number of a round that its memory does not give';
}

function bytesOf(text: unknown, length: number): Buffer | undefined {
	if (typeof text !== 'string' || text.length !== 2 * length) return undefined;
	const bytes = Buffer.from(text, 'hex');
	return bytes.length === length ? bytes : undefined;
}

/** Longest possible path: no tree is higher. */
const LONGEST_PATH = 64;

function pathOf(path: unknown): readonly Buffer[] {
	if (!Array.isArray(path) || path.length > LONGEST_PATH) return [];
	return path.map((hash: unknown) => Buffer.from(typeof hash === 'string' ? hash : '', 'hex'));
}
