import {execFile} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {noPostgres} from '../helpers/market/postgres-server.ts';
import {plants} from './plants.ts';
import {notTakenOver} from './takeover/hooks.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Hours of a world: few in a quick run, and more of them in a whole one. */
const hours = String(Math.max(0.05, 0.2 * Number(process.env['TEST_RUNS'] ?? '0.1')));

async function simulate(...words: readonly string[]) {
	const file = 'test/simulation/main.ts';
	const options = {cwd: root, maxBuffer: 2 ** 26};
	const ended = run(process.execPath, [file, ...words], options);
	return ended.then(
		({stdout}) => ({code: 0, said: stdout}),
		(error: {readonly code: number; readonly stdout: string; readonly stderr: string}) => ({
			code: error.code,
			said: error.stdout + error.stderr,
		}),
	);
}

/** Time for whole worlds beside other tests, of which processors decide: alone they take a tenth of it. */
const patient = {timeout: 600_000};

/** Lines of a log; of the last one what the log comes to, since a machine is not always as quick. */
function logOf(said: string): readonly string[] {
	return said
		.split('\n')
		.map(line => (line.startsWith('seed ') ? (line.split(' ').at(-1) ?? '') : line));
}

test('worlds of some seeds keep every rule', patient, async () => {
	const {code, said} = await simulate('--hours', hours, '--seed', '100', '--seeds', '3');
	expect(said).not.toContain('BROKEN');
	expect(said).toMatch(/^twice( +\d+){14}$/m);
	expect(said).toMatch(/^Never tried: /m);
	expect(said).toMatch(/^Never done: /m);
	expect(code).toBe(0);
});

const spin = () => execFile(process.execPath, ['-e', 'for (;;);']);

const shared = ['--postgres', '--hours', '0.01', '--seed', '3', '--log'];

test.skipIf(noPostgres !== undefined)(
	'two markets that share a PostgreSQL keep every rule, and repeat their world to the letter',
	patient,
	async () => {
		const [first, second] = [await simulate(...shared), await simulate(...shared)];
		expect(first.said).toMatch(/ waits for a lock$/m);
		expect(first.said).not.toContain('BROKEN');
		expect(logOf(first.said)).toEqual(logOf(second.said));
	},
);

test('a seed repeats its world to the letter, also beside a busy machine', patient, async () => {
	const one = ['--hours', '0.03', '--seed', '7', '--log'];
	const first = logOf((await simulate(...one)).said);
	const spinning = [spin(), spin()];
	onTestFinished(() => void spinning.map(child => child.kill('SIGKILL')));
	const second = logOf((await simulate(...one)).said);
	expect(first.length).toBeGreaterThan(20);
	expect(first).toEqual(second);
});

/** Where tests have all of their runs: `TEST_RUNS=1 npm test -- test/simulation`. */
const isAll = Number(process.env['TEST_RUNS'] ?? 1) >= 1;
const found = Object.entries(plants).slice(0, isAll ? undefined : 1);

test.for(found)('a world shows that %s', patient, async ([plant, {seed, hours: lasts}]) => {
	const worlds = ['--hours', String(lasts), '--seed', String(seed), '--seeds', '8'];
	const {code, said} = await simulate(...worlds, '--plant', plant);
	expect(said).toContain('BROKEN');
	expect(code).toBe(1);
});

test.skipIf(!isAll)(
	'a world that breaks a rule shrinks to a story of some deeds',
	patient,
	async () => {
		const plant = 'changes are repeated';
		const {seed = 0, hours: lasts = 0} = plants[plant] ?? {};
		const worlds = ['--hours', String(lasts), '--seed', String(seed), '--seeds', '8'];
		const {said} = await simulate(...worlds, '--plant', plant, '--shrink', '80');
		expect(Number(/(\d+) deeds and faults/.exec(said)?.[1])).toBeLessThan(8);
		expect(said).toMatch(/00:\d\d:\d\d p\d: rentty rent [^\n]*\n/);
		expect(said).toMatch(/BROKEN: p\d: the wish p\d-[\d.]+ made \d+ and \d+/);
	},
);

/** Parts of the program that live in a world; screens and runtimes of real machines do not. */
const simulated = ['client', 'commands', 'contract', 'market', 'renter', 'host/simulated'];
/** Modules of doors, databases, devices, certificates and relays that no world opens. */
const outside = ['@lydell/node-pty', 'pg', 'ssh2', 'node:tls', 'node:http2'];

test('all that the program imports from outside is taken over, or has neither time nor chance', () => {
	const files = simulated.flatMap(folder => {
		const at = join(root, 'source', folder);
		const names = readdirSync(at, {recursive: true, encoding: 'utf8'});
		return names.filter(name => name.endsWith('.ts')).map(name => join(at, name));
	});
	const imported = new Set(
		files.flatMap(file =>
			[
				...readFileSync(file, 'utf8').matchAll(
					/^import (?!type )[^;]*? from '(node:[^']+|undici[^']*)'/gm,
				),
			].map(([, name = '']) => name),
		),
	);
	expect(notTakenOver([...imported]).filter(name => !outside.includes(name))).toEqual([]);
});
