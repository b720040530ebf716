import {globSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {expect, test} from 'vitest';
import {importTable as table} from './helpers/import-table.ts';

type Import = {readonly file: string; readonly to: string};

const source = join(import.meta.dirname, '..', 'source');

/** Every import of a file, with ours as paths from `source/`. */
function importsOf(file: string): readonly Import[] {
	const text = readFileSync(join(source, file), 'utf8');
	const pattern =
		/^\s*(?:import|export)\s(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
	return [...text.matchAll(pattern)].map(([, fixed, dynamic]) => {
		const to = fixed ?? dynamic ?? '';
		return {file, to: to.startsWith('.') ? relative(source, join(source, dirname(file), to)) : to};
	});
}

/** Whether a path is a place or lies in it; places name files with or without their ending. */
function isWithin(path: string, place: string): boolean {
	return [path, path.replace(/\.tsx?$/, '')].includes(place) || path.startsWith(`${place}/`);
}

function isAllowed({file, to}: Import): boolean {
	const rows = Object.keys(table).filter(place => isWithin(file, place));
	const [row = ''] = rows.toSorted((a, b) => b.length - a.length);
	return (table[row] ?? []).some(allowed =>
		allowed === 'node' ? to.startsWith('node:') && to !== 'node:sqlite' : isWithin(to, allowed),
	);
}

const files = globSync('**/*.{ts,tsx}', {cwd: source}).toSorted();

test('every import obeys the table of who may import whom', () => {
	const broken = files.flatMap(importsOf).filter(found => !isAllowed(found));
	expect(broken.map(({file, to}) => `${file} imports ${to}`)).toEqual([]);
});

/** The files that a file reaches over imports at its head, of types as well; itself only in a circle. */
function reachedFrom(file: string, edges: ReadonlyMap<string, readonly string[]>) {
	const reached = new Set<string>();
	const visit = (from: string) => {
		for (const to of edges.get(from) ?? []) {
			if (reached.has(to)) continue;
			reached.add(to);
			visit(to);
		}
	};
	visit(file);
	return reached;
}

const inCircles = (edges: ReadonlyMap<string, readonly string[]>) =>
	[...edges.keys()].filter(file => reachedFrom(file, edges).has(file));

test('no files import each other in a circle, types included', () => {
	const edges = new Map(files.map(file => [file, importsOf(file).map(({to}) => to)] as const));
	expect(inCircles(edges)).toEqual([]);
});

test('a circle would be noticed, and what leads into it is none', () => {
	const edges = {a: ['b', 'zod'], b: ['c'], c: ['b'], d: ['d']};
	expect(inCircles(new Map(Object.entries(edges)))).toEqual(['b', 'c', 'd']);
});

test('the table would notice an import that it does not allow', () => {
	const planted: readonly Import[] = [
		{file: 'contract/nouns/offers.ts', to: 'node:fs'},
		{file: 'client/client.ts', to: 'market/open.ts'},
		{file: 'console/app/app.tsx', to: 'market/open.ts'},
		{file: 'renter/instance/evidence.ts', to: 'console/ui/theme.ts'},
		{file: 'commands/ps.ts', to: 'console/ui/theme.ts'},
		{file: 'console/app/app.tsx', to: 'commands/options.ts'},
		{file: 'console/app/app.tsx', to: 'zod/mini'},
		{file: 'console/ui/table.ts', to: 'client/client.ts'},
		{file: 'console/terminal/screen.ts', to: 'console/ui/theme.ts'},
		{file: 'market/server.ts', to: 'node:sqlite'},
		{file: 'market/routes/offers.ts', to: 'ink'},
		{file: 'market/rules/pricing.ts', to: 'market/store/offers.ts'},
	];
	expect(planted.filter(isAllowed)).toEqual([]);
});

test('operations leave what is asked of the database to the store', () => {
	const query = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/;
	const asking = files.filter(
		file =>
			file.startsWith('market/operations/') && query.test(readFileSync(join(source, file), 'utf8')),
	);
	expect(asking).toEqual([]);
});

test('every folder and file of source has a row in the table', () => {
	const lost = files.filter(file => !Object.keys(table).some(place => isWithin(file, place)));
	expect(lost).toEqual([]);
});
