import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {harmfulIn} from '../helpers/services/harmful-text.ts';
import {openHome, rentty} from '../helpers/commands/home.ts';
import {openPty} from '../helpers/console/pty.ts';

/** What gives a terminal back: pastes, colours, cursor, screen. */
const givenBack = '\u001B[?2004l\u001B[m\u001B[?25h\u001B[?1049l';

test('someone opens rentty, looks at offers and one of them, asks for help, and leaves', async () => {
	using home = openHome();
	await using terminal = home.open();
	await terminal.sees('practice market');
	await terminal.sees('1 of 1,');
	expect(terminal.isAlternate()).toBe(true);
	terminal.type('jj\u001B[B');
	await terminal.sees('4 of 1,');
	terminal.type('\r');
	await terminal.sees('WHAT YOU PAY');
	terminal.type('?');
	await terminal.sees('HELP Offer');
	terminal.type('quit');
	await terminal.sees(/quit[^]*Ctrl-C +quit/);
	terminal.type('\u001B');
	await terminal.sees('WHAT YOU GET');
	terminal.type('q');
	await terminal.sees('4 of 1,');
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
	expect(terminal.isAlternate()).toBe(false);
	expect(terminal.raw().endsWith(givenBack)).toBe(true);
});

test('the practice market keeps its key to its user, and is the same market the next time', async () => {
	using home = openHome();
	const first = async () => {
		await using terminal = home.open();
		const shown = await terminal.sees('1 of 1,');
		terminal.type('q');
		await terminal.ends();
		return /^▌ .*$/m.exec(shown)?.[0];
	};
	const before = await first();
	const key = join(home.folder, 'data', 'rentty', 'practice', 'key');
	expect(statSync(key).mode & 0o777).toBe(0o600);
	expect(
		readFileSync(join(home.folder, 'data', 'rentty', 'practice', 'market.db')).includes(
			readFileSync(key, 'utf8').trim(),
		),
	).toBe(false);
	expect(await first()).toBe(before);
});

test.each([
	['Ctrl-C', (terminal: ReturnType<typeof openPty>) => terminal.type('\u0003'), 0],
	['SIGTERM', (terminal: ReturnType<typeof openPty>) => terminal.kill('SIGTERM'), 143],
	['SIGHUP', (terminal: ReturnType<typeof openPty>) => terminal.kill('SIGHUP'), 129],
])('the terminal is given back on %s', async (_name, end, code) => {
	using home = openHome();
	await using terminal = home.open();
	await terminal.sees('1 of 1,');
	end(terminal);
	expect(await terminal.ends()).toBe(code);
	expect(terminal.raw()).toContain(givenBack);
	expect(terminal.isAlternate()).toBe(false);
});

test('what is typed before the first frame counts: q leaves at once', async () => {
	using home = openHome();
	await using terminal = home.open();
	await expect.poll(terminal.raw).toContain('\u001B[?1049h');
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
	expect(terminal.raw().endsWith(givenBack)).toBe(true);
});

test('Ctrl-Z gives the terminal to the shell, and fg brings the list back', async () => {
	using home = openHome();
	await using shell = openPty('bash', ['--norc', '-i'], {env: {...home.env, PS1: 'shell> '}});
	await shell.sees('shell>');
	shell.type(`${rentty}\r`);
	await shell.sees('1 of 1,');
	shell.type('j\u001A');
	await shell.sees('Stopped');
	expect(shell.isAlternate()).toBe(false);
	shell.type('fg\r');
	await shell.sees('2 of 1,');
	expect(shell.isAlternate()).toBe(true);
	shell.type('q');
	await shell.sees(/shell>$/);
	shell.type('exit\r');
	await shell.ends();
});

test('where its output is not a terminal, rentty prints a table without one escape code', async () => {
	using home = openHome();
	const out = join(home.folder, 'out');
	await using shell = openPty('sh', ['-c', `${rentty} > ${out}; echo ended with $?`], {
		env: home.env,
	});
	await shell.sees('ended with 0');
	const text = readFileSync(out, 'utf8');
	expect(text).toMatch(/^ *ID +GPU +VRAM/);
	expect(text.split('\n').length).toBeGreaterThan(1000);
	expect(text).not.toContain('\u001B');
});

test('a terminal that can do nothing gets the plain table too', async () => {
	using home = openHome();
	await using terminal = openPty('sh', ['-c', `TERM=dumb exec ${rentty}`], {
		columns: 200,
		env: home.env,
	});
	expect(await terminal.ends()).toBe(0);
	expect(terminal.raw()).not.toContain('\u001B');
	expect(terminal.raw()).toMatch(/^ *ID +GPU/);
});

test.each([
	[['--frob\u001B[2J'], /Unknown option '--frob�\[2J'/],
	[['frob\u001B[2J'], /There is no command frob�\[2J\./],
	[['destory', '8'], /There is no command destory\. Did you mean destroy\?/],
	[['market', '--frob\u202E'], /frob�/],
	[['--settings', 'no such\u{E0041}'], /no such� cannot be read/],
])('of the words %j only what can be read is said again', (words, said) => {
	using home = openHome();
	const {stderr, status} = spawnSync(rentty, words, {
		encoding: 'utf8',
		env: {...home.env, PATH: process.env['PATH']},
	});
	expect({stderr, status}).toEqual({stderr: expect.stringMatching(said) as unknown, status: 2});
	expect(harmfulIn(stderr, /\n/g)).toEqual([]);
});

test.each([
	[['completions', 'bash'], /^_rentty\(\)/m],
	[['man'], /^NAME\n +rentty/],
])('%j needs no service, and in a pipe it is text', (words, printed) => {
	using home = openHome();
	const {stdout, stderr, status} = spawnSync(rentty, words, {
		encoding: 'utf8',
		env: {...home.env, PATH: process.env['PATH'], RENTTY_PROFILE: 'nowhere'},
	});
	expect({stdout, stderr, status}).toEqual({
		stdout: expect.stringMatching(printed) as unknown,
		stderr: '',
		status: 0,
	});
});

test('a bad command line is one sentence and exit 2, and changes nothing', async () => {
	using home = openHome();
	await using terminal = openPty(rentty, ['--frobnicate'], {columns: 120, env: home.env});
	expect(await terminal.ends()).toBe(2);
	expect(terminal.screen()).toBe(
		"rentty: Unknown option '--frobnicate'. rentty --help lists what there is.",
	);
	expect(existsSync(join(home.folder, 'data'))).toBe(false);
});

test('a settings file that is not valid is said at once, and the defaults are used', async () => {
	using home = openHome();
	const file = join(home.folder, 'broken.json');
	await using terminal = openPty(
		'sh',
		['-c', `echo '{"diskGb": 2}' > ${file}; exec ${rentty} --settings ${file}`],
		{
			columns: 140,
			env: home.env,
		},
	);
	await terminal.sees('broken.json line 1: "diskGb": expected a number of GB, at least 8');
	await terminal.sees('price incl. 40G disk');
});

test('a practice market whose file is not ours is refused in one sentence, and left as it is', async () => {
	using home = openHome();
	const folder = join(home.folder, 'data', 'rentty', 'practice');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'market.db'), 'my thesis');
	await using terminal = home.open([], {columns: 140});
	await terminal.sees('R tries again');
	expect(terminal.screen()).toContain('market.db');
	expect(readFileSync(join(folder, 'market.db'), 'utf8')).toBe('my thesis');
	rmSync(join(folder, 'market.db'));
	terminal.type('R');
	await terminal.sees('1 of 1,');
});
