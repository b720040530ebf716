/** Has the bundle take what comes with Node as it is, and not as modules. */
import {builtinModules, isBuiltin} from 'node:module';
import process from 'node:process';
import type {Plugin} from 'rolldown';

/**
 * Parts of Node that take long to load: they are loaded when one of their functions is called. What
 * has properties, such as those of `child_process` that say how to promise them, is none of these.
 */
const lazy = new Set(['crypto', 'fs/promises', 'net', 'timers/promises', 'zlib']);

/** What these have beside functions. */
const values = new Set(['constants', 'scheduler', 'subtle', 'webcrypto']);

const names = [...builtinModules, ...builtinModules.map(name => name.replace(/^node:/, ''))];
const any = new RegExp(`^(?:node:)?(?:${names.join('|')})$`);

/** A part of Node as a module, for one file: each has its own, so that it is in the same chunk. */
const prefix = '\0builtin ';
const suffix = ' as a module';
const ours = new RegExp(`^${prefix}(?<kind>\\S+) node:(?<name>\\S+) (?<importer>.*)${suffix}$`);

/** The file that a part of Node was made a module for; any other module itself. */
export function importerOf(id: string): string {
	return ours.exec(id)?.groups?.['importer'] ?? id;
}

/**
 * Importing a part of Node reads all that it has, and some of that is only made when it is read:
 * `util`, `crypto` and `http` cost 3, 7 and 30 ms more than what is asked of them.
 */
export const plainBuiltins: Plugin = {
	name: 'plain-builtins',
	resolveId: {
		filter: {id: any},
		handler(source, importer, {kind}) {
			if (importer === undefined || !isBuiltin(source)) return null;
			const name = source.replace(/^node:/, '');
			// Whoever imports it later gets all of it.
			if (kind === 'dynamic-import') return {id: `node:${name}`, external: true};
			return {id: `${prefix}${kind} node:${name} ${importer}${suffix}`, moduleSideEffects: false};
		},
	},
	load: {
		filter: {id: ours},
		handler(id) {
			const {kind, name = ''} = ours.exec(id)?.groups ?? {};
			const code = kind === 'require-call' ? required(name) : imported(name);
			return {code, map: {mappings: ''}, moduleType: 'js', moduleSideEffects: false};
		},
	},
};

const builtin = (name: string) => `globalThis.process.getBuiltinModule('node:${name}')`;

/** For packages that were written before modules. */
function required(name: string): string {
	return `module.exports = ${builtin(name)};`;
}

/** Each name by itself, so that those that nobody asks for are not read. */
function imported(name: string): string {
	const part: unknown = process.getBuiltinModule(`node:${name}`);
	if (typeof part !== 'object' && typeof part !== 'function') throw new Error(`no node:${name}`);
	const exported = Object.keys(part ?? {}).filter(key => /^[A-Za-z_$][\w$]*$/.test(key));
	return [
		`const all = /* @__PURE__ */ ${builtin(name)};`,
		'export default all;',
		...exported.filter(key => key !== 'default').map(key => constant(key, name)),
	].join('\n');
}

function constant(key: string, name: string): string {
	const isFunction = /^[a-z]/.test(key) && !values.has(key);
	const value =
		lazy.has(name) && isFunction
			? `(...args) => ${builtin(name)}.${key}(...args)`
			: `/* @__PURE__ */ (() => all.${key})()`;
	return `const _${key} = ${value};\nexport {_${key} as ${key}};`;
}
