/** Has the bundle take what comes with Node as it is, and not as modules. */
import {builtinModules} from 'node:module';
import type {Plugin} from 'rolldown';

const names = builtinModules.map(name => name.replace(/^node:/, '')).join('|');

/** What is imported, and from where; type imports are none. */
const imports = new RegExp(
	String.raw`(^|[;\n])[ \t]*import(?!\s+type\b)\s*((?:[\w$]+|\*\s*as\s+[\w$]+|\{[^{}]*\}|[\s,])+?)\s*from\s*(["'])(?:node:)?(${names})\3;?`,
	'g',
);

/** The same as packages have it that were written before modules. */
const requires = new RegExp(String.raw`\brequire\((["'])(?:node:)?(${names})\1\)`, 'g');

/**
 * Parts of Node that take long to load: they are loaded when one of their functions is called. What
 * has properties, such as those of `child_process` that say how to promise them, is none of these.
 */
const lazy = new Set(['crypto', 'fs/promises', 'net', 'timers/promises']);

/** What these have beside functions. */
const values = new Set(['constants', 'scheduler', 'subtle', 'webcrypto']);

/**
 * Importing a part of Node reads all that it has, and some of that is only made when it is read:
 * `util`, `crypto` and `http` cost 3, 7 and 30 ms more than what is asked of them.
 */
export const plainBuiltins: Plugin = {
	name: 'plain-builtins',
	transform: {
		filter: {id: /\.[cm]?[jt]sx?$/, code: /\bimport\b|\brequire\b/},
		handler(code, id) {
			const plain = code
				.replaceAll(
					imports,
					(_, before: string, wanted: string, __, name: string) =>
						before + declaration(wanted.trim(), name, id),
				)
				.replaceAll(requires, (_, __, name: string) => builtin(name));
			return plain === code ? null : {code: plain, map: null};
		},
	},
};

function builtin(name: string): string {
	return `globalThis.process.getBuiltinModule('node:${name}')`;
}

function declaration(wanted: string, name: string, id: string): string {
	const [, whole = '', parts = ''] =
		/^(?:\*\s*as\s+)?([\w$]*)\s*,?\s*(?:\{([^{}]*)\})?$/.exec(wanted) ?? [];
	if ((whole === '' && parts === '') || /\bdefault\b/.test(parts)) {
		throw new Error(`${id} imports ${name} in a way that is not known: ${wanted}`);
	}
	const named = parts.split(',').flatMap(part => {
		const [imported = '', local = imported] = part.trim().split(/\s+as\s+/);
		return imported === '' ? [] : [constant(imported, local, name)];
	});
	return (
		(whole === '' ? '' : `const ${whole} = /* @__PURE__ */ ${builtin(name)};`) + named.join('')
	);
}

function constant(imported: string, local: string, name: string): string {
	const isFunction = /^[a-z]/.test(imported) && !values.has(imported);
	return lazy.has(name) && isFunction
		? `const ${local} = (...args) => ${builtin(name)}.${imported}(...args);`
		: `const {${imported}: ${local}} = /* @__PURE__ */ ${builtin(name)};`;
}
