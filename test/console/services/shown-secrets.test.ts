import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {RentTestOptions} from '../screens/rent/open-rent.ts';
import {openWithKey} from '../screens/rent/open-with-key.ts';
import {
	clipboardSequence,
	copier,
	openClipboard,
} from '../../../source/console/services/shown-secrets.ts';
import type {Message} from '../../../source/console/ui/message.ts';

test('nothing takes its place: no news, no look at the fleet, no size, no screen, no other key', async () => {
	const due = new Set<() => void>();
	const after: RentTestOptions['after'] = (ms, run) => {
		const start = ms > 0 ? run : () => void setImmediate(run);
		if (ms > 0) due.add(start);
		else start();
		return () => due.delete(start);
	};
	await using rentty = await openWithKey({after});
	await rentty.market.database
		.updateTable('instances')
		.set({actual: 'running', reported: 'running', contact: 'heard'})
		.execute();
	rentty.pass(60_000);
	for (const run of due) run();
	await rentty.sees('Instance 1 is running.');
	expect(await rentty.shown()).toContain(rentty.key);
	await rentty.keys('2R?:a-1rxS/j$');
	expect(await rentty.shown()).toContain(rentty.key);
	rentty.resize(20, 5);
	await rentty.sees('rentty needs 48x14');
	rentty.resize(100, 30);
	const shown = await rentty.sees('KEY OF INSTANCE');
	expect(shown).toContain(rentty.key);
	expect(shown).toContain('w keeps it in a file of yours');
});

test('the key of an instance is on its page until rentty ends, and its own page is left at once', async () => {
	await using rentty = await openWithKey();
	await rentty.keys('\u001B');
	const page = await rentty.sees(/Instances > 1[^]*its key: /);
	expect(page.replaceAll(/\s+/g, '')).toContain(`itskey:${rentty.key}`);
});

test('y copies it without writing it anywhere else, and it can be left at once', async () => {
	await using rentty = await openWithKey();
	await rentty.keys('y');
	const shown = await rentty.sees('Copied through the terminal');
	expect(shown.split(rentty.key)).toHaveLength(2);
	const copied = `\u001B]52;c;${Buffer.from(rentty.key).toString('base64')}\u0007`;
	expect(rentty.written()).toContain(copied);
	// In no title, and in nothing else that outlives the screen.
	const commands = rentty.written().split('\u001B]').slice(1);
	const said = commands.map(command => command.split('\u0007')[0] ?? '');
	expect(said.filter(command => command.includes(rentty.key))).toEqual([]);
	await rentty.keys('\u001B');
	await rentty.sees(/Instances > \d+/);
});

test('w keeps it in a file for its owner alone, under a name that can be edited', async () => {
	await using rentty = await openWithKey();
	await rentty.keys('w');
	await rentty.sees('file> ~/rentty-keys/practice-instance-1_');
	await rentty.keys('-mine', '\r');
	const file = join(rentty.folder, 'rentty-keys', 'practice-instance-1-mine');
	const shown = await rentty.sees('It is kept in');
	expect(shown.replaceAll(/\s+/g, '')).toContain(`${file},whichyoualonecanread.`);
	expect(readFileSync(file, 'utf8')).toBe(`${rentty.key}\n`);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
	await rentty.keys('\r');
	await rentty.sees(/Instances > \d+/);
});

test('a file that is there stays as it is, and another one can be named', async () => {
	await using rentty = await openWithKey();
	const taken = join(rentty.folder, 'rentty-keys', 'practice-instance-1');
	mkdirSync(join(taken, '..'));
	writeFileSync(taken, 'mine');
	await rentty.keys('w');
	await rentty.sees('practice-instance-1-2_');
	await rentty.keys('\u0015', '~/rentty-keys/practice-instance-1', '\r');
	const shown = await rentty.sees('It is not kept in');
	expect(shown.replaceAll(/\s+/g, ' ')).toContain(
		'there is something of that name already, and it is left as it is.',
	);
	expect(shown).toContain(rentty.key);
	expect(readFileSync(taken, 'utf8')).toBe('mine');
	await rentty.keys('\u001B');
	await rentty.sees('y copies it, w keeps it');
});

test('what is pasted names the file, and is no key', async () => {
	await using rentty = await openWithKey();
	rentty.type('\u001B[200~\u001Bqq\u001B[201~');
	await rentty.keys('w', '\u0015');
	await rentty.sees('file> _');
	rentty.type('\u001B[200~~/a\nq\u001B[201~');
	await rentty.sees('file> ~/a q_');
	expect(await rentty.shown()).toContain(rentty.key);
});

test('a text goes to the clipboard as OSC 52, as its terminal wants it', () => {
	// "ssh é" in base64.
	const plain = '\u001B]52;c;c3NoIMOp\u0007';
	expect(clipboardSequence('ssh é', {})).toBe(plain);
	expect(clipboardSequence('ssh é', {TMUX: '/tmp/tmux,1,0'})).toBe(
		`${plain}\u001BPtmux;\u001B${plain}\u001B\\`,
	);
	expect(clipboardSequence('ssh é', {STY: '1.pts'})).toBe(`\u001BP${plain}\u001B\\`);
});

test('screen gets a long text in parts that it takes, and puts together what was sent', () => {
	const text = 'x'.repeat(1000);
	const parts = clipboardSequence(text, {STY: '1.pts'})?.split('\u001B\\').slice(0, -1) ?? [];
	expect(parts.length).toBeGreaterThan(1);
	expect(parts.every(part => part.startsWith('\u001BP') && part.length <= 252)).toBe(true);
	expect(parts.map(part => part.slice(2)).join('')).toBe(clipboardSequence(text, {}));
});

test('what is longer than terminals take is not sent', () => {
	expect(clipboardSequence('x'.repeat(55_000), {})).toBeDefined();
	expect(clipboardSequence('x'.repeat(56_000), {})).toBeUndefined();
});

/** What becomes of a text that is copied. */
function copyOf(text: string, environment: Readonly<Record<string, string>> = {}) {
	const sent: string[] = [];
	const said: Message[] = [];
	const buffers: string[] = [];
	const clipboard = openClipboard({
		environment,
		send: sequence => sent.push(sequence),
		fillTmux: async buffer => void buffers.push(buffer),
	});
	copier(clipboard, message => said.push(message))(text);
	return {sent, said, buffers};
}

test('what is copied is always shown by itself too, since nothing tells whether it arrived', () => {
	const {sent, said, buffers} = copyOf('ssh -p 40112 root@203.0.113.24');
	expect(sent).toHaveLength(1);
	expect(buffers).toEqual([]);
	expect(said).toEqual([
		{
			text: 'Copied through the terminal, which sends no receipt. If paste is empty, select:',
			isError: false,
			below: 'ssh -p 40112 root@203.0.113.24',
		},
	]);
});

test('in tmux its own buffer is filled too', () => {
	expect(copyOf('ls', {TMUX: '/tmp/tmux,1,0'}).buffers).toEqual(['ls']);
});

test('a text that is too long is shown and said not to be copied, and none commands the terminal', () => {
	const {sent, said} = copyOf(`\u001B[2J${'x'.repeat(60_000)}`);
	expect(sent).toEqual([]);
	expect(said[0]?.text).toMatch(/^Not copied: /);
	expect(said[0]?.below).not.toContain('\u001B');
});
