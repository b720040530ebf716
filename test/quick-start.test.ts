import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {expect, test} from 'vitest';

const source = join(import.meta.dirname, '..', 'source');

/** What a file needs before its first line runs: types and what is loaded later are not part of that. */
function needsOf(file: string): readonly string[] {
	const text = readFileSync(join(source, file), 'utf8');
	const pattern = /^(?:import|export) (?!type\b)(?:[^;']*? from )?'([^']+)';/gm;
	return [...text.matchAll(pattern)].map(([, to = '']) =>
		to.startsWith('.') ? relative(source, join(source, dirname(file), to)) : to,
	);
}

/** All that is loaded with a file, each with how it came to be needed. */
function loadedWith(entry: string): ReadonlyMap<string, string> {
	const paths = new Map([[entry, entry]]);
	for (const [file, path] of paths) {
		if (!existsSync(join(source, file))) continue;
		for (const needed of needsOf(file)) {
			if (!paths.has(needed)) paths.set(needed, `${path} > ${needed}`);
		}
	}
	return paths;
}

const heavy = /^(?:ink|react|zod|undici|hono|kysely|ssh2|@tanstack|@hono|@lydell)(?:$|[/-])/;

test.each([
	['cli.ts', 'the first lines on the screen'],
	['console/app/first-frame.ts', 'the first list on the screen'],
	['commands/dispatch.ts', 'what a shell asks at every Tab'],
])('%s, and so %s, waits for no package', entry => {
	const loaded = [...loadedWith(entry)];
	expect(loaded.length).toBeGreaterThan(20);
	expect(loaded.filter(([file]) => heavy.test(file)).map(([, path]) => path)).toEqual([]);
});
