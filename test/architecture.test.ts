import {globSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {expect, test} from 'vitest';

const consoleBase = [
	'contract',
	'client',
	'renter',
	'react',
	'ink',
	'@tanstack/react-query',
	'node',
];
const drawing = ['terminal', 'theme', 'chrome', 'bindings', 'key-scope', 'keymap'];
const consoleFiles = (...names: readonly string[]) => names.map(name => `console/${name}`);

/**
 * Who may import what: folders and files of ours, packages, and `node` for what comes with Node.
 * The most specific row counts. Type imports obey it too. docs/architecture.md shows the same table.
 */
const table: Readonly<Record<string, readonly string[]>> = {
	contract: ['contract', 'zod'],
	'contract/public-address.ts': ['node'],
	client: ['client', 'contract', 'zod', 'node'],
	'client/layers': [
		...['layers', 'errors', 'time', 'request', 'attempt'].map(name => `client/${name}`),
		'contract',
		'undici',
		'zod',
		'node',
	],
	'client/nouns': [
		...['nouns', 'call', 'errors', 'layers/refusal', 'layers/reading'].map(
			name => `client/${name}`,
		),
		'contract',
		'zod',
		'node',
	],
	'client/journal': [
		...['journal', 'nouns', 'call', 'errors', 'request', 'file-lock', 'failed-call'].map(
			name => `client/${name}`,
		),
		'contract',
		'zod',
		'node',
	],
	renter: ['renter', 'contract', 'client', 'node'],
	'renter/settings/settings.ts': ['renter/settings', 'renter/json-lines', 'zod'],
	'renter/leases/kept-looks.ts': ['renter/leases', 'zod'],
	console: ['console', ...consoleBase],
	'console/terminal': ['console/terminal', 'renter/text', 'contract/harmless-text', 'node'],
	'console/components': [
		...consoleFiles('components', 'app-bindings', ...drawing),
		...['text', 'format', 'store'].map(name => `renter/${name}`),
		'react',
		'ink',
		'ink-text-input',
		'ink-select-input',
	],
	'console/list': [
		...consoleFiles('list', 'components', 'router', 'services', 'message', ...drawing),
		'contract',
		'renter',
		'react',
		'ink',
	],
	'console/queries': [
		...consoleFiles('queries', 'list/unreadable', 'services', 'theme'),
		'contract',
		'client',
		'renter',
		'react',
		'@tanstack/react-query',
	],
	'console/screens': [
		...consoleFiles(
			'screens',
			'list',
			'components',
			'router',
			'queries',
			'outside-program',

			'services',
			'profile-switcher',
			'message',
			...drawing,
		),
		...consoleBase,
	],
	market: ['market', 'contract', 'hono', '@hono', 'kysely', 'zod', 'node'],
	'market/operations': [
		'market/operations',
		'market/rules',
		'market/store',
		'market/refusal',
		'market/work-signal',
		'market/warnings',
		'contract',
		'node',
	],
	'market/rules': [
		'market/rules',
		'market/refusal',
		'market/store/schema',
		'market/store/account-tables',
		'market/store/instance-tables',
		'market/store/provider-tables',
		'market/store/gpu-tables',
		'market/store/leases',
		'market/store/gpu-mask',
		'contract',
		'kysely',
	],
	'market/store': [
		'market/store',
		'market/rules/offer-text',
		'market/rules/volumes',
		'market/clock',
		'contract',
		'kysely',
		'node',
	],
	'market/store/postgres': ['market/store', 'contract', 'kysely', 'pg', 'node'],
	'market/store/sqlite-dialect.ts': ['kysely', 'node', 'node:sqlite'],
	host: ['host', 'contract', 'client', 'node'],
	'host/sandbox': ['host', 'contract', 'node', '@lydell/node-pty'],
	'host/ssh': ['host', 'contract', 'node', 'ssh2'],
	'host/engine': ['host', 'client/files', 'contract', 'node', 'undici'],
	commands: ['commands', 'client', 'contract', 'renter', 'host', 'market', 'node'],
	'cli.ts': ['commands', 'contract', 'client', 'renter', 'console', 'host', 'market', 'node'],
};

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
		{file: 'contract/offers.ts', to: 'node:fs'},
		{file: 'client/client.ts', to: 'market/open.ts'},
		{file: 'console/app.tsx', to: 'market/open.ts'},
		{file: 'renter/evidence.ts', to: 'console/theme.ts'},
		{file: 'commands/ps.ts', to: 'console/theme.ts'},
		{file: 'console/app.tsx', to: 'commands/options.ts'},
		{file: 'console/app.tsx', to: 'zod/mini'},
		{file: 'console/components/table.ts', to: 'client/client.ts'},
		{file: 'console/terminal/screen.ts', to: 'console/theme.ts'},
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
