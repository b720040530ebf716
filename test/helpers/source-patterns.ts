/** The patterns that are written in the source. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseSync} from 'rolldown/utils';

const source = join(import.meta.dirname, '..', '..', 'source');

export type Pattern = {readonly file: string; readonly pattern: string; readonly flags: string};

/** Patterns of text that no stranger makes longer than is said here. */
const boundedElsewhere: ReadonlyMap<string, string> = new Map([
	['console/format.ts', 'the digits of a number'],
	['renter/orders/request-text.ts', 'an environment, which the contract bounds'],
	['host/simulated/script.ts', 'the name of an image, which the contract bounds'],
]);

/** Every pattern that reads a text of any length. */
export function patternsOf(): readonly Pattern[] {
	return globSync('**/*.{ts,tsx}', {cwd: source})
		.filter(file => !boundedElsewhere.has(file))
		.toSorted()
		.flatMap(file => {
			const found: Pattern[] = [];
			const {program} = parseSync(file, readFileSync(join(source, file), 'utf8'));
			collect(program, ({pattern, flags}) => found.push({file, pattern, flags}));
			return found;
		});
}

function collect(node: unknown, add: (regex: {pattern: string; flags: string}) => void): void {
	if (typeof node !== 'object' || node === null) return;
	if ('regex' in node && isRegex(node.regex)) add(node.regex);
	else for (const part of Object.values(node)) collect(part, add);
}

function isRegex(value: unknown): value is {pattern: string; flags: string} {
	return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;
}
