/**
 * Imports of the program that reach time, chance, files, connections or other programs, taken over by who
 * imports them: what is written later is taken over as well.
 */
import * as realFiles from 'node:fs';
import {registerHooks} from 'node:module';
import {plants} from '../plants.ts';

const place = (name: string) => new URL(name, import.meta.url).href;

/** Modules that are taken over, by what the program imports. */
const modules: Readonly<Record<string, string>> = {
	'node:fs': 'disk.ts?files',
	'node:fs/promises': 'disk.ts?promises',
	'node:timers/promises': 'modules/timers-promises.ts',
	'node:crypto': 'modules/crypto.ts',
	'node:process': 'modules/process.ts',
	'node:os': 'modules/os.ts',
	'node:dns/promises': 'modules/dns.ts',
	'node:http': 'http.ts',
	'node:https': 'modules/https.ts',
	'node:child_process': 'modules/child-process.ts',
	'node:sqlite': 'modules/database.ts',
	pg: 'postgres.ts',
	'@hono/node-server': 'http.ts',
	undici: 'undici.ts',
	'undici/lib/api/api-request.js': 'undici.ts',
	'undici/lib/dispatcher/env-http-proxy-agent.js': 'undici.ts',
};

/** Modules without time, chance or anything outside of the process. */
export const harmless: ReadonlySet<string> = new Set([
	'node:path',
	'node:util',
	'node:events',
	'node:stream',
	'node:string_decoder',
	'node:buffer',
	'node:module',
	'node:net',
	'node:zlib',
	'node:v8',
	'node:readline',
	'node:readline/promises',
	'node:diagnostics_channel',
]);

/** Names that a module of files has: of calls, those that are done at once, or by promises. */
const names = {
	files: Object.keys(realFiles).filter(name => /Sync$|^constants$|[wW]atch/.test(name)),
	promises: Object.keys(realFiles.promises).filter(name => /^[a-z]\w+$/.test(name)),
};

/** Source of a module that stands for one of files. */
function filesSource(url: string): string | undefined {
	const [, from, what] = /^(.*\/disk\.ts)\?(files|promises)$/.exec(url) ?? [];
	if (what !== 'files' && what !== 'promises') return undefined;
	return `import {${what}} from '${from}'; export const {${names[what].join(', ')}} = ${what};`;
}

/** @param plant Name of a fault that is put into the program, to see that it is found */
export function takeOverImports(plant?: string): void {
	const faults = plant === undefined ? [] : plants[plant]?.faults;
	if (faults === undefined) throw new Error(`plants are ${Object.keys(plants).join(', ')}`);
	registerHooks({
		load(url, context, next) {
			const made = filesSource(url);
			if (made !== undefined) return {format: 'module', source: made, shortCircuit: true};
			const loaded = next(url, context);
			const planted = faults.filter(({file}) => url.endsWith(`/source/${file}`));
			if (planted.length === 0) return loaded;
			let source =
				typeof loaded.source === 'string'
					? loaded.source
					: new TextDecoder().decode(loaded.source ?? undefined);
			for (const {from, to} of planted) {
				if (!source.includes(from)) throw new Error(`${url} has no ${from}`);
				source = source.replace(from, to);
			}
			return {...loaded, source};
		},
		resolve(specifier, context, next) {
			const isOurs = context.parentURL?.includes('/source/') === true;
			if (isOurs && specifier === 'kysely' && context.parentURL?.endsWith('sqlite-dialect.ts')) {
				return {url: place('modules/kysely.ts'), shortCircuit: true};
			}
			const name = isOurs ? modules[specifier] : undefined;
			if (name === undefined) return next(specifier, context);
			return {url: place(name), shortCircuit: true};
		},
	});
}

/** Modules of Node and packages that the program imports and a world does not take over. */
export function notTakenOver(imported: readonly string[]): readonly string[] {
	return imported.filter(name => !(name in modules) && !harmless.has(name));
}
