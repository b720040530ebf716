/** Which CUDA an image wants, as far as its name or the machine filters say. */
import {readNumber} from '../../../contract/filter.ts';
import {isRecord} from '../../../contract/json.ts';
import type {Creation} from '../../../contract/merge.ts';

/** "pytorch:2.6-cuda12.4-cudnn9", "cuda:12.4.1-base", "torch:2.6-cu124". */
const inNames = [/cuda[:_-]?(\d{1,2})\.(\d)/i, /\bcu(\d{2})(\d)\b/i, /cuda[:_-]?(\d{2})\b/i];

/** The least CUDA that is wanted; undefined where nothing says so. */
export function cudaWanted({
	image,
	extra_filters: filters,
}: Pick<Creation, 'image' | 'extra_filters'>): number | undefined {
	const said = [fromFilter(filters['cuda_max_good']?.value), fromName(image.value ?? '')];
	const known = said.filter(version => version !== undefined);
	return known.length === 0 ? undefined : Math.max(...known);
}

function fromName(image: string): number | undefined {
	for (const pattern of inNames) {
		const [, major, minor = '0'] = pattern.exec(image) ?? [];
		if (major !== undefined) return Number(`${major}.${minor}`);
	}
	return undefined;
}

function fromFilter(test: unknown): number | undefined {
	return isRecord(test) ? readNumber(test['gte'] ?? test['gt'] ?? test['eq']) : undefined;
}
