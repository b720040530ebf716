import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createDemultiplexer, plainBytes} from '../../../source/host/engine/exec.ts';

const OUTPUT = 1;
const COMPLAINT = 2;

function frame(channel: number, text: string): Buffer {
	const header = Buffer.alloc(8);
	header[0] = channel;
	header.writeUInt32BE(Buffer.byteLength(text), 4);
	return Buffer.concat([header, Buffer.from(text)]);
}

const stream = Buffer.concat([
	frame(OUTPUT, 'one\n'),
	frame(COMPLAINT, 'no\n'),
	frame(OUTPUT, ''),
	frame(OUTPUT, 'zwölf\n'),
]);

function read(chunks: readonly Buffer[]) {
	const take = createDemultiplexer();
	const said = {output: '', complaint: ''};
	for (const part of chunks.flatMap(take)) said[part.channel] += part.bytes.toString('latin1');
	return said;
}

test('a stream is taken apart the same wherever it is cut', () => {
	const whole = read([stream]);
	expect(whole.complaint).toBe('no\n');
	for (let at = 0; at <= stream.length; at++) {
		expect(read([stream.subarray(0, at), stream.subarray(at)])).toEqual(whole);
	}
	expect(read(Array.from(stream, byte => Buffer.of(byte)))).toEqual(whole);
});

test('what is said comes out in its order, and whole', () => {
	expect(plainBytes(stream).toString('utf8')).toBe('one\nno\nzwölf\n');
});

test('a frame that is cut off says what there is of it', () => {
	expect(plainBytes(stream.subarray(0, stream.length - 3)).toString('utf8')).toBe('one\nno\nzwö');
});

test('nothing that an engine sends makes more of it than it is', () => {
	fc.assert(
		fc.property(fc.array(fc.uint8Array({maxLength: 40}), {maxLength: 8}), chunks => {
			const take = createDemultiplexer();
			const bytes = chunks.flatMap(chunk => take(Buffer.from(chunk)));
			const sent = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
			const out = bytes.reduce((sum, part) => sum + part.bytes.length, 0);
			expect(out).toBeLessThanOrEqual(sent);
		}),
	);
});

test('a frame longer than memory is handed on as it comes', () => {
	const header = Buffer.from([OUTPUT, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
	const take = createDemultiplexer();
	take(header);
	expect(take(Buffer.from('first'))).toEqual([{channel: 'output', bytes: Buffer.from('first')}]);
});
