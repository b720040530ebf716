/** Who may import whom, which docs/architecture.md shows and test/architecture.test.ts holds. */

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
 * The most specific row counts. Type imports obey it too.
 */
export const importTable: Readonly<Record<string, readonly string[]>> = {
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
		...[
			'journal',
			'nouns',
			'call',
			'errors',
			'request',
			'file-lock',
			'plain-files',
			'failed-call',
		].map(name => `client/${name}`),
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

/** The table as docs show it; files with a row of their own stand after their folder. */
export function writeImportTable(): string {
	const rows = Object.entries(importTable).map(([place, allowed]) => {
		const words = allowed.filter(name => name !== place);
		return `| ${place} | ${words.map(inPlace(place)).join(', ')} |`;
	});
	return ['| place | may import, beside itself |', '|---|---|', ...rows].join('\n');
}

/** Shortens a name that begins as its place does: `client/errors` is `errors` in `client/layers`. */
function inPlace(place: string) {
	const parent = `${place.split('/')[0]}/`;
	return (name: string) => (name.startsWith(parent) ? `./${name.slice(parent.length)}` : name);
}
