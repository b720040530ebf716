/** Which files of ours go into one chunk together. */
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {importerOf} from './plain-builtins.ts';

const imports = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;

/** Folders that console and commands stand on, and how the command line is read. */
const SHARED =
	/\/source\/(?:(?:contract|console|renter|client)\/[^?]+|commands\/option[^?/]*)\.ts$/;

const known = new Map<string, boolean>();

/**
 * What several parts of the program need is cut into many small chunks, and each of them takes a
 * third of a millisecond to find. Those that need no package are one chunk instead.
 */
export const sharedChunk = {
	name: 'shared',
	test: (id: string) => isOurs(importerOf(id)),
	minShareCount: 2,
	includeDependenciesRecursively: false,
};

function isOurs(file: string): boolean {
	return SHARED.test(file) && isPlain(file);
}

/** Whether a file imports nothing but what comes with Node, and files like itself. */
function isPlain(file: string): boolean {
	const before = known.get(file);
	if (before !== undefined) return before;
	// In a circle each is as plain as the rest.
	known.set(file, true);
	const found = [...readFileSync(file, 'utf8').matchAll(imports)].every(([, from = '']) =>
		from.startsWith('.') ? isPlain(join(dirname(file), from)) : from.startsWith('node:'),
	);
	known.set(file, found);
	return found;
}
