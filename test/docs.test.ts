import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {actionsBindings, appBindings, helpBindings} from '../source/console/app-bindings.ts';
import {writeKeys} from '../source/console/bindings.ts';
import type {BindingSet} from '../source/console/bindings.ts';
import {screenBindings} from '../source/console/screens/index.ts';
import {openTestConsole} from './helpers/console.ts';
import {openTestMarket} from './helpers/market.ts';

const root = join(import.meta.dirname, '..');

/** Compares a file with what it should say; with `npm run docs` it is made to say it. */
function expectFresh(file: string, text: string): void {
	const path = join(root, file);
	if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(path, text);
	expect(readFileSync(path, 'utf8'), `${file} is stale: npm run docs`).toBe(text);
}

const sets: ReadonlyArray<BindingSet<never>> = [
	{title: 'Everywhere', bindings: appBindings},
	...screenBindings,
	{title: 'Help', bindings: helpBindings},
	{title: 'Actions', bindings: actionsBindings},
];

test('docs/key-bindings.md lists every key as it is', () => {
	const tables = sets.map(({title, bindings}) => {
		const rows = bindings.map(({keys, title: what}) => {
			const written = keys.map(key => `\`${writeKeys([key])}\``).join(' ');
			return `| ${written} | ${what} |`;
		});
		return [`## ${title}`, '', '| keys | what they do |', '|---|---|', ...rows].join('\n');
	});
	const intro =
		'Made from the bindings themselves by `npm run docs`. `?` shows those of the screen one is on.';
	expectFresh('docs/key-bindings.md', `${['# Keys', intro, ...tables].join('\n\n')}\n`);
});

test('the frame in the README is what the console shows', async () => {
	await using market = await openTestMarket({offers: 2000, searchLimit: 10_000});
	await using rentty = openTestConsole({service: market});
	const frame = await rentty.sees('1 of ');
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	const fresh = readme.replace(
		/(<!-- frame[^>]*-->\n```text\n)[^]*?(```\n<!-- \/frame -->)/,
		(_, before: string, after: string) => `${before}${frame}\n${after}`,
	);
	expectFresh('README.md', fresh);
});

test('the README and the map of the code are short enough to be read', () => {
	const [readme, map] = ['README.md', 'docs/architecture.md'].map(file =>
		readFileSync(join(root, file), 'utf8').split('\n'),
	);
	expect(readme?.length).toBeLessThanOrEqual(150);
	expect(map?.length).toBeLessThanOrEqual(160);
});
