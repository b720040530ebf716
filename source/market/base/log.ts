import {harmlessLine} from '../../contract/grammar/harmless-text.ts';

/** Takes a line for whoever runs the market. */
export type Log = (line: string) => void;

/** Tells the log about somebody, unless the same was told of them within the hour. */
export type Warn = (about: string, text: string, now: number) => void;

const EVERY_SECONDS = 3600;

/** So many are remembered: then the one that was told first is forgotten. */
const MOST_REMEMBERED = 1000;

/** Warnings about other parties, for whoever runs the market: once in an hour, and not at every call. */
export function createWarnings(log: Log): Warn {
	const toldAt = new Map<string, number>();
	return (about, text, now) => {
		if (now - (toldAt.get(about) ?? -Infinity) < EVERY_SECONDS) return;
		toldAt.delete(about);
		toldAt.set(about, now);
		const [oldest] = toldAt.keys();
		if (toldAt.size > MOST_REMEMBERED && oldest !== undefined) toldAt.delete(oldest);
		log(harmlessLine(`${about}: ${text}`));
	};
}
