import type {Binding} from '../../../bindings.ts';

/** What the keys of logs act on. */
export type LogTarget = {
	readonly scroll: (by: 'line' | 'half' | 'page', step: 1 | -1) => void;
	readonly first: () => void;
	/** To the end, and on with it. */
	readonly follow: () => void;
	readonly find: () => void;
	readonly hit: (step: 1 | -1) => void;
	readonly nothingFound: () => string | undefined;
	readonly wrap: () => void;
	readonly copyLine: () => void;
	readonly openOutside: () => void;
	readonly save: () => void;
	readonly daemon: () => void;
	readonly read: () => void;
	readonly isEmpty: () => boolean;
};

const empty = ({isEmpty}: LogTarget) => (isEmpty() ? 'nothing is logged' : undefined);

export const logBindings: ReadonlyArray<Binding<LogTarget>> = [
	{
		keys: ['j', 'Down'],
		id: 'a-line-down',
		title: 'a line down',
		run: target => target.scroll('line', 1),
	},
	{
		keys: ['k', 'Up'],
		id: 'a-line-up',
		title: 'a line up',
		run: target => target.scroll('line', -1),
	},
	{
		keys: ['Ctrl-D'],
		id: 'half-a-page-down',
		title: 'half a page down',
		run: target => target.scroll('half', 1),
	},
	{
		keys: ['Ctrl-U'],
		id: 'half-a-page-up',
		title: 'half a page up',
		run: target => target.scroll('half', -1),
	},
	{
		keys: ['PgDn', 'Ctrl-F'],
		id: 'a-page-down',
		title: 'a page down',
		run: target => target.scroll('page', 1),
	},
	{keys: ['PgUp'], id: 'a-page-up', title: 'a page up', run: target => target.scroll('page', -1)},
	{keys: ['g', 'Home'], id: 'first-line', title: 'first line', run: target => target.first()},
	{
		keys: ['G', 'End'],
		id: 'to-the-end',
		title: 'to the end, and follow it',
		hint: 'end',
		run: target => target.follow(),
	},
	{keys: ['/'], id: 'search', title: 'search', hint: 'search', run: target => target.find()},
	{
		keys: ['Tab'],
		id: 'next-line-that-was-searched-for',
		title: 'next line that was searched for',
		hint: 'next',
		run: target => target.hit(1),
		unavailable: target => target.nothingFound(),
	},
	{
		keys: ['Shift-Tab'],
		id: 'the-one-before',
		title: 'the one before',
		run: target => target.hit(-1),
		unavailable: target => target.nothingFound(),
	},
	{
		keys: ['w'],
		id: 'break-long-lines',
		title: 'break long lines, or cut them',
		hint: 'wrap',
		run: target => target.wrap(),
	},
	{
		keys: ['y'],
		id: 'copy-the-line-that-was-found',
		title: 'copy the line that was found, else the last one in view',
		hint: 'copy',
		run: target => target.copyLine(),
		unavailable: empty,
	},
	{
		keys: ['Ctrl-E'],
		id: 'open-them-in-pager',
		title: 'open them in $PAGER',
		hint: 'pager',
		run: target => target.openOutside(),
		unavailable: empty,
	},
	{
		keys: [],
		id: 'save-the-logs-to-a-file',
		title: 'save the logs to a file',
		run: target => target.save(),
		unavailable: empty,
	},
	{
		keys: [],
		id: 'logs-of-the-container',
		title: 'logs of the container, or of the machine about it',
		run: target => target.daemon(),
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'read-them-now',
		title: 'read them now',
		run: target => target.read(),
	},
];

/** What the keys of the search act on while it is typed. */
export type FindTarget = {readonly apply: () => void; readonly leave: () => void};

export const findBindings: ReadonlyArray<Binding<FindTarget>> = [
	{keys: ['Enter'], id: 'search', title: 'search', hint: 'search', run: target => target.apply()},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'no-search',
		title: 'no search',
		hint: 'leave',
		run: target => target.leave(),
	},
];
