/** The packages for npm: the bundle alone, and the same with Node for whoever has an older one. */
import {execFile} from 'node:child_process';
import {cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {platforms} from './platforms.ts';

const root = join(import.meta.dirname, '..', '..');

/** What of the checkout's description holds for whoever only runs rentty. */
const kept = ['version', 'description', 'license', 'type', 'bin', 'man', 'os', 'engines'] as const;

type Described = Readonly<Record<(typeof kept)[number], unknown>> & {
	readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** Writes both packages into a folder, and answers their file names. */
export async function makePackages(folder: string): Promise<readonly string[]> {
	const text = await readFile(join(root, 'package.json'), 'utf8');
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is our own
	const described = JSON.parse(text) as Described;
	const all = Object.entries(described.optionalDependencies);
	const runtimes = new Set(platforms.map(({node}) => node));
	const terminals = all.filter(([name]) => !runtimes.has(name));
	const own = Object.fromEntries(kept.map(field => [field, described[field]]));
	const alone = {name: 'rentty', ...own, optionalDependencies: Object.fromEntries(terminals)};
	const {engines: _, ...anyNode} = own;
	const withNode = {
		name: 'rentty-with-node',
		...anyNode,
		optionalDependencies: Object.fromEntries(all),
	};
	return [await pack(alone, folder), await pack(withNode, folder)];
}

async function pack(described: object, folder: string): Promise<string> {
	const made = await mkdtemp(join(folder, 'npm-'));
	try {
		await mkdir(join(made, 'dist'));
		const bundle = (await readdir(join(root, 'dist'))).filter(name => !name.endsWith('.map'));
		for (const path of [
			'bin',
			'man',
			'README.md',
			'LICENSE',
			'docs/agents.md',
			'docs/skills',
			...bundle.map(name => `dist/${name}`),
		]) {
			await cp(join(root, path), join(made, path), {recursive: true});
		}
		await writeFile(join(made, 'package.json'), `${JSON.stringify(described, undefined, '\t')}\n`);
		const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
		const {stdout} = await promisify(execFile)('npm', words, {cwd: made});
		return stdout.trim();
	} finally {
		await rm(made, {recursive: true});
	}
}
