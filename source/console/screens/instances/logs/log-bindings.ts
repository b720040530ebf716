import type {Bindings} from '../../../ui/bindings.ts';

/** Key methods of logs. */
export type LogTarget = {
	readonly scroll: (by: 'line' | 'half' | 'page', step: 1 | -1) => void;
	readonly first: () => void;
	/** Goes to the end, and follows it. */
	readonly follow: () => void;
	readonly find: () => void;
	/** Opens the words that lines must have. */
	readonly narrow: () => void;
	readonly hit: (step: 1 | -1) => void;
	readonly nothingFound: () => string | undefined;
	readonly wrap: () => void;
	readonly copyLine: () => void;
	readonly openOutside: () => void;
	readonly save: () => void;
	readonly daemon: () => void;
	readonly read: () => void;
	readonly nothingLogged: () => string | undefined;
};

export const logBindings: Bindings<LogTarget> = [
	{keys: ['j', 'Down'], id: 'a-line-down', title: 'a line down', does: ['scroll', 'line', 1]},
	{keys: ['k', 'Up'], id: 'a-line-up', title: 'a line up', does: ['scroll', 'line', -1]},
	{
		keys: ['Ctrl-D'],
		id: 'half-a-page-down',
		title: 'half a page down',
		does: ['scroll', 'half', 1],
	},
	{keys: ['Ctrl-U'], id: 'half-a-page-up', title: 'half a page up', does: ['scroll', 'half', -1]},
	{keys: ['PgDn', 'Ctrl-F'], id: 'a-page-down', title: 'a page down', does: ['scroll', 'page', 1]},
	{keys: ['PgUp'], id: 'a-page-up', title: 'a page up', does: ['scroll', 'page', -1]},
	{keys: ['g', 'Home'], id: 'first-line', title: 'first line', does: 'first'},
	{
		keys: ['G', 'End'],
		id: 'to-the-end',
		title: 'to the end, and follow it',
		hint: 'end',
		does: 'follow',
	},
	{keys: ['/'], id: 'search', title: 'search', hint: 'search', does: 'find'},
	{
		keys: ['&'],
		id: 'only-lines-with-words',
		title: 'only lines with some words, or with ! without them',
		hint: 'only',
		does: 'narrow',
	},
	{
		keys: ['Tab'],
		id: 'next-line-that-was-searched-for',
		title: 'next line that was searched for',
		hint: 'next',
		does: ['hit', 1],
		unavailable: 'nothingFound',
	},
	{
		keys: ['Shift-Tab'],
		id: 'the-one-before',
		title: 'the one before',
		does: ['hit', -1],
		unavailable: 'nothingFound',
	},
	{
		keys: ['w'],
		id: 'break-long-lines',
		title: 'break long lines, or cut them',
		hint: 'wrap',
		does: 'wrap',
	},
	{
		keys: ['y'],
		id: 'copy-the-line-that-was-found',
		title: 'copy the line that was found, else the last one in view',
		hint: 'copy',
		does: 'copyLine',
		unavailable: 'nothingLogged',
	},
	{
		keys: ['Ctrl-E'],
		id: 'open-them-in-pager',
		title: 'open them in $PAGER',
		hint: 'pager',
		does: 'openOutside',
		unavailable: 'nothingLogged',
	},
	{
		keys: [],
		id: 'save-the-logs-to-a-file',
		title: 'save the logs to a file',
		does: 'save',
		unavailable: 'nothingLogged',
	},
	{
		keys: [],
		id: 'logs-of-the-container',
		title: 'logs of the container, or of the machine about it',
		does: 'daemon',
	},
	{keys: ['R', 'Ctrl-R'], id: 'read-them-now', title: 'read them now', does: 'read'},
];

/** Key methods while a search is typed. */
type FindTarget = {readonly apply: () => void; readonly leave: () => void};

export const findBindings: Bindings<FindTarget> = [
	{keys: ['Enter'], id: 'search', title: 'search', hint: 'search', does: 'apply'},
	{keys: ['Esc', 'Ctrl-C'], id: 'no-search', title: 'no search', hint: 'leave', does: 'leave'},
];

/** The keys of the filter while it is typed. */
export const narrowBindings: Bindings<FindTarget> = [
	{keys: ['Enter'], id: 'use-it', title: 'show only these lines', hint: 'use', does: 'apply'},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'all-lines',
		title: 'show all lines',
		hint: 'all lines',
		does: 'leave',
	},
];

/** Keys of lines that are not read again. */
export const outputBindings: Bindings<LogTarget> = logBindings.filter(
	({does}) => does !== 'daemon' && does !== 'read',
);
