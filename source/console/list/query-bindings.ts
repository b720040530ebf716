import type {Bindings} from '../bindings.ts';

/** Target of a query line's keys. */
export type QueryLineTarget = {
	readonly apply: () => void;
	readonly leave: () => void;
	readonly recall: (step: 1 | -1) => void;
	readonly complete: (step: 1 | -1) => void;
	/** Moves to a newer line of the history. */
	readonly down: () => void;
};

/** Keys that complete the word at the cursor. */
export const completionKeys: Bindings<Pick<QueryLineTarget, 'complete'>> = [
	{
		keys: ['Tab'],
		id: 'complete-the-word',
		title: 'complete the word, then the next candidate',
		hint: 'complete',
		does: ['complete', 1],
	},
	{
		keys: ['Shift-Tab'],
		id: 'the-candidate-before',
		title: 'the candidate before',
		does: ['complete', -1],
	},
];

/** The keys of the open line of words. */
export const queryLineBindings: Bindings<QueryLineTarget> = [
	{keys: ['Enter'], id: 'use-the-filter', title: 'use the filter', hint: 'use', does: 'apply'},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-it-as-it-was',
		title: 'leave it as it was',
		hint: 'as before',
		does: 'leave',
	},
	...completionKeys,
	{
		keys: ['Up'],
		id: 'the-filter-before',
		title: 'the filter before',
		hint: 'earlier',
		does: ['recall', 1],
	},
	{keys: ['Down'], id: 'the-filter-after', title: 'the filter after', does: 'down'},
];
