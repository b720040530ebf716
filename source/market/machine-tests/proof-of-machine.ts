/** Proof of all GPUs of a machine at once: a card that answered for another would be late. */
import {contradictionIn, modelFor, type GpuModel, type ClaimedGpu} from './gpu-models.ts';
import {requestCardClaim, prove, type CardFinding, type CardMeasurement} from './proof.ts';
import type {ProofConnection} from './proof-line.ts';
import {formatMeasuredFigures, roundToThreeDigits} from './proof-texts.ts';
import type {ReachFinding} from './reach.ts';
import type {MachineCheck} from './rules.ts';

/** Rows of memory that the market recomputes: of a machine, and of each card at least. */
const ROWS = 16;
const ROWS_OF_CARD = 4;

type ProofOrder = {
	readonly said: ClaimedGpu;
	readonly cards: number;
	readonly models: readonly GpuModel[] | undefined;
	readonly steady: () => number;
	/**
	 * Waits for other machines that are challenged in the same second; false if that has already
	 * happened.
	 */
	readonly meet: () => Promise<boolean>;
};

/** Connects to a card and talks to it; returns a finding of its own if that fails. */
type Reach = (
	card: number,
	speak: (line: ProofConnection) => Promise<CardFinding>,
) => Promise<CardFinding | ReachFinding>;

export type MachineProof = {
	readonly checks: readonly MachineCheck[];
	readonly measured?: CardMeasurement | undefined;
};

export async function proveMachine(
	{said, cards, models, steady, meet}: ProofOrder,
	reach: Reach,
): Promise<MachineProof> {
	const model = modelFor(said, models);
	if (model === undefined) {
		const detail = 'its host does not say how much memory a GPU has';
		return {checks: [checkOf('gpu_proof', {outcome: 'skipped', detail})]};
	}
	const wrong = contradictionIn(said, model);
	if (wrong !== undefined) {
		return {
			checks: [{...checkOf('gpu_model', {outcome: 'failed', detail: wrong}), said_by: 'host'}],
		};
	}
	const ready = Array.from({length: cards}, () => Promise.withResolvers<void>());
	const all = Promise.all(ready.map(async ({promise}) => promise)).then(meet);
	const rows = Math.max(ROWS_OF_CARD, Math.ceil(ROWS / cards));
	const found = await Promise.all(
		ready.map(async ({resolve}, card) =>
			ask(reach, card, async line => {
				const asked = {line, model, rows, steady};
				const claim = await requestCardClaim(asked);
				if (typeof claim !== 'number') return claim;
				resolve();
				return (await all) ? prove(asked, claim) : absent;
			}).finally(resolve),
		),
	);
	return judged(found, model);
}

/** Challenges a card; one that cannot be reached right after its machine could is retried later. */
async function ask(reach: Reach, card: number, speak: Parameters<Reach>[1]): Promise<CardFinding> {
	const found = await reach(card, speak);
	if (!('value' in found)) return found;
	return {outcome: 'late', detail: `cannot be asked: ${found.detail}`};
}

const absent: CardFinding = {
	outcome: 'late',
	detail: 'was not ready when the others of its provider and model were asked',
};

/** The outcome of the worst card counts. */
const order = ['failed', 'skipped', 'late', 'passed'] as const;

function judged(found: readonly CardFinding[], model: GpuModel): MachineProof {
	const outcome = order.find(one => found.some(card => card.outcome === one)) ?? 'skipped';
	const several = found.length > 1;
	const details = found.flatMap((card, index) =>
		card.outcome === outcome ? [`${several ? `GPU ${index} ` : 'it '}${card.detail}`] : [],
	);
	const measures = found.flatMap(({measured}) => measured ?? []);
	const isWhole = measures.length === found.length && (outcome === 'passed' || outcome === 'late');
	const measured = isWhole ? leastOf(measures) : undefined;
	const detail =
		outcome === 'passed' && measured !== undefined
			? `${formatMeasuredFigures(measured)}${several ? ` by each of ${found.length} GPUs` : ''}${remarkOn(model)}`
			: details.join('; ').slice(0, LONGEST_DETAIL);
	const proof = checkOf('gpu_proof', {outcome, detail});
	return {checks: [proof, ...figuresOf(measured)], measured};
}

const LONGEST_DETAIL = 255;

function remarkOn({name, from}: GpuModel): string {
	if (name === '') return '; of a model that is not known';
	return from === 'measured' ? '' : `; the speed of the ${name} is not judged yet`;
}

function leastOf(measures: readonly CardMeasurement[]): CardMeasurement {
	const least = (name: keyof CardMeasurement) => Math.min(...measures.map(one => one[name]));
	return {bytes: least('bytes'), tops: least('tops'), terabytes: least('terabytes')};
}

/** The figures as separate checks, which benchmarks list. */
function figuresOf(measured: CardMeasurement | undefined): readonly MachineCheck[] {
	if (measured === undefined) return [];
	const {bytes, tops, terabytes} = measured;
	const figures = [
		['gpu_memory', bytes / 1e9, 'GB answer'],
		['gpu_int8', tops, 'TOPS'],
		['gpu_bandwidth', terabytes, 'TB/s'],
	] as const;
	return figures.map(([name, figure, unit]) => {
		const value = roundToThreeDigits(figure);
		return {...checkOf(name, {outcome: 'passed', detail: `${value} ${unit}`}), value};
	});
}

function checkOf(name: string, {outcome, detail}: CardFinding): MachineCheck {
	return {name, said_by: 'market', outcome, detail, value: null};
}
