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
	{keys: ['j', 'Down'], title: 'a line down', run: target => target.scroll('line', 1)},
	{keys: ['k', 'Up'], title: 'a line up', run: target => target.scroll('line', -1)},
	{keys: ['Ctrl-D'], title: 'half a page down', run: target => target.scroll('half', 1)},
	{keys: ['Ctrl-U'], title: 'half a page up', run: target => target.scroll('half', -1)},
	{keys: ['PgDn', 'Ctrl-F'], title: 'a page down', run: target => target.scroll('page', 1)},
	{keys: ['PgUp'], title: 'a page up', run: target => target.scroll('page', -1)},
	{keys: ['g', 'Home'], title: 'first line', run: target => target.first()},
	{
		keys: ['G', 'End'],
		title: 'to the end, and follow it',
		hint: 'end',
		run: target => target.follow(),
	},
	{keys: ['/'], title: 'search', hint: 'search', run: target => target.find()},
	{
		keys: ['Tab'],
		title: 'next line that was searched for',
		hint: 'next',
		run: target => target.hit(1),
		unavailable: target => target.nothingFound(),
	},
	{
		keys: ['Shift-Tab'],
		title: 'the one before',
		run: target => target.hit(-1),
		unavailable: target => target.nothingFound(),
	},
	{keys: ['w'], title: 'break long lines, or cut them', hint: 'wrap', run: target => target.wrap()},
	{
		keys: ['y'],
		title: 'copy the line that was found, else the last one in view',
		hint: 'copy',
		run: target => target.copyLine(),
		unavailable: empty,
	},
	{
		keys: ['Ctrl-E'],
		title: 'open them in $PAGER',
		hint: 'pager',
		run: target => target.openOutside(),
		unavailable: empty,
	},
	{keys: [], title: 'save the logs to a file', run: target => target.save(), unavailable: empty},
	{
		keys: [],
		title: 'logs of the container, or of the machine about it',
		run: target => target.daemon(),
	},
	{keys: ['R', 'Ctrl-R'], title: 'read them now', run: target => target.read()},
];

/** What the keys of the search act on while it is typed. */
export type FindTarget = {readonly apply: () => void; readonly leave: () => void};

export const findBindings: ReadonlyArray<Binding<FindTarget>> = [
	{keys: ['Enter'], title: 'search', hint: 'search', run: target => target.apply()},
	{keys: ['Esc', 'Ctrl-C'], title: 'no search', hint: 'leave', run: target => target.leave()},
];
