import {spawnSync} from 'node:child_process';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openHome, rentty} from '../helpers/commands/home.ts';

/** Types lines into rentty, and hears what it says until they end. */
function talk(args: readonly string[], env: Readonly<Record<string, string>>, ...lines: string[]) {
	using home = openHome();
	return spawnSync(rentty, args, {
		input: lines.map(line => `${line}\n`).join(''),
		encoding: 'utf8',
		env: {...home.env, PATH: process.env['PATH'], ...env},
	});
}

test.each([
	['--screen-reader', {}],
	['RENTTY_SCREEN_READER=1', {RENTTY_SCREEN_READER: '1'}],
	['INK_SCREEN_READER=true', {INK_SCREEN_READER: 'true'}],
])('with %s rentty is a conversation in plain lines', (how, env) => {
	const args = how.startsWith('--') ? [how] : [];
	const {stdout, stderr, status} = talk(args, env, 'ps', 'offers 4090 --limit 2', 'quit');
	expect({stderr, status}).toEqual({stderr: '', status: 0});
	const said = stdout.split('\n');
	expect(said[0]).toBe(
		'rentty on practice. Type help and Enter for what can be said, quit to leave.',
	);
	expect(said.filter(line => /^id \d+, gpus \d+x RTX 4090, vram 24G, /.test(line))).toHaveLength(2);
	expect(stdout).not.toContain('\u001B');
});
