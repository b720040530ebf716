import {expect, test} from 'vitest';
import {clipboardSequence, copier, openClipboard} from '../../../source/console/services/copy.ts';
import type {Message} from '../../../source/console/ui/message.ts';

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
function copied(text: string, environment: Readonly<Record<string, string>> = {}) {
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
	const {sent, said, buffers} = copied('ssh -p 40112 root@203.0.113.24');
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
	expect(copied('ls', {TMUX: '/tmp/tmux,1,0'}).buffers).toEqual(['ls']);
});

test('a text that is too long is shown and said not to be copied, and none commands the terminal', () => {
	const {sent, said} = copied(`\u001B[2J${'x'.repeat(60_000)}`);
	expect(sent).toEqual([]);
	expect(said[0]?.text).toMatch(/^Not copied: /);
	expect(said[0]?.below).not.toContain('\u001B');
});
