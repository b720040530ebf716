/** Proof of one card: its claim, its commitments in time, and its disclosures. */
import {randomBytes, randomInt} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {formOf, leastMemory, type GpuModel} from './gpu-models.ts';
import type {ProofConnection} from './proof-line.ts';
import {BATCHES, firstState, IN_TIME, nextState, type ProofShape} from './proof-rules.ts';
import {whatIsWrong, type Promised, type Shown} from './proof-check.ts';
import {
	inGigabytes,
	inTerabytes,
	inTops,
	formatMeasuredFigures,
	productsIn,
} from './proof-texts.ts';

type Asked = {
	readonly line: ProofConnection;
	readonly model: GpuModel;
	/** Rows of its memory that are recomputed. */
	readonly rows: number;
	/** Seconds of a clock that never jumps. */
	readonly steady: () => number;
};

export type CardMeasurement = {
	readonly bytes: number;
	/** Operations on int8 in units of 10¹² a second, and terabytes a second. */
	readonly tops: number;
	readonly terabytes: number;
};

export type CardFinding = {
	/**
	 * `late`: correct, but slower than the model, which may have other reasons than a false claim.
	 */
	readonly outcome: 'passed' | 'failed' | 'late' | 'skipped';
	readonly detail: string;
	readonly measured?: CardMeasurement;
};

/** Time allowed beyond the card's own, for the connection and the event loop. */
const SLACK_SECONDS = 0.15;

/** Timeouts for a card of an unknown model: for a filling, and for a batch. */
const PATIENCE_SECONDS = 45;

/** The longest pause before a batch. */
const PAUSE_MS = 200;

/** A card's claim: units of memory, or the reason why it is not challenged further. */
export async function requestCardClaim(asked: Asked): Promise<number | CardFinding> {
	return readClaim(asked).catch(() => brokenOff);
}

const brokenOff: CardFinding = {
	outcome: 'late',
	detail: 'broke off, or did not answer in time',
};

async function readClaim({line, model}: Asked): Promise<number | CardFinding> {
	const form = formOf(model);
	const most = Math.floor((1.05 * model.memory) / form.unit) * form.unit;
	line.say({form, most});
	const {ready, none} = await line.hear();
	if (typeof none === 'string') {
		return {outcome: 'skipped', detail: `cannot answer: ${none.slice(0, 100).toWellFormed()}`};
	}
	const units = typeof ready === 'number' && Number.isSafeInteger(ready) ? ready : 0;
	const [bytes, least] = [units * form.unit, leastMemory(model)];
	if (bytes >= least && bytes <= most) return units;
	const [held, wanted, whole] = [bytes, least, model.memory].map(inGigabytes);
	const has = model.name === '' ? `its machine says ${whole}` : `the ${model.name} has ${whole}`;
	return {outcome: 'failed', detail: `holds ${held} of memory; ${has}, of which ${wanted} answer`};
}

/**
 * Challenges a card that is ready, and judges it. A card that hangs up when asked for a disclosure
 * fails.
 */
export async function prove(asked: Asked, units: number): Promise<CardFinding> {
	let isPromised = false;
	try {
		return await judge(asked, units, () => (isPromised = true));
	} catch {
		return isPromised
			? {outcome: 'failed', detail: 'does not show what it was asked to'}
			: brokenOff;
	}
}

async function judge(asked: Asked, units: number, notePromised: () => void): Promise<CardFinding> {
	const {line, model, rows, steady} = asked;
	const form = formOf(model);
	const seed = randomBytes(32);
	const bytes = units * form.unit;
	const filling = await timed(steady, async () => {
		line.say({seed: seed.toString('hex')});
		return rootsIn(await line.hear(), 1);
	});
	const promised: Promised[] = [promisedIn(seed, Buffer.alloc(0), filling.value)];
	const times: number[] = [];
	for (let batch = 0; batch < BATCHES; batch += 1) {
		await sleep(randomInt(PAUSE_MS));
		const nonce = randomBytes(32);
		const {value, seconds} = await timed(steady, async () => {
			line.say({nonce: nonce.toString('hex')});
			return rootsIn(await line.hear(), form.rounds);
		});
		promised.push(promisedIn(seed, nonce, value));
		times.push(seconds);
	}
	notePromised();
	// Nobody else knows these places of all rounds.
	const places = Array.from({length: rows}, () => {
		const batch = randomInt(promised.length);
		const round = randomInt(Math.max(promised[batch]?.length ?? 0, 1));
		return {batch, round, place: randomInt(units)};
	});
	line.say({show: places.map(({batch, round, place}) => [batch, round, place])});
	const shown: Shown[] = [];
	for (const at of places) shown.push({...at, ...(await line.hear())});
	const wrong = await whatIsWrong({form, seed, units, promised}, shown);
	const batchSeconds = times.toSorted((one, other) => one - other)[IN_TIME - 1] ?? Infinity;
	const measured = {
		bytes,
		tops: productsIn(form, bytes) / filling.seconds / 1e12,
		terabytes: (form.rounds * bytes) / batchSeconds / 1e12,
	};
	if (wrong !== undefined) return {outcome: 'failed', detail: wrong};
	const late = lateIn(model, {bytes, form, measured, fill: filling.seconds, times});
	if (late !== undefined) return {outcome: 'late', detail: late, measured};
	return {outcome: 'passed', detail: formatMeasuredFigures(measured), measured};
}

async function timed<Value>(steady: () => number, act: () => Promise<Value>) {
	const begun = steady();
	const value = await act();
	return {value, seconds: Math.max(steady() - begun, 1e-3)};
}

/** Roots in a line; none if it has others than requested. */
function rootsIn({roots}: Readonly<Record<string, unknown>>, count: number): readonly Buffer[] {
	if (!Array.isArray(roots) || roots.length !== count) return [];
	return roots.flatMap((root: unknown) =>
		typeof root === 'string' && /^[\da-f]{64}$/.test(root) ? [Buffer.from(root, 'hex')] : [],
	);
}

/** Roots of a batch, each with the state that its round began with. */
function promisedIn(seed: Uint8Array, nonce: Uint8Array, roots: readonly Buffer[]): Promised {
	let state = firstState(seed, nonce);
	return roots.map(root => {
		const begun = state;
		state = nextState(state, root);
		return {root, state: begun};
	});
}

type Times = {
	readonly bytes: number;
	readonly form: ProofShape;
	readonly measured: CardMeasurement;
	readonly fill: number;
	readonly times: readonly number[];
};

/** Late answers, in words; undefined if all were in time. */
function lateIn(model: GpuModel, {bytes, form, measured, fill, times}: Times): string | undefined {
	const counts = model.from === 'measured';
	const mostFill = counts
		? productsIn(form, bytes) / (model.tops * 1e12) + SLACK_SECONDS
		: PATIENCE_SECONDS;
	const least = counts ? `the ${model.name} does ${inTops(model)}` : 'no card takes as long';
	if (fill > mostFill) {
		return `filled its memory in ${fill.toFixed(2)} s, at ${inTops(measured)}; ${least}, and has ${mostFill.toFixed(2)} s`;
	}
	const most = counts
		? (form.rounds * bytes) / (model.terabytes * 1e12) + SLACK_SECONDS
		: PATIENCE_SECONDS;
	const inTime = times.filter(seconds => seconds <= most).length;
	if (inTime >= IN_TIME) return undefined;
	const reads = counts ? `the ${model.name} reads ${inTerabytes(model)}` : 'no card takes as long';
	return `read its memory at ${inTerabytes(measured)}; ${reads}: ${inTime} of ${BATCHES} answers came within ${most.toFixed(2)} s, and ${IN_TIME} have to`;
}
