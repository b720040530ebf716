import type {Bindings} from '../../../ui/bindings.ts';

export type UsageTarget = {
	readonly read: (step: 1 | -1) => void;
	readonly first: () => void;
	/** Goes to the end, and follows it. */
	readonly follow: () => void;
	readonly span: (step: 1 | -1) => void;
	readonly metric: (step: 1 | -1) => void;
	readonly zoom: () => void;
	readonly isSingle: () => string | undefined;
	readonly numbers: () => void;
	readonly scroll: (step: 1 | -1) => void;
	readonly refresh: () => void;
};

export const usageBindings: Bindings<UsageTarget> = [
	{
		keys: ['<', 'Left'],
		id: 'values-before',
		title: 'read the values before: the cursor stays at its time',
		hint: 'read',
		run: usage => usage.read(-1),
	},
	{
		keys: ['>', 'Right'],
		id: 'values-after',
		title: 'read the values after',
		run: usage => usage.read(1),
	},
	{
		keys: [','],
		id: 'a-longer-span',
		title: 'a longer span',
		hint: 'longer',
		run: usage => usage.span(1),
	},
	{
		keys: ['.'],
		id: 'a-shorter-span',
		title: 'a shorter span',
		hint: 'shorter',
		run: usage => usage.span(-1),
	},
	{
		keys: ['Tab'],
		id: 'next-figure',
		title: 'use, memory, heat or power of the GPUs',
		hint: 'util mem heat power',
		run: usage => usage.metric(1),
	},
	{
		keys: ['Shift-Tab'],
		id: 'figure-before',
		title: 'the figure before',
		run: usage => usage.metric(-1),
	},
	{
		keys: ['z'],
		id: 'one-gpu',
		title: 'all figures of one GPU, then of the next, then all GPUs again',
		hint: 'one GPU',
		run: usage => usage.zoom(),
		unavailable: usage => usage.isSingle(),
	},
	{
		keys: ['#'],
		id: 'as-numbers',
		title: 'the same as numbers, or as a graph again',
		hint: 'numbers',
		run: usage => usage.numbers(),
	},
	{
		keys: ['j', 'Down', 'PgDn'],
		id: 'further-down',
		title: 'further down',
		run: usage => usage.scroll(1),
	},
	{
		keys: ['k', 'Up', 'PgUp'],
		id: 'further-up',
		title: 'further up',
		run: usage => usage.scroll(-1),
	},
	{keys: ['g', 'Home'], id: 'first-values', title: 'the first values', run: usage => usage.first()},
	{
		keys: ['G', 'End'],
		id: 'follow-the-present',
		title: 'to the present, and follow it',
		run: usage => usage.follow(),
	},
	{keys: ['R', 'Ctrl-R'], id: 'look-now', title: 'refresh now', run: usage => usage.refresh()},
];
