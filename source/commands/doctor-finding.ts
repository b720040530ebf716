import type {ExitCode} from './failure.ts';

/** Finding: fine, a hint, or a problem. */
export type Finding = {
	readonly about: string;
	readonly verdict: 'ok' | 'note' | 'wrong';
	/** State in a few words. */
	readonly says: string;
	/** Advice on what to do. */
	readonly advice?: string | undefined;
	/** @default 1, where it is wrong */
	readonly exitCode?: ExitCode | undefined;
};
