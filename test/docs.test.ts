import {existsSync, globSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {
	actionsBindings,
	helpBindings,
	paletteBindings,
} from '../source/console/app/app-bindings.ts';
import {commonOptions, serviceOptions, type Option} from '../source/commands/base/command.ts';
import {exitMeanings} from '../source/commands/base/failure.ts';
import {writeOption} from '../source/commands/base/help-text.ts';
import {readMarketCommand} from '../source/commands/market/options.ts';
import {commands} from '../source/commands/index.ts';
import {tools} from '../source/commands/mcp/server.ts';
import {programs} from '../source/commands/completions.ts';
import {writeKeys, type BindingSet} from '../source/console/ui/bindings.ts';
import {namedSets, bindingName} from '../source/console/app/chosen-keys.ts';
import {writeImportTable} from './helpers/import-table.ts';
import {manPage} from './helpers/commands/man-page.ts';
import {recordSession} from './helpers/console/recorded-session.ts';
import {settingsDocument} from './helpers/settings-docs.ts';

const root = join(import.meta.dirname, '..');

/** Compares a file with what it should say; with `npm run docs` it is made to say it. */
function expectFresh(file: string, text: string): void {
	const path = join(root, file);
	if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(path, text);
	expect(readFileSync(path, 'utf8'), `${file} is stale: npm run docs`).toBe(text);
}

const sets: readonly BindingSet[] = [
	...namedSets,
	{id: 'palette', title: 'Palette', bindings: paletteBindings},
	{id: 'help', title: 'Help', bindings: helpBindings},
	{id: 'actions', title: 'Actions', bindings: actionsBindings},
];

test('docs/key-bindings.md lists every key as it is', () => {
	const tables = sets.map(set => {
		const {title, bindings} = set;
		const rows = bindings.map(binding => {
			const written = binding.keys.map(key => `\`${writeKeys([key])}\``).join(' ');
			return `| ${written} | ${binding.title} | \`${bindingName(set, binding)}\` |`;
		});
		const head = ['| keys | what they do | name in settings |', '|---|---|---|'];
		return [`## ${title}`, '', ...head, ...rows].join('\n');
	});
	const intro =
		'Made from the bindings themselves by `npm run docs`. `?` shows those of the screen one is on. ' +
		'The setting `keys` gives a name other keys: see settings.md.';
	expectFresh('docs/key-bindings.md', `${['# Keys', intro, ...tables].join('\n\n')}\n`);
});

const optionTable = (options: Readonly<Record<string, Option>>) =>
	Object.entries(options).map(([name, option]) => {
		// A bar would end the cell.
		const about = option.about.replaceAll('|', '\\|');
		return `| \`${writeOption(name, option)}\` | ${about} |`;
	});

test('docs/commands.md says of every command what it does and takes', () => {
	const list = [...commands, ...programs].map(
		({name, summary}) => `| \`rentty ${name}\` | ${summary} |`,
	);
	const sections = commands.map(({name, takes, about, options}) => {
		const rows = optionTable(options);
		return [
			`## rentty ${name}`,
			['```text', `rentty ${name} ${takes}`.trimEnd(), '```'].join('\n'),
			about.join('\n'),
			...(rows.length === 0
				? []
				: [['| option | what it does |', '|---|---|', ...rows].join('\n')]),
		].join('\n\n');
	});
	const codes = exitMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |`);
	const intro = readFileSync(join(root, 'docs', 'commands.md'), 'utf8');
	const fresh = [
		['| command | what it does |', '|---|---|', ...list].join('\n'),
		'## Exit codes',
		['| code | what it means |', '|---|---|', ...codes].join('\n'),
		'## For all of them',
		[
			'| option | what it does |',
			'|---|---|',
			...optionTable({...commonOptions, ...serviceOptions}),
		].join('\n'),
		...sections,
	].join('\n\n');
	const [before = ''] = intro.split('<!-- made from the commands -->');
	expectFresh('docs/commands.md', `${before}<!-- made from the commands -->\n\n${fresh}\n`);
});

test('docs/settings.md lists every setting as it is', () => {
	expectFresh('docs/settings.md', settingsDocument());
});

test('man/rentty.1 says what the commands say of themselves', () => {
	const described = readFileSync(join(root, 'package.json'), 'utf8');
	const version = /"version": "([^"]+)"/.exec(described)?.[1] ?? '';
	expectFresh('man/rentty.1', manPage(version));
});

test('the session in the README is what the commands say', async () => {
	const session = await recordSession();
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	const fresh = readme.replace(
		/(<!-- session[^>]*-->\n```text\n)[^]*?(```\n<!-- \/session -->)/,
		(_, before: string, after: string) => `${before}${session}${after}`,
	);
	expect(fresh).toContain(session);
	expectFresh('README.md', fresh);
});

test('the map of the code shows who may import whom as it is held', () => {
	const map = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
	const shown = /(?<=<!-- imports -->\n)[^]*(?=<!-- \/imports -->)/;
	expectFresh('docs/architecture.md', map.replace(shown, `\n${writeImportTable()}\n\n`));
});

test('the README names the port on which a market listens', () => {
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	const [, words = ''] = /\n {4}rentty market (.*)\n/.exec(readme) ?? [];
	const command = readMarketCommand(words.split(' '));
	const {address, port, keyFile} = command === 'help' ? expect.fail() : command;
	const host = `rentty host --market http://${address}:${port} --key-file ${keyFile}`;
	expect(readme).toContain(host);
});

test('the README and the map of the code are short enough to be read', () => {
	const [readme, map] = ['README.md', 'docs/architecture.md'].map(file =>
		readFileSync(join(root, file), 'utf8').split('\n'),
	);
	expect(readme?.length).toBeLessThanOrEqual(120);
	const [begun = 0, ended = 0] = ['<!-- imports -->', '<!-- /imports -->'].map(mark =>
		map?.indexOf(mark),
	);
	// The table of imports is made, and looked up rather than read.
	expect((map?.length ?? 0) - (ended - begun)).toBeLessThanOrEqual(134);
});

test('every file that documents and comments name is there', () => {
	const all = globSync('{source,test,build,bin,docs,man,packaging}/**/*', {cwd: root});
	const texts = [...all, 'README.md', 'CONTRIBUTING.md'].filter(file =>
		/\.(?:tsx?|md)$/.test(file),
	);
	const ends = new Set(
		all.flatMap(file => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
	);
	const lost = texts.flatMap(file => {
		const text = readFileSync(join(root, file), 'utf8');
		const named = [...text.matchAll(/`([\w-]+(?:\/[\w-]+)*\.tsx?)`/g)].map(([, name = '']) => name);
		return named.filter(name => !ends.has(name)).map(name => `${file}: ${name}`);
	});
	expect(lost).toEqual([]);
});

test('every link of the README leads to a file', () => {
	const readme = readFileSync(join(root, 'README.md'), 'utf8');
	const links = [...readme.matchAll(/\]\((?<file>[^)]+)\)/g)].map(
		({groups}) => groups?.['file'] ?? '',
	);
	expect(links.length).toBeGreaterThan(10);
	expect(links.filter(file => !existsSync(join(root, file)))).toEqual([]);
});

test('the skill for agents names tools that there are', () => {
	const skill = readFileSync(join(root, 'docs', 'skills', 'rentty', 'SKILL.md'), 'utf8');
	const named = new Set([...skill.matchAll(/`([a-z]+)`/g)].map(([, name]) => name));
	for (const {name} of tools) expect(named).toContain(name);
	const others = [...named].filter(name => !tools.some(tool => tool.name === name));
	expect(others).toEqual(['running', 'destroy', 'stop', 'gone']);
});
