import {execFile} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {makePackages} from '../../build/release/npm.ts';
import {platforms} from '../../build/release/platforms.ts';
import {isRecord} from '../../source/contract/grammar/json.ts';
import {openFolder} from '../helpers/folder.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const PATIENCE = {timeout: 180_000};

/** Nothing of the project around it, and nothing of the user's. */
function environmentIn(folder: string) {
	const path = [join(folder, 'bin'), join(process.execPath, '..'), '/usr/bin', '/bin'];
	return {
		HOME: folder,
		PATH: path.join(delimiter),
		LANG: 'C',
		npm_config_cache: join(folder, 'npm'),
	};
}

/** What npm makes of a package: its name, and what it fetches with it. */
async function describedIn(file: string) {
	const {stdout} = await run('tar', ['-xzOf', file, 'package/package.json']);
	const described: unknown = JSON.parse(stdout);
	if (!isRecord(described)) throw new Error(`${file} is not described`);
	const {name, engines, dependencies, devDependencies, optionalDependencies, scripts} = described;
	expect([dependencies, devDependencies, scripts]).toEqual([undefined, undefined, undefined]);
	return {name, engines, lists: Object.keys(optionalDependencies ?? {}).toSorted()};
}

test(
	'npm packs one small file, which installs by itself without a network, and starts',
	PATIENCE,
	async () => {
		using folder = openFolder();
		const env = environmentIn(folder.path);
		const npm = async (...args: readonly string[]) =>
			run('npm', args, {cwd: root, env: {...process.env, ...env, PATH: process.env['PATH']}});
		const [alone = '', withNode = ''] = await makePackages(folder.path);
		const file = join(folder.path, alone);
		expect(statSync(file).size).toBeLessThan(1_500_000);
		expect(await describedIn(file)).toEqual({
			name: 'rentty',
			lists: ['@lydell/node-pty'],
			engines: {node: '>=26'},
		});
		const runtimes = platforms.map(({node}) => node);
		expect(await describedIn(join(folder.path, withNode))).toEqual({
			name: 'rentty-with-node',
			lists: ['@lydell/node-pty', ...runtimes].toSorted(),
			engines: undefined,
		});
		const {stdout: list} = await run('tar', ['-tzf', file]);
		const kinds = list
			.trim()
			.split('\n')
			.map(path => path.replace(/^package\//, '').replace(/^dist\/.+\.js$/, 'dist/*.js'));
		expect([...new Set(kinds)].toSorted()).toEqual([
			'LICENSE',
			'README.md',
			'bin/rentty',
			'dist/*.js',
			'dist/licences.txt',
			'docs/agents.md',
			'docs/skills/rentty/SKILL.md',
			'man/rentty.1',
			'package.json',
		]);
		// What others wrote comes with its licence.
		const {stdout: licences} = await run('tar', ['-xzOf', file, 'package/dist/licences.txt']);
		for (const name of ['ink', 'react', 'undici', 'zod', 'hono', 'kysely', 'ssh2']) {
			expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ `, 'm'));
		}
		// What is optional would come over the network: terminals for hosts, and Node itself.
		await npm('install', '-g', '--prefix', folder.path, '--offline', '--omit=optional', file);
		expect(existsSync(join(folder.path, 'share', 'man', 'man1', 'rentty.1'))).toBe(true);
		const rentty = async (...args: readonly string[]) => {
			const {stdout} = await run('rentty', args, {cwd: folder.path, env});
			return stdout;
		};
		expect(await rentty('--version')).toMatch(/^rentty \d+\.\d+\.\d+\n$/);
		expect(await rentty('--help')).toContain('rentty COMMAND [options]');
		expect(await rentty('market', '--help')).toContain('rentty market');
		// The market, its thread and the client: what is not in the package would be missed here.
		const found = await rentty('offers', 'any', '--limit', '3', '--json');
		expect(found.trim().split('\n')).toHaveLength(3);
	},
);

test.each([
	['checkout', 'npm install --include=optional'],
	['node_modules/rentty', 'npm uninstall -g rentty && npm install -g rentty-with-node'],
	['node_modules/rentty-with-node', 'npm install -g --include=optional rentty-with-node'],
])('an older Node, and none at all, are said in one sentence: %s', async (place, remedy) => {
	using folder = openFolder();
	const bin = join(folder.path, 'bin');
	const own = join(folder.path, place);
	mkdirSync(bin);
	mkdirSync(join(own, 'bin'), {recursive: true});
	copyFileSync(join(root, 'bin', 'rentty'), join(own, 'bin', 'rentty'));
	symlinkSync(join(root, 'dist'), join(own, 'dist'));
	const start = async () =>
		run('/bin/sh', [join(own, 'bin', 'rentty'), '--version'], {
			env: {PATH: bin, HOME: folder.path},
		}).catch((error: unknown) => error);
	expect(await start()).toMatchObject({
		code: 1,
		stderr: 'rentty: There is no Node: the single file of a release needs none.\n',
	});
	// It says of itself that it is another one.
	const old = `Object.defineProperty(process.versions, 'node', {value: '20.20.2'});`;
	writeFileSync(join(folder.path, 'old.cjs'), old);
	const node = `#!/bin/sh\nexec ${process.execPath} --require ${join(folder.path, 'old.cjs')} "$@"\n`;
	writeFileSync(join(bin, 'node'), node, {mode: 0o755});
	expect(await start()).toMatchObject({
		code: 1,
		stderr: `rentty: This is Node 20.20.2, and rentty needs 26: ${remedy} brings it along, and the single file of a release needs none.\n`,
	});
});
