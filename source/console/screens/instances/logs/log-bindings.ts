import type {Bindings} from '../../../ui/bindings.ts';
import type {LogTarget} from './log-target.ts';

/** Keys of lines that are not read again. */
export const outputBindings: Bindings<LogTarget> = [
	{keys: ['j', 'Down'], id: 'a-line-down', title: 'a line down', run: log => log.scroll('line', 1)},
	{keys: ['k', 'Up'], id: 'a-line-up', title: 'a line up', run: log => log.scroll('line', -1)},
	{
		keys: ['Ctrl-D'],
		id: 'half-page-down',
		title: 'half a page down',
		run: log => log.scroll('half', 1),
	},
	{
		keys: ['Ctrl-U'],
		id: 'half-page-up',
		title: 'half a page up',
		run: log => log.scroll('half', -1),
	},
	{
		keys: ['PgDn', 'Ctrl-F'],
		id: 'a-page-down',
		title: 'a page down',
		run: log => log.scroll('page', 1),
	},
	{keys: ['PgUp'], id: 'a-page-up', title: 'a page up', run: log => log.scroll('page', -1)},
	{keys: ['g', 'Home'], id: 'first-line', title: 'first line', run: log => log.first()},
	{
		keys: ['G', 'End'],
		id: 'to-the-end',
		title: 'to the end, and follow it',
		hint: 'end',
		run: log => log.follow(),
	},
	{keys: ['/'], id: 'search', title: 'search', hint: 'search', run: log => log.find()},
	{
		keys: ['&'],
		id: 'narrow-lines',
		title: 'only lines with some words, or with ! without them',
		hint: 'only',
		run: log => log.narrow(),
	},
	{
		keys: ['Tab'],
		id: 'next-hit',
		title: 'next line that was searched for',
		hint: 'next',
		run: log => log.hit(1),
		unavailable: log => log.nothingFound(),
	},
	{
		keys: ['Shift-Tab'],
		id: 'the-one-before',
		title: 'the one before',
		run: log => log.hit(-1),
		unavailable: log => log.nothingFound(),
	},
	{
		keys: ['w'],
		id: 'break-long-lines',
		title: 'break long lines, or cut them',
		hint: 'wrap',
		run: log => log.wrap(),
	},
	{
		keys: ['y'],
		id: 'copy-line',
		title: 'copy the line that was found, else the last one in view',
		hint: 'copy',
		run: log => log.copyLine(),
		unavailable: log => log.nothingLogged(),
	},
	{
		keys: ['Ctrl-E'],
		id: 'open-pager',
		title: 'open them in $PAGER',
		hint: 'pager',
		run: log => log.openOutside(),
		unavailable: log => log.nothingLogged(),
	},
	{
		keys: [],
		id: 'save-logs',
		title: 'save the logs to a file',
		run: log => log.save(),
		unavailable: log => log.nothingLogged(),
	},
];

export const logBindings: Bindings<LogTarget> = [
	...outputBindings,
	{
		keys: [],
		id: 'container-logs',
		title: 'logs of the container, or of the machine about it',
		run: log => log.daemon(),
	},
	{keys: ['R', 'Ctrl-R'], id: 'read-them-now', title: 'read them now', run: log => log.read()},
];

type FindTarget = {readonly apply: () => void; readonly leave: () => void};

export const findBindings: Bindings<FindTarget> = [
	{keys: ['Enter'], id: 'search', title: 'search', hint: 'search', run: search => search.apply()},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'no-search',
		title: 'no search',
		hint: 'leave',
		run: search => search.leave(),
	},
];

/** The keys of the filter while it is typed. */
export const narrowBindings: Bindings<FindTarget> = [
	{
		keys: ['Enter'],
		id: 'use-it',
		title: 'show only these lines',
		hint: 'use',
		run: filter => filter.apply(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'all-lines',
		title: 'show all lines',
		hint: 'all lines',
		run: filter => filter.leave(),
	},
];
