import {spawn} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {SourceMap} from 'node:module';
import {basename, dirname, join, resolve} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {openHome, rentty} from '../helpers/commands/home.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {makeCertificate, NAME, noOpenSsl, openTls, openTunnels} from '../helpers/services/tls.ts';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');

/** Runs the built program, with a script that is loaded before it. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>, before = '') {
	using home = openHome();
	const script = join(home.folder, 'before.mjs');
	writeFileSync(script, before);
	const child = spawn(rentty, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {PATH: process.env['PATH'], ...home.env, NODE_OPTIONS: `--import=${script}`, ...env},
	});
	const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
	return {out, err};
}

/** Where in the source a place of the bundle is from: the file, and its line. */
function originOf(file: string, line: number, column: number) {
	// oxlint-disable-next-line typescript/no-unsafe-argument -- the bundler wrote it
	const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
	const found = map.findOrigin(line, column);
	if (!('fileName' in found)) throw new Error(`${file}:${line}:${column} is from nowhere`);
	const {fileName, lineNumber} = found;
	const source = resolve(dirname(file), fileName);
	return {source, text: readFileSync(source, 'utf8').split('\n')[lineNumber - 1] ?? ''};
}

const traceReads = `
	import fs from 'node:fs';
	const {readFileSync} = fs;
	fs.readFileSync = (...args) => {
		if (String(args[0]).endsWith('profiles.json')) console.error(new Error('traced').stack);
		return readFileSync(...args);
	};`;

test('a stack trace of the bundle leads to the lines of the source', async () => {
	const {err} = await run(
		['ps'],
		{RENTTY_URL: 'http://127.0.0.1:1', RENTTY_API_KEY: 'k'},
		traceReads,
	);
	const [trace = ''] = err.split('Error: traced\n').slice(1);
	const frames = [...trace.matchAll(/at (?:(\S+) \()?file:\/\/(\S+\/dist\/\S+):(\d+):(\d+)\)?/g)];
	const origins = frames.map(([, , file = '', line, column]) =>
		originOf(file, Number(line), Number(column)),
	);
	expect(origins[0]?.source).toBe(join(root, 'source/renter/profiles/profile-file.ts'));
	expect(origins[0]?.text).toContain('readFileSync(file');
	expect(origins[1]?.text).toMatch(/readIfThere\(/);
	expect(origins.every(({source}) => source.startsWith(`${root}/source/`))).toBe(true);
});

test('what is changed in a package is mapped to the lines that it stands for', () => {
	const file = readdirSync(dist)
		.filter(name => name.endsWith('.js'))
		.map(name => join(dist, name))
		.find(name => readFileSync(name, 'utf8').includes('RGI_Emoji'));
	if (file === undefined) throw new Error('no chunk has string-width');
	const lines = readFileSync(file, 'utf8').split('\n');
	const line = lines.findIndex(one => one.includes('RGI_Emoji'));
	const {source, text: original} = originOf(
		file,
		line + 1,
		(lines[line]?.indexOf('RGI_Emoji') ?? 0) + 1,
	);
	expect(basename(dirname(source))).toBe('string-width');
	expect(original).toContain('RGI_Emoji');
});

test('nothing on the way to the first line loads HTTP, TLS or cryptography', async () => {
	const told = `
		process.on('exit', () => console.error(JSON.stringify(process.moduleLoadList)));`;
	const {out, err} = await run(['--version'], {}, told);
	expect(out).toMatch(/^rentty \S+\n$/);
	const loaded = ['_http_client', 'https', 'tls', 'crypto', 'zlib'].filter(name =>
		err.includes(`"NativeModule ${name}"`),
	);
	expect(loaded).toEqual([]);
});

test('the guard loads no market, no host, no screens and no HTTP/2, and stays small', async () => {
	await using market = await openTestMarket({offers: 3});
	using home = openHome();
	const script = join(home.folder, 'before.mjs');
	writeFileSync(
		script,
		`import {registerHooks} from 'node:module';
		registerHooks({load(url, context, next) { console.error('file ' + url); return next(url, context); }});
		process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));`,
	);
	const child = spawn(rentty, ['guard', 'run', '--every', '1'], {
		stdio: ['ignore', 'ignore', 'pipe'],
		env: {
			PATH: process.env['PATH'],
			...home.env,
			NODE_OPTIONS: `--import=${script}`,
			RENTTY_URL: market.url,
			RENTTY_API_KEY: market.key,
		},
	});
	const err = text(child.stderr);
	const status = () => guardStatus(join(home.env.XDG_STATE_HOME, 'rentty', 'guard.json'));
	await expect.poll(status).toContain('"heardAt"');
	const megabytes = Number(/"rssMb":(\d+)/.exec(status())?.[1]);
	child.kill();
	const loaded = (await err).split('\n');
	const code = loaded
		.filter(line => line.startsWith('file ') && line.endsWith('.js'))
		.map(line => readFileSync(new URL(line.slice('file '.length)), 'utf8'));
	expect(code.length).toBeGreaterThan(5);
	for (const foreign of ['react.', 'create table', 'ssh-userauth']) {
		expect(code.filter(one => one.includes(foreign))).toEqual([]);
	}
	expect(loaded).toContain('NativeModule net');
	expect(loaded).not.toContain('NativeModule http2');
	expect(loaded).not.toContain('NativeModule sqlite');
	expect(megabytes).toBeLessThan(85);
});

function guardStatus(file: string): string {
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

test('every file of the bundle takes what comes with Node as it is', () => {
	expect(existsSync(join(dist, 'cli.js'))).toBe(true);
	const code = readFileSync(join(dist, 'cli.js'), 'utf8');
	expect(code).toContain('getBuiltinModule(`node:fs`)');
	expect(code).not.toMatch(/(?:from|import) ?["'`](?:node:)?(?:fs|path|os|process)["'`]/);
});

test.skipIf(noOpenSsl !== undefined)(
	'the bundle calls a service through the tunnel of a proxy',
	async () => {
		using certificate = makeCertificate();
		await using market = await openTestMarket({offers: 3});
		await using secure = await openTls(market.url, certificate);
		await using proxy = await openTunnels(secure.port);
		const {out, err} = await run(['offers', '--json'], {
			RENTTY_URL: `https://${NAME}`,
			RENTTY_API_KEY: market.key,
			HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
			NODE_EXTRA_CA_CERTS: certificate.file,
		});
		expect(err).toBe('');
		expect(out).toContain('"id":');
		expect(new Set(proxy.asked.map(({url}) => url))).toEqual(new Set([`${NAME}:443`]));
	},
);

test('the first list makes no table of emoji and no segmenter, and fetches nothing', async () => {
	using home = openHome();
	const told = join(home.folder, 'told');
	const script = join(home.folder, 'before.mjs');
	writeFileSync(
		script,
		`import {appendFileSync} from 'node:fs';
		const tell = text => appendFileSync(${JSON.stringify(told)}, text + '\\n');
		const {RegExp: Pattern, fetch: get} = globalThis;
		const {Segmenter} = Intl;
		Intl.Segmenter = class extends Segmenter { constructor(...given) { tell('segmenter'); super(...given); } };
		globalThis.fetch = (...given) => { tell('fetch ' + String(given[0]).slice(0, 20)); return get(...given); };
		globalThis.RegExp = new Proxy(Pattern, {construct(target, given) {
			if (String(given[0]).includes('RGI_Emoji')) tell('emoji');
			return new target(...given);
		}});`,
	);
	await using terminal = home.open([], {env: {NODE_OPTIONS: `--import=${script}`}});
	await terminal.sees(/1 of \d/);
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
	expect(existsSync(told) ? readFileSync(told, 'utf8') : '').toBe('');
	for (const name of readdirSync(dist).filter(file => file.endsWith('.js'))) {
		expect(readFileSync(join(dist, name), 'utf8')).not.toMatch(/\/\^?\\p\{RGI_Emoji\}/);
	}
});
