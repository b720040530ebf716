/** Lines that somebody types, one after the other, whoever waits for the next one. */
import {createInterface} from 'node:readline';

export type Lines = {
	/** The next line; undefined where there are no more. */
	readonly next: (signal?: AbortSignal) => Promise<string | undefined>;
	/** Leaves what is typed to another program until what it returns is called. */
	readonly lend: () => () => void;
	readonly close: () => void;
};

/** Reads lines as the terminal gives them: it is the terminal that shows and edits what is typed. */
export function openLines(input: NodeJS.ReadableStream): Lines {
	const reader = createInterface({input, terminal: false});
	const typed: string[] = [];
	let waiting: ((line: string | undefined) => void) | undefined;
	let hasEnded = false;

	function tell(line: string | undefined): void {
		waiting?.(line);
		waiting = undefined;
	}
	reader.on('line', line => {
		if (waiting === undefined) typed.push(line);
		else tell(line);
	});
	reader.on('close', () => {
		hasEnded = true;
		tell(undefined);
	});
	return {
		async next(signal) {
			const line = typed.shift();
			if (line !== undefined || hasEnded) return line;
			return new Promise((resolve, reject) => {
				const stop = (): void => {
					waiting = undefined;
					reject(signal?.reason instanceof Error ? signal.reason : new Error('It was ended.'));
				};
				signal?.addEventListener('abort', stop, {once: true});
				waiting = found => {
					signal?.removeEventListener('abort', stop);
					resolve(found);
				};
			});
		},
		lend() {
			reader.pause();
			return () => void reader.resume();
		},
		close: () => reader.close(),
	};
}
