/** Figures of a proof in words. */
import type {ProofShape} from './proof-rules.ts';

/** Operations by which so many bytes are filled. */
export function productsIn({columns, layers}: ProofShape, bytes: number): number {
	return 2 * columns * layers * bytes;
}

export function inGigabytes(bytes: number): string {
	return `${three(bytes / 1e9)} GB`;
}

export function inTops({tops}: {readonly tops: number}): string {
	return `${three(tops)} TOPS`;
}

export function inTerabytes({terabytes}: {readonly terabytes: number}): string {
	return `${three(terabytes)} TB/s`;
}

type Figures = {readonly bytes: number; readonly tops: number; readonly terabytes: number};

/** "79.2 GB, 310 TOPS, 1.9 TB/s" */
export function formatMeasuredFigures({bytes, ...speeds}: Figures): string {
	return [inGigabytes(bytes), inTops(speeds), inTerabytes(speeds)].join(', ');
}

/** Three digits, as a proof is not more exact. */
export function roundToThreeDigits(value: number): number {
	return Number(value.toPrecision(3));
}

export function shownMeasured({bytes, tops, terabytes}: Figures, at: number) {
	return {
		at: Math.floor(at),
		memory_gb: roundToThreeDigits(bytes / 1e9),
		int8_tops: roundToThreeDigits(tops),
		memory_tbs: roundToThreeDigits(terabytes),
	};
}

/** Three significant digits, without trailing zeros. */
function three(value: number): string {
	const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : undefined;
	return String(Number(digits === undefined ? value.toPrecision(2) : value.toFixed(digits)));
}
