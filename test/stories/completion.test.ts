import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openHome, rentty} from '../helpers/commands/home.ts';
import {skipWithout} from '../helpers/missing.ts';

/** What a shell prints, with rentty on its path and nothing of the user's. */
function run(shell: string, args: readonly string[]): string {
	using home = openHome();
	const env = {
		...process.env,
		...home.env,
		PATH: `${join(rentty, '..')}:${process.env['PATH']}`,
		LANG: 'C.UTF-8',
	};
	return execFileSync(shell, args, {env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}

const PATIENCE = {timeout: 180_000};

test.skipIf(skipWithout('bash') !== undefined)(
	'bash completes commands, options and words',
	PATIENCE,
	() => {
		const script = `
		source <(rentty completions bash)
		ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _rentty; echo "\${COMPREPLY[*]}"; }
		ask rentty swe
		ask rentty offers --lim
		ask rentty offers 409
	`;
		expect(run('bash', ['--norc', '-c', script])).toBe('sweep\n--limit\n4090 4090d\n');
	},
);

test.skipIf(skipWithout('zsh') !== undefined)(
	'zsh completes commands, each with what it does',
	PATIENCE,
	() => {
		const script = `
		compdef() { :; }
		_files() { print files; }
		_describe() { print -l -- "\${found[@]}"; }
		source <(rentty completions zsh)
		words=(rentty swe); CURRENT=2; _rentty
		words=(rentty keys add k); CURRENT=4; _rentty
	`;
		expect(run('zsh', ['-f', '-c', script])).toBe(
			'sweep:destroy all that is stuck or dead, in one review\nfiles\n',
		);
	},
);

test.skipIf(skipWithout('fish') !== undefined)(
	'fish completes commands, each with what it does',
	PATIENCE,
	() => {
		const script = 'rentty completions fish | source; complete -C "rentty swe"';
		expect(run('fish', ['--no-config', '-c', script])).toBe(
			'sweep\tdestroy all that is stuck or dead, in one review\n',
		);
	},
);
