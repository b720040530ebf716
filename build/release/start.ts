/** The first code of the single executable: modules come from its assets, and from nowhere else. */
import {createRequire, enableCompileCache, isBuiltin, registerHooks} from 'node:module';
import {join} from 'node:path';
import process from 'node:process';
import {getAsset} from 'node:sea';
import {pathToFileURL} from 'node:url';
import {foldersOf} from '../../source/renter/files/folders.ts';

/** Below the executable, where no file can be. */
const base = `${pathToFileURL(process.execPath).href}/`;

const parts = /^--part=(network-relay|container-relay)$/;
const part = parts.exec(process.argv[2] ?? '')?.[1];
if (part !== undefined) process.argv.splice(2, 1);

/** The module by which CommonJS, which the executable begins with, gets to all others. */
const start = `${base}start`;

const urls: Readonly<Record<string, string>> = {
	'@lydell/node-pty': `${base}node-pty.js`,
	[start]: start,
};

registerHooks({
	resolve(name, {parentURL}, next) {
		if (isBuiltin(name)) return next(name);
		const url =
			urls[name] ?? (parentURL?.startsWith(base) && name.startsWith('./') && base + name.slice(2));
		if (url) return {url, format: 'module', shortCircuit: true};
		throw Object.assign(new Error(`${name} is not a part of rentty.`), {code: 'MODULE_NOT_FOUND'});
	},
	load(url, context, next) {
		if (!url.startsWith(base)) return next(url, context);
		const source =
			url === start
				? `void import('./${part ?? 'cli'}.js')`
				: getAsset(url.slice(base.length), 'utf8');
		return {source, format: 'module', shortCircuit: true};
	},
});

enableCompileCache(join(foldersOf(process.env).cache, 'compiled'));
createRequire(base)(start);
