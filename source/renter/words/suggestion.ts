/** Suggestions for unknown words. */
import type {Lexicon} from './clauses.ts';
import {plainName, type KnownGpu} from './gpu-match.ts';

/** Changed letters between two texts; more than two count as three. */
function distance(a: string, b: string): number {
	if (Math.abs(a.length - b.length) > 2) return 3;
	let row = Array.from({length: b.length + 1}, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[b.length] ?? 3;
}

/** The closest of some names; undefined where none is close. */
export function closest(text: string, names: readonly string[]): string | undefined {
	const wanted = text.slice(0, 40).toLowerCase();
	const most = wanted.length < 4 ? 1 : 2;
	const ranked = names
		.map(name => ({name, far: distance(wanted, name)}))
		.filter(({far}) => far <= most)
		.toSorted((a, b) => a.far - b.far);
	return ranked[0]?.name;
}

export function fieldSuggestion(text: string, {byName}: Lexicon): string {
	const name = closest(text, [...byName.keys()]);
	return name === undefined ? '; Tab completes' : `; is ${name} meant?`;
}

/** The GPU whose name is close to a word with a number in it, as it is typed. */
export function closestGpu(text: string, gpus: readonly KnownGpu[]): string | undefined {
	if (!/\d{3}/.test(text)) return undefined;
	const plain = closest(
		plainName(text),
		gpus.flatMap(gpu => [gpu.plain, gpu.model]),
	);
	const meant = gpus.find(gpu => gpu.plain === plain || gpu.model === plain);
	return meant?.name.replaceAll(' ', '_');
}
