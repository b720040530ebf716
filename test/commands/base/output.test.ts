import {PassThrough, Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {openOutput, writeRows} from '../../../source/commands/base/output.ts';

function openSink(isTTY: boolean) {
	let text = '';
	const stream = new Writable({
		decodeStrings: false,
		write(data: string, _, done) {
			text += data;
			done();
		},
	});
	const taken = (): string => {
		const written = text;
		text = '';
		return written;
	};
	return {stream: Object.assign(stream, {isTTY}), taken};
}

/** What commands write with, and what has become of it. */
function openStreams(isTTY: boolean) {
	const stdin = Object.assign(new PassThrough(), {isTTY});
	const [out, err] = [openSink(isTTY), openSink(isTTY)];
	const output = openOutput({stdin, stdout: out.stream, stderr: err.stream});
	return {stdin, output, out: out.taken, err: err.taken};
}

const label = 'a\u001B[2J\nb\tc\u{E0041}\u202E';

test.each([false, true])(
	'a label makes no line and no cell of its own, and commands nothing (on a terminal: %s)',
	isTTY => {
		const {output, out, err} = openStreams(isTTY);
		output.line(label, 'more');
		expect(out()).toBe('a�[2J b c��\tmore\n');
		output.say(`rentty: ${label}`);
		expect(err()).toBe('rentty: a�[2J b c��\n');
		output.json({label});
		expect(out()).toBe(String.raw`{"label":"a\u001b[2J\nb\tc\udb40\udc41\u202e"}` + '\n');
	},
);

test("rentty's own text keeps its lines and tabs", () => {
	const {output, out} = openStreams(false);
	output.text('_rentty() {\n\tlocal words\u001B[2J\n}');
	expect(out()).toBe('_rentty() {\n\tlocal words�[2J\n}\n');
});

test('a line of a log is as it was written in a pipe, and harmless on a terminal', () => {
	const line = '\u001B[32mINFO\u001B[m\tstep 7\r';
	const piped = openStreams(false);
	piped.output.log(line);
	expect(piped.out()).toBe(`${line}\n`);
	const shown = openStreams(true);
	shown.output.log(line);
	expect(shown.out()).toBe('�[32mINFO�[m step 7\n');
});

test('a question has nothing in it but what is read', async () => {
	const {stdin, output, err} = openStreams(true);
	const answer = output.ask?.(`Remove ${label}? `, new AbortController().signal);
	stdin.write('yes\n');
	expect(await answer).toBe('yes');
	expect(err()).toContain('Remove a�[2J b c��? ');
});

test('a table that is wider than the terminal cuts its longest texts, and no number', () => {
	const columns = [
		{title: 'ID', isNumber: true, cell: ({id}: {readonly id: string}) => id},
		{title: 'IMAGE', cell: () => 'registry/some/long/image:tag'},
	];
	const lines: string[] = [];
	const line = (text: string) => lines.push(text);
	writeRows({isTerminal: true, line, width: 24}, columns, [{id: '8812519'}]);
	expect(lines).toEqual(['     ID  IMAGE', '8812519  registr…age:tag']);
	lines.length = 0;
	writeRows({isTerminal: true, line, width: 80}, columns, [{id: '8812519'}]);
	expect(lines[1]).toBe('8812519  registry/some/long/image:tag');
});

test('what is under way is on the tab of terminals that show it there, and leaves no trace', () => {
	const stdin = Object.assign(new PassThrough(), {isTTY: true});
	const written = (environment: Readonly<Record<string, string>>) => {
		const [out, err] = [openSink(true), openSink(true)];
		const streams = {stdin, stdout: out.stream, stderr: err.stream};
		const {progress} = openOutput(streams, {environment});
		progress?.('12 %', 12);
		progress?.('still 12 %', 12);
		progress?.('waiting');
		progress?.('');
		progress?.('');
		// oxlint-disable-next-line no-control-regex -- these are the bytes that are compared
		return (err.taken().match(/\u001B\]9;4;[^\u0007]*\u0007/g) ?? []).map(text =>
			text.slice(4, -1),
		);
	};
	const shown = ['4;1;12', '4;3', '4;0'];
	const others = [
		{TERM: 'xterm-256color'},
		{TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'T3LrMSc7UUw9Ts3BFGsSyHNoSxF'},
		{VTE_VERSION: '7600'},
		{WT_SESSION: '1', TMUX: '/tmp/tmux'},
	];
	const able = [
		{WT_SESSION: '1'},
		{TERM_PROGRAM: 'ghostty'},
		{TERM_FEATURES: 'T3LrMSc7UUw9Ts3BFGsSyHNoSxFP'},
		{VTE_VERSION: '8001'},
	];
	expect(able.map(written)).toEqual(able.map(() => shown));
	expect(others.map(written)).toEqual(others.map(() => []));
});
