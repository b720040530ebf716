/** Who may import whom, which docs/architecture.md shows and test/architecture.test.ts holds. */

const consoleBase = ['contract', 'client', 'renter', 'react'];

/** Folders of one program, by its name. */
const inside = (program: string, ...folders: readonly string[]) =>
	folders.map(folder => `${program}/${folder}`);
const client = (...folders: readonly string[]) => inside('client', ...folders);
const renter = (...folders: readonly string[]) => [
	...inside('renter', ...folders),
	'contract',
	'client',
	'node',
];

/** Folders of the renter that stand on no other of its own but those before them. */
const files = ['files'];
const text = ['text'];
const low = [...files, ...text, 'state', 'settings', 'words'];

/**
 * Who may import what: folders and files of ours, packages, and `node` for what comes with Node.
 * The most specific row counts. Type imports obey it too.
 */
export const importTable: Readonly<Record<string, readonly string[]>> = {
	'contract/grammar': ['contract/grammar', 'zod'],
	'contract/rules': ['contract/rules', 'contract/grammar', 'zod'],
	'contract/rules/public-address.ts': ['node'],
	'contract/rules/relay-streams.ts': ['node'],
	'contract/nouns': ['contract/nouns', 'contract/rules', 'contract/grammar', 'zod'],
	contract: ['contract', 'zod'],
	'client/exchange': [...client('exchange'), 'contract', 'undici', 'zod', 'node'],
	'client/files': [...client('files'), 'contract', 'node'],
	'client/nouns': [...client('nouns', 'exchange'), 'contract', 'node'],
	'client/journal': [...client('journal', 'nouns', 'exchange', 'files'), 'contract', 'zod', 'node'],
	'client/rentals': [
		...client('rentals', 'journal', 'nouns', 'exchange', 'files'),
		'contract',
		'zod',
		'node',
	],
	client: ['client', 'contract', 'node'],
	'renter/files': renter('files'),
	'renter/text': renter('text'),
	'renter/state': renter('state'),
	'renter/settings': renter('settings', 'files', 'state'),
	'renter/settings/settings.ts': [...renter('settings', 'files'), 'zod'],
	'renter/words': renter('words', 'text'),
	'renter/agents': [...renter('agents', 'alerts', ...low), 'zod'],
	'renter/instance': renter('instance', ...low),
	'renter/connect': renter('connect', 'fleet', ...low),
	'renter/offers': renter('offers', ...low),
	'renter/leases': renter('leases', 'connect', 'instance', 'nouns', ...low),
	'renter/leases/guard-state.ts': [...renter('leases'), 'zod'],
	'renter/fleet': renter('fleet', 'instance', 'leases', 'offers', ...low),
	'renter/actions': renter(
		'actions',
		'fleet',
		'instance',
		'leases',
		'nouns',
		'orders',
		'profiles',
		...low,
	),
	'renter/history': renter('history', 'fleet', 'leases', ...low),
	'renter/nouns': renter('nouns', 'agents', 'alerts', 'fleet', 'instance', ...low),
	'renter/alerts': renter('alerts', 'fleet', 'instance', 'leases', ...low),
	'renter/health': renter('health', 'connect', 'instance', 'leases', 'text'),
	'renter/templates': renter('templates', 'fleet', ...low),
	'renter/orders': renter(
		'orders',
		'connect',
		'fleet',
		'instance',
		'leases',
		'offers',
		'templates',
		...low,
	),
	'renter/profiles': renter('profiles', ...low),
	'renter/training': renter('training', 'fleet', 'instance', 'leases', ...low),
	'console/terminal': ['console/terminal', 'renter/text', 'contract/grammar/harmless-text', 'node'],
	'console/ui': [
		...inside('console', 'ui', 'terminal'),
		...inside('renter', 'text', 'state', 'fleet/fleet-texts', 'settings/default-settings'),
		'react',
		'ink',
		'ink-text-input',
		'ink-select-input',
	],
	'console/services': [
		...inside('console', 'services', 'ui', 'terminal'),
		...consoleBase,
		'@tanstack/react-query',
		'node',
	],
	'console/list': [
		...inside('console', 'list', 'ui', 'services', 'terminal'),
		...consoleBase,
		'ink',
	],
	'console/queries': [
		...inside('console', 'queries', 'list', 'services', 'ui'),
		...consoleBase,
		'@tanstack/react-query',
	],
	'console/screens': [
		...inside('console', 'screens', 'list', 'queries', 'services', 'ui', 'terminal'),
		...consoleBase,
		'ink',
		'@tanstack/react-query',
		'node',
	],
	'console/app': [
		'console',
		...consoleBase,
		'ink',
		'ink-text-input',
		'@tanstack/react-query',
		'node',
	],
	'market/base': ['market/base', 'contract', 'node'],
	'market/database': [
		...inside('market', 'database', 'base'),
		'market/offers/text-rules',
		'market/offers/table-rules',
		'contract',
		'kysely',
		'node',
	],
	'market/database/postgres': ['market/database', 'contract', 'kysely', 'pg', 'node'],
	'market/database/sqlite-dialect.ts': ['kysely', 'node', 'node:sqlite'],
	'market/http': [...inside('market', 'http', 'base', 'database'), 'contract', '@hono', 'node'],
	'market/ledger': [...inside('market', 'ledger', 'base', 'database'), 'contract', 'kysely'],
	'market/bounds': [
		...inside('market', 'bounds', 'ledger', 'base', 'database'),
		'contract',
		'kysely',
	],
	'market/lifecycle': [
		...inside('market', 'lifecycle', 'ledger', 'base', 'database', 'offers/pricing-rules'),
		'market/notifications/notify-renter',
		'contract',
		'kysely',
		'node',
	],
	'market/service': ['market', 'contract', 'hono', '@hono', 'node'],
	market: ['market', 'contract', 'kysely', 'node'],
	host: ['host', 'contract', 'client', 'node'],
	'host/base': [...inside('host', 'base', 'inside', 'relay'), 'client', 'contract', 'node'],
	'host/inside': ['host', 'contract', 'node', '@lydell/node-pty'],
	'host/sandbox': ['host', 'contract', 'node', '@lydell/node-pty'],
	'host/ssh': ['host', 'contract', 'node', 'ssh2'],
	'host/engine': ['host', 'client/files/files', 'contract', 'node', 'undici'],
	'commands/base': ['commands/base', 'client', 'contract', 'renter', 'node'],
	commands: ['commands', 'client', 'contract', 'renter', 'host', 'market', 'node'],
	'commands/mcp': [
		'commands',
		'client',
		'contract',
		'renter',
		'@modelcontextprotocol',
		'@hono/node-server',
		'zod',
		'node',
	],
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

/** Shortens a name that begins as its place does: `client/exchange` is `./exchange` in `client/nouns`. */
function inPlace(place: string) {
	const parent = `${place.split('/')[0]}/`;
	return (name: string) => (name.startsWith(parent) ? `./${name.slice(parent.length)}` : name);
}
