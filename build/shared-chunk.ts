/** Which files of ours go into one chunk together. */
import {readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {importerOf} from './plain-builtins.ts';

const imports = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;
const root = join(import.meta.dirname, '..');
const start = join(root, 'source/cli.ts');
const known = new Map<string, readonly string[]>();

/** Folders that console and commands stand on, and how the command line is read. */
const SHARED =
	/\/source\/(?:(?:contract|console|renter|client)\/[^?]+|commands\/option[^?/]*)\.ts$/;

/**
 * What several parts of the program need is cut into many small chunks, and each of them takes a
 * third of a millisecond to find. Those that need no package are few chunks instead: what the first
 * lines on the screen need, what the first whole frame needs, and all else.
 */
export const chunkGroups = [
	group('start', loadedWith(start)),
	group('frame', loadedWith('source/console/app/first-frame.ts')),
	{...group('shared', {has: file => SHARED.test(file) && isPlain(file)}), minShareCount: 2},
];

function group(name: string, files: {readonly has: (file: string) => boolean}) {
	// What waits until the program has ended cannot be in a chunk that others import.
	const test = (id: string) => importerOf(id) !== start && files.has(importerOf(id));
	return {name, test, includeDependenciesRecursively: false};
}

/** The files that are loaded with one, and it: packages, and what is loaded later, are not. */
function loadedWith(entry: string): ReadonlySet<string> {
	// Into every chunk in which there are words to be divided.
	const files = new Set([resolve(root, entry), join(root, 'build/lazy-segmenter.ts')]);
	for (const file of files) {
		for (const from of importsOf(file)) {
			if (from.startsWith('.')) files.add(join(dirname(file), from));
		}
	}
	return files;
}

/** Whether a file imports nothing but what comes with Node, and files like itself. */
function isPlain(file: string): boolean {
	return [...loadedWith(file)].every(one =>
		importsOf(one).every(from => from.startsWith('.') || from.startsWith('node:')),
	);
}

function importsOf(file: string): readonly string[] {
	const found = known.get(file) ?? readImports(file);
	known.set(file, found);
	return found;
}

function readImports(file: string): readonly string[] {
	return [...readFileSync(file, 'utf8').matchAll(imports)].map(([, from = '']) => from);
}
