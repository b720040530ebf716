import {PassThrough, Writable} from 'node:stream';
import {expect, test} from 'vitest';
import {openOutput} from '../../source/commands/output.ts';

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
