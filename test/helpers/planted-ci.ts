/** A small project around the real `.ci/run`, whose npm does what a test says. */
import {spawn} from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {openFolder} from './folder.ts';

const root = join(import.meta.dirname, '..', '..');

/** Config of the project's own tests: no build before them, and a file a process. */
const config = `
export default {test: {
	include: ['test/*.test.ts'],
	reporters: ['default', './test/run/reporter.ts'],
	testTimeout: 0,
	maxWorkers: 4,
}};
`;

export type Planted = {
	/** Files of the project's tests, by their names. */
	readonly tests?: Readonly<Record<string, string>>;
	/** Programs that are found before the machine's, by their names: lines of a shell. */
	readonly programs?: Readonly<Record<string, string>>;
	readonly env?: Readonly<Record<string, string>>;
	/** What `.ci/run` is started by, such as a program that limits it. */
	readonly under?: readonly string[];
};

const nothing = JSON.stringify({passed: 0, failed: 0, skipped: 0, failures: []});

/** Lines that planted tests wrote to `$PLANTED/planted`. */
function linesOf(path: string): readonly string[] {
	return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

/** Runs `.ci/run` in such a project, to its end. */
export async function runPlantedCi({tests = {}, programs = {}, env = {}, under = []}: Planted) {
	using folder = openFolder();
	const at = (...names: readonly string[]) => join(folder.path, ...names);
	cpSync(join(root, '.ci'), at('.ci'), {recursive: true});
	cpSync(join(root, 'test', 'run'), at('test', 'run'), {
		recursive: true,
		filter: path => !path.endsWith('.test.ts'),
	});
	for (const name of ['node_modules', 'source']) symlinkSync(join(root, name), at(name));
	writeFileSync(at('package.json'), '{"type": "module"}');
	writeFileSync(at('vitest.config.ts'), config);
	for (const [name, text] of Object.entries(tests)) writeFileSync(at('test', name), text);
	mkdirSync(at('programs'));
	const npm = `case "$*" in
		test) exec node_modules/.bin/vitest run --passWithNoTests ;;
		"run test:rest") mkdir -p "$TEST_RESULTS" && echo '${nothing}' > "$TEST_RESULTS/result.json" ;;
	esac`;
	for (const [name, lines] of Object.entries({npm, ...programs})) {
		writeFileSync(at('programs', name), `#!/bin/bash\n${lines}\n`);
		chmodSync(at('programs', name), 0o755);
	}
	const [program, ...args] = [...under, 'bash', '.ci/run'];
	const inherited = Object.entries(process.env).filter(
		([name]) => !/^(?:RENTTY_TEST_RUN|VITEST|TEST_|CI_|RENTTY_CI)/.test(name),
	);
	const ci = spawn(program, args, {
		cwd: folder.path,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {
			...Object.fromEntries(inherited),
			TMPDIR: folder.path,
			PLANTED: folder.path,
			PATH: `${at('programs')}:${process.env['PATH']}`,
			...env,
		},
	});
	const parts: string[] = [];
	for (const stream of [ci.stdout, ci.stderr]) stream.on('data', part => parts.push(String(part)));
	const code = await new Promise<number | null>(resolve => void ci.on('close', resolve));
	return {code, output: parts.join(''), planted: linesOf(at('planted'))};
}
