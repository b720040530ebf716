import type {ExitCode} from './failure.ts';

/** What was found: fine, a hint, or something that is broken. */
export type Finding = {
	readonly about: string;
	readonly verdict: 'ok' | 'note' | 'wrong';
	/** What is so: a few words. */
	readonly says: string;
	/** What to do about it. */
	readonly advice?: string | undefined;
	/** @default 1, where it is wrong */
	readonly exitCode?: ExitCode | undefined;
};
