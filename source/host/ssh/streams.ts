/** Leads bytes from one stream into another, no faster than they are taken. */
import type {Readable, Writable} from 'node:stream';
import type {Guard} from './guard.ts';

/** Buffer of each stream: a channel's own would hold two megabytes. */
const MOST_HELD = 256 * 1024;

/** Pipes a stream into another, and discards its data once that cannot be written any more. */
export function lead(source: Readable, sink: Writable, guard: Guard): void {
	const goOn = guard.action(() => {
		if (source.isPaused() && sink.writableLength < MOST_HELD) source.resume();
	});
	const take = guard.action((bytes: Buffer) => {
		if (!sink.writable) return;
		sink.write(bytes, goOn);
		if (sink.writableLength >= MOST_HELD) source.pause();
	});
	source.on('data', take);
	source.resume();
}
