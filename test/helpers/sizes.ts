/** How large the program is, by the figures that a person feels who has to find their way in it. */
import {globSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';

const source = join(import.meta.dirname, '..', '..', 'source');
const ENDPOINT = /\bendpoint\(/g;
/** A comment of its own lines, or the head of what a file imports. */
const COMMENT = /^\s*\/\*[^]*?\*\/[\t ]*$|^\s*\/\/.*$/gm;
const IMPORT = /^(?:import|export)\s(?:[^'";]*?\sfrom\s*)?'[^']+';/gm;
/** A file of ours that another one imports, at its head or when it needs it. */
const OURS = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

type File = {readonly path: string; readonly text: string};

function sourceFiles(): readonly File[] {
	return globSync('**/*.{ts,tsx}', {cwd: source}).map(path => ({
		path,
		text: readFileSync(join(source, path), 'utf8'),
	}));
}

/** Lines that hold more than a comment. */
function codeLines(text: string): number {
	return text
		.replaceAll(COMMENT, '')
		.split('\n')
		.filter(line => line.trim() !== '').length;
}

/** The first two folders of a path, which is how far people keep a house in mind. */
function roomOf(path: string): string {
	return dirname(path).split('/').slice(0, 2).join('/');
}

/** Pairs of folders that import each other both ways. */
export function entangled(files: readonly File[] = sourceFiles()): readonly string[] {
	const edges = new Set<string>();
	for (const {path, text} of files) {
		for (const [, to = ''] of text.matchAll(OURS)) {
			const [from, target] = [roomOf(path), roomOf(normalize(join(dirname(path), to)))];
			if (from !== target) edges.add(`${from} ${target}`);
		}
	}
	return [...edges].filter(edge => {
		const [from = '', to = ''] = edge.split(' ');
		return from < to && edges.has(`${to} ${from}`);
	});
}

/** Every figure by its name; a smaller one is better. */
export function measureSizes(): Readonly<Record<string, number>> {
	const files = sourceFiles();
	const lines = files.reduce((sum, {text}) => sum + codeLines(text), 0);
	const imports = files.reduce((sum, {text}) => sum + [...text.matchAll(IMPORT)].length, 0);
	const endpoints = files
		.filter(({path}) => path.startsWith('contract/'))
		.reduce((sum, {text}) => sum + [...text.matchAll(ENDPOINT)].length, 0);
	return {
		files: files.length,
		'code lines': lines,
		'code lines an endpoint': Math.round(lines / endpoints),
		'imports per 1,000 lines': Math.round((imports / lines) * 1000),
		'pairs of folders that import each other': entangled(files).length,
	};
}
