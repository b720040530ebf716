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
		{file: 'renter/instance/condition.ts', to: 'console/ui/theme.ts'},
		{file: 'commands/instances/ps.ts', to: 'console/ui/theme.ts'},
		{file: 'console/app/app.tsx', to: 'commands/base/options.ts'},
		{file: 'console/app/app.tsx', to: 'zod/mini'},
		{file: 'console/ui/table.ts', to: 'client/client.ts'},
		{file: 'console/terminal/screen.ts', to: 'console/ui/theme.ts'},
		{file: 'market/service/server.ts', to: 'node:sqlite'},
		{file: 'market/offers/calls.ts', to: 'ink'},
		{file: 'market/base/money.ts', to: 'market/offers/store.ts'},
	];
	expect(planted.filter(isAllowed)).toEqual([]);
});

/** Files of a noun of the market by their names' last word: `calls`, `rules` and `store`; an operation has its own name. */
const kindOf = (file: string) => /(?:^|[/-])(calls|rules|store)\.ts$/.exec(file)?.[1];
const isOfMarket = (file: string) => file.startsWith('market/');
const isAboveNouns = (file: string) =>
	file.startsWith('market/service/') || file === 'market/open.ts';

/** What files of the market's nouns may not do, by the kind of file. */
function wrongInMarket({file, to}: Import): boolean {
	if (!isOfMarket(file) || file.startsWith('market/database/')) return false;
	if (to.startsWith('market/service/')) return !isAboveNouns(file);
	if (kindOf(to) === 'calls') return file !== 'market/service/forms.ts';
	if (kindOf(file) === 'rules') return kindOf(to) === 'store' || to === 'kysely';
	return to === 'kysely' && kindOf(file) !== 'store';
}

test('in a noun of the market, calls are imported by the table alone, the service by none, rules are pure, stores have the SQL', () => {
	const broken = files.flatMap(importsOf).filter(wrongInMarket);
	expect(broken.map(({file, to}) => `${file} imports ${to}`)).toEqual([]);
	const query = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/;
	const asking = files
		.filter(file => isOfMarket(file) && kindOf(file) !== 'store')
		.filter(file => !file.startsWith('market/database/'))
		.filter(file => query.test(readFileSync(join(source, file), 'utf8')));
	expect(asking).toEqual([]);
});

test('a noun that breaks its kinds would be noticed', () => {
	const planted: readonly Import[] = [
		{file: 'market/volumes/clones.ts', to: 'market/copies/calls.ts'},
		{file: 'market/leases/rules.ts', to: 'market/leases/store.ts'},
		{file: 'market/machines/record-rules.ts', to: 'kysely'},
		{file: 'market/volumes/calls.ts', to: 'kysely'},
		{file: 'market/volumes/calls.ts', to: 'market/service/services.ts'},
	];
	expect(planted.filter(found => !wrongInMarket(found))).toEqual([]);
});

test('every folder and file of source has a row in the table', () => {
	const lost = files.filter(file => !Object.keys(table).some(place => isWithin(file, place)));
	expect(lost).toEqual([]);
});

/** Names that a text exports by declarations. */
const exportedBy = (text: string) =>
	[...text.matchAll(/^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm)].map(
		([, name = '']) => name,
	);

type Source = {readonly file: string; readonly text: string};

/** Exports that no other file imports, `file: name`; a dynamic import may use each name that it writes. */
function unusedExports(all: readonly Source[]): readonly string[] {
	const used = new Set<string>();
	const read = new Set<string>();
	for (const {file, text} of all) {
		const pattern = /^(?:import|export) (?:type )?([^'";]*?) from '(\.[^']+)'/gm;
		for (const [, names = '', to = ''] of text.matchAll(pattern)) {
			const target = join(dirname(file), to);
			if (names.startsWith('*')) read.add(target);
			for (const name of names.match(/\w+/g) ?? []) used.add(`${target}: ${name}`);
		}
		for (const [, to = ''] of text.matchAll(/import\(\s*'(\.[^']+)'/g)) {
			const target = join(dirname(file), to);
			for (const name of text.match(/\w+/g) ?? []) used.add(`${target}: ${name}`);
		}
	}
	return all
		.filter(({file}) => !read.has(file))
		.flatMap(({file, text}) => exportedBy(text).map(name => `${file}: ${name}`))
		.filter(name => !used.has(name));
}

test('what a file exports is imported by another; programs of others import the client', () => {
	const root = join(source, '..');
	const all = globSync('{source,test,build}/**/*.{ts,tsx}', {cwd: root}).map(file => ({
		file,
		text: readFileSync(join(root, file), 'utf8'),
	}));
	const unused = unusedExports(all).filter(
		name => name.startsWith('source/') && !name.startsWith('source/client/'),
	);
	expect(unused).toEqual([]);
});

test('an export that nobody imports would be noticed', () => {
	const all = [
		{file: 'a.ts', text: "import {b} from './b.ts';\nconst {d} = await import('./d.ts');\n"},
		{file: 'b.ts', text: 'export const b = 1;\nexport type C = string;\n'},
		{file: 'd.ts', text: 'export function d() {}\nexport function* e() {}\n'},
	];
	expect(unusedExports(all)).toEqual(['b.ts: C', 'd.ts: e']);
});
