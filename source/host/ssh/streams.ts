/** Leads bytes from one stream into another, no faster than they are taken. */
import type {Readable, Writable} from 'node:stream';
import type {Guard} from './guard.ts';

/** What is held of each stream: those of a channel would hold two megabytes by themselves. */
const MOST_HELD = 256 * 1024;

/** Where nothing can be written any more, what comes is thrown away. */
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
