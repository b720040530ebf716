import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {rolldown, type Plugin} from 'rolldown';
import {expect, test} from 'vitest';
import {importerOf, plainBuiltins} from '../../build/plain-builtins.ts';
import {quickStart} from '../../build/quick-start.ts';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {openFolder} from '../helpers/folder.ts';

/** Bundles files, of which the first is the entry, and answers the code. */
async function bundle(files: Readonly<Record<string, string>>, plugins: readonly Plugin[]) {
	using folder = openFolder();
	for (const [name, code] of Object.entries(files)) {
		mkdirSync(join(folder.path, name, '..'), {recursive: true});
		writeFileSync(join(folder.path, name), code);
	}
	const [entry = ''] = Object.keys(files);
	const built = await rolldown({
		input: join(folder.path, entry),
		platform: 'node',
		plugins: [...plugins],
	});
	try {
		const {output} = await built.generate({format: 'esm'});
		return output[0].code;
	} finally {
		await built.close();
	}
}

/** Runs the code of a module, and answers what it exports. */
async function load(code: string): Promise<Record<string, unknown>> {
	const exported: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
	return isRecord(exported) ? exported : {};
}

test('what comes with Node is taken as it is, however it is imported', async () => {
	const code = await bundle(
		{
			'entry.js': `
				import {join as put, sep} from 'node:path';
				import os, {EOL} from 'os';
				import * as url from 'node:url';
				import old from './old.cjs';
				export const found = [put('a', 'b'), sep, os.EOL === EOL, typeof url.pathToFileURL, old()];`,
			'old.cjs': `
				const {format} = require('util');
				module.exports = () => format('%s', require("node:path").basename('/x/y'));`,
		},
		[plainBuiltins],
	);
	expect(code).not.toMatch(/from ?['"]|__require/);
	expect((await load(code))['found']).toEqual(['a/b', '/', true, 'function', 'y']);
});

test('a text that looks like an import stays as it is', async () => {
	const texts = ["import {join} from 'node:path';", "require('fs')", "\\nimport os from 'os';\\n"];
	const code = await bundle(
		{'entry.js': `export const found = ${JSON.stringify(texts)}; // require('fs')`},
		[plainBuiltins],
	);
	expect((await load(code))['found']).toEqual(texts);
	expect(code).not.toContain('getBuiltinModule');
});

test('names that nobody asks for are not read, and slow parts are loaded when they are called', async () => {
	const code = await bundle(
		{
			'entry.js': `
				import {inspect} from 'node:util';
				import {randomUUID} from 'node:crypto';
				export {inspect, randomUUID};`,
		},
		[plainBuiltins],
	);
	expect(code).not.toMatch(/promisify|parseArgs|createHash/);
	expect(code).toMatch(/\(\.\.\.args\) => globalThis\.process\.getBuiltinModule\("?'?node:crypto/);
});

test('a name that a part of Node does not have fails the build', async () => {
	const files = {'entry.js': "import {joint} from 'node:path'; console.log(joint);"};
	await expect(bundle(files, [plainBuiltins])).rejects.toThrow(/joint/);
});

test('the module of a part of Node is known by the file that it is for', () => {
	expect(importerOf('/a/b.ts')).toBe('/a/b.ts');
	expect(importerOf('\0builtin import-statement node:fs /a/b c.ts as a module')).toBe('/a/b c.ts');
});

test('a package that has changed, or that is gone, fails the build', async () => {
	const changed = {
		'entry.js': "import './node_modules/string-width/index.js';",
		'node_modules/string-width/index.js': 'globalThis.changed = true;',
	};
	await expect(bundle(changed, [quickStart])).rejects.toThrow('does not contain /^[');
	await expect(bundle({'entry.js': ''}, [quickStart])).rejects.toThrow(/nothing is like .*yoga/);
});
