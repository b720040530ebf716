import {harmlessLine} from '../../contract/grammar/harmless-text.ts';

/** Takes a log line for the operator. */
export type Log = (line: string) => void;

/** Logs a warning about a party, unless the same was logged within the hour. */
export type Warn = (about: string, text: string, now: number) => void;

const EVERY_SECONDS = 3600;

/** The most remembered warnings; the oldest is forgotten first. */
const MOST_REMEMBERED = 1000;

/** Warnings about other parties for the operator, once an hour instead of at every call. */
export function createWarnings(log: Log): Warn {
	const warnedAt = new Map<string, number>();
	return (about, text, now) => {
		if (now - (warnedAt.get(about) ?? -Infinity) < EVERY_SECONDS) return;
		warnedAt.delete(about);
		warnedAt.set(about, now);
		const [oldest] = warnedAt.keys();
		if (warnedAt.size > MOST_REMEMBERED && oldest !== undefined) warnedAt.delete(oldest);
		log(harmlessLine(`${about}: ${text}`));
	};
}
