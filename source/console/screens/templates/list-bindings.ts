import type {Bindings} from '../../bindings.ts';
import {columnKeys, movements, type FilterTarget, type ListTarget} from '../../list/bindings.ts';

/** What the keys of a list of templates act on beside those of every list, wherever it is shown. */
export type TemplateTableTarget = {readonly refresh: () => void};

export const templateTableBindings: Bindings<ListTarget & TemplateTableTarget> = [
	{
		keys: ['/'],
		id: 'filter-the-templates',
		title: 'filter the templates',
		hint: 'filter',
		does: 'filter',
	},
	...movements,
	...columnKeys,
	{
		keys: ['R', 'Ctrl-R'],
		id: 'refresh-now',
		title: 'refresh now, and name what could not be read',
		does: 'refresh',
	},
];

/** While a filter hides some of them, one step back shows all. */
export const filteredTemplateBindings: Bindings<ListTarget & TemplateTableTarget> = [
	...templateTableBindings,
	{
		keys: ['Esc'],
		id: 'show-all-templates',
		title: 'show all templates',
		hint: 'show all',
		does: 'back',
	},
];

export const filterLineBindings: Bindings<FilterTarget> = [
	{keys: ['Enter'], id: 'search-for-it', title: 'search for it', hint: 'search', does: 'apply'},
	{
		keys: ['Tab'],
		id: 'complete-the-name-of-the-field',
		title: 'complete the name of the field',
		hint: 'complete',
		does: 'complete',
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-the-filter-as-it-was',
		title: 'leave the filter as it was',
		hint: 'as it was',
		does: 'restore',
	},
];
