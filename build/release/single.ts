/** Makes one executable of Node and the bundle, for any platform. */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, mkdtemp, readFile, rename, rm, readdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import {rolldown} from 'rolldown';
import {plainBuiltins} from '../plain-builtins.ts';
import {signMachO} from './sign-mach-o.ts';
import {ownTerminals} from './own-terminals.ts';
import {folderOf} from './platforms.ts';
import type {Platform} from './platforms.ts';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');

/** What says who may replace the program: the key that signs, where releases are, and when its own was made. */
export type Origin = {
	readonly publicKey: string;
	readonly from: string | undefined;
	readonly date?: string;
};

/** Writes the executable of a platform. What is there under its name is replaced at once. */
export async function makeSingle(file: string, target: Platform, origin: Origin): Promise<void> {
	const folder = await mkdtemp(join(dirname(file), 'single-'));
	try {
		const config = join(folder, 'single.json');
		const output = join(folder, 'rentty');
		await bundle('start.ts', join(folder, 'start.cjs'), 'cjs');
		await bundle('terminals.ts', join(folder, 'node-pty.js'), 'esm');
		await writeFile(join(folder, 'origin.json'), JSON.stringify(origin));
		const described = {
			main: join(folder, 'start.cjs'),
			executable: join(await folderOf(target.node), 'bin', 'node'),
			output,
			disableExperimentalSEAWarning: true,
			// The same as bin/rentty gives it, and nothing that the environment adds.
			execArgv: ['--min-semi-space-size=2', '--max-semi-space-size=2', '--v8-pool-size=1'],
			execArgvExtension: 'none',
			assets: await assetsOf(target, folder),
		};
		await writeFile(config, JSON.stringify(described));
		await promisify(execFile)(process.execPath, ['--build-sea', config]);
		if (target.os === 'darwin')
			await writeFile(output, signMachO(await readFile(output), 'rentty'));
		await chmod(output, 0o755);
		await rename(output, file);
	} finally {
		await rm(folder, {recursive: true});
	}
}

async function bundle(entry: string, file: string, format: 'cjs' | 'esm'): Promise<void> {
	const made = await rolldown({
		input: join(import.meta.dirname, entry),
		platform: 'node',
		plugins: [ownTerminals, plainBuiltins],
	});
	await made.write({file, format, minify: true, codeSplitting: false});
	await made.close();
}

/** All files that the program reads of itself, by their names. */
async function assetsOf(target: Platform, folder: string): Promise<Record<string, string>> {
	const names = (await readdir(dist)).filter(name => name.endsWith('.js'));
	const terminals = await folderOf(target.pty);
	const helper = join(terminals, 'spawn-helper');
	const licences = join(folder, 'licences.txt');
	await writeFile(licences, await licencesOfAll(target));
	return {
		...Object.fromEntries(names.map(name => [name, join(dist, name)])),
		'node-pty.js': join(folder, 'node-pty.js'),
		'origin.json': join(folder, 'origin.json'),
		'licences.txt': licences,
		'rentty.1': join(root, 'man', 'rentty.1'),
		'pty.node': join(terminals, 'pty.node'),
		...(existsSync(helper) && {'spawn-helper': helper}),
	};
}

/** The licences of all that is in the executable. */
export async function licencesOfAll(target: Platform): Promise<string> {
	const ofNode = await readFile(join(await folderOf(target.node), 'LICENSE'), 'utf8');
	const own = await readFile(join(root, 'LICENSE'), 'utf8');
	const ofPackages = await readFile(join(dist, 'licences.txt'), 'utf8');
	return [`rentty\n\n${own}`, ofPackages, `Node.js\n\n${ofNode}`].join('\n');
}
