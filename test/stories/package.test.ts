import {execFile} from 'node:child_process';
import {existsSync, statSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {openFolder} from '../helpers/market-process.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const PATIENCE = {timeout: 120_000};

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

test(
	'npm packs one small file, which installs by itself without a network, and starts',
	PATIENCE,
	async () => {
		using folder = openFolder();
		const env = environmentIn(folder.path);
		const npm = async (...args: readonly string[]) =>
			run('npm', args, {cwd: root, env: {...process.env, ...env, PATH: process.env['PATH']}});
		const {stdout: packed} = await npm('pack', '--silent', '--pack-destination', folder.path);
		const file = join(folder.path, packed.trim());
		expect(statSync(file).size).toBeLessThan(3_000_000);
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
