import type {ListTarget} from '../../list/list-target.ts';
import {
	columnKeys,
	lineKeys,
	movements,
	refreshKey,
	refreshUnreadableTexts,
	type FilterTarget,
} from '../../list/bindings.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {rentTemplateKeys} from '../rent/bindings.ts';
import type {EnvTarget} from './env-state.ts';
import type {TemplateTarget} from './template-actions.tsx';

const actions: Bindings<TemplateTarget> = [
	...rentTemplateKeys,
	{
		keys: ['N'],
		id: 'copy-template',
		title: 'new template from this one',
		hint: 'copy',
		changesService: true,
		run: list => list.copyOf(),
		unavailable: list => list.missing(),
	},
	{
		keys: ['e'],
		id: 'edit-the-template',
		title: 'edit the template',
		hint: 'edit',
		changesService: true,
		run: list => list.edit(),
		unavailable: list => list.notMine(),
	},
	{
		keys: ['x'],
		id: 'delete-template',
		title: 'delete the template; it asks',
		hint: 'delete',
		isChange: true,
		changesService: true,
		run: list => list.remove(),
		unavailable: list => list.notMine(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-its-hash',
		title: 'copy its hash',
		hint: 'copy hash',
		run: list => list.copyHash(),
		unavailable: list => list.noHash(),
	},
	{
		keys: ['L'],
		id: 'set-end',
		title: 'say when what is rented with it ends by itself',
		isChange: true,
		run: list => list.editEnds(),
		unavailable: list => list.noHash(),
	},
	{
		keys: ['b'],
		id: 'bookmark-it',
		title: 'bookmark it: offers are rented with it; again: with none',
		hint: 'usual',
		run: list => list.makeUsual(),
		unavailable: list => list.noHash(),
	},
];

export type TemplateListTarget = TemplateTarget & {readonly open: () => void};

export const templateListBindings: Bindings<TemplateListTarget> = [
	{
		keys: ['Enter', 'd'],
		id: 'view-the-template',
		title: 'view the template',
		hint: 'view',
		run: list => list.open(),
		unavailable: list => list.missing(),
	},
	{
		keys: ['n'],
		id: 'new-template',
		title: 'new template',
		hint: 'new',
		changesService: true,
		run: list => list.create(),
	},
	...actions,
];

export type OneTemplateTarget = TemplateTarget & {
	readonly scroll: (lines: number) => void;
	readonly refresh: () => void;
};

const PAGE = 10;
/** More lines than any template has. */
const ALL = 1_000_000;

export const templateBindings: Bindings<OneTemplateTarget> = [
	...lineKeys(),
	{
		keys: ['PgDn', 'Ctrl-F', 'Ctrl-D'],
		id: 'further',
		title: 'further',
		run: template => template.scroll(PAGE),
	},
	{keys: ['PgUp', 'Ctrl-U'], id: 'back', title: 'back', run: template => template.scroll(-PAGE)},
	{
		keys: ['g', 'Home'],
		id: 'first-line',
		title: 'first line',
		run: template => template.scroll(-ALL),
	},
	{keys: ['G', 'End'], id: 'last-line', title: 'last line', run: template => template.scroll(ALL)},
	...actions,
	refreshKey({hint: 'refresh'}),
];

type PickerTarget = {
	readonly pick: () => void;
	readonly close: () => void;
	readonly missing: () => string | undefined;
};

export const pickerBindings: Bindings<PickerTarget> = [
	{
		keys: ['Enter', 'r'],
		id: 'take-this-template',
		title: 'take this template',
		hint: 'take it',
		run: picker => picker.pick(),
		unavailable: picker => picker.missing(),
	},
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'pick-none',
		title: 'go back without one',
		hint: 'back',
		run: picker => picker.close(),
	},
];

/** The tab's own key would go to its first screen, past the typed text. */
export const templateEditBindings: Bindings<{readonly leave: () => void}> = [
	{
		keys: ['3'],
		id: 'back-to-templates',
		title: 'back to Templates; it asks',
		run: form => form.leave(),
	},
];

type TemplateTableTarget = {readonly refresh: () => void};

export const templateTableBindings: Bindings<ListTarget & TemplateTableTarget> = [
	{
		keys: ['/'],
		id: 'filter-the-templates',
		title: 'filter the templates',
		hint: 'filter',
		run: list => list.filter(),
	},
	...movements,
	...columnKeys,
	refreshKey({title: refreshUnreadableTexts.title}),
];

/** While a filter hides some of them, one step back shows all. */
export const filteredTemplateBindings: Bindings<ListTarget & TemplateTableTarget> = [
	...templateTableBindings,
	{
		keys: ['Esc'],
		id: 'show-all-templates',
		title: 'show all templates',
		hint: 'show all',
		run: list => list.back(),
	},
];

export const filterLineBindings: Bindings<FilterTarget> = [
	{
		keys: ['Enter'],
		id: 'search-for-it',
		title: 'search for it',
		hint: 'search',
		run: filter => filter.apply(),
	},
	{
		keys: ['Tab'],
		id: 'complete-field',
		title: 'complete the name of the field',
		hint: 'complete',
		run: filter => filter.complete(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-filter',
		title: 'leave the filter as it was',
		hint: 'as it was',
		run: filter => filter.restore(),
	},
];

const ALL_ENTRIES = 10_000;

export const envBindings: Bindings<EnvTarget> = [
	{keys: ['j', 'Down', 'Tab'], id: 'down', title: 'down', run: env => env.move(1)},
	{keys: ['k', 'Up', 'Shift-Tab'], id: 'up', title: 'up', run: env => env.move(-1)},
	{keys: ['g', 'Home'], id: 'first', title: 'first', run: env => env.move(-ALL_ENTRIES)},
	{keys: ['G', 'End'], id: 'last', title: 'last', run: env => env.move(ALL_ENTRIES)},
	{
		keys: ['Enter'],
		id: 'edit-the-entry',
		title: 'edit the entry',
		hint: 'edit',
		run: env => env.edit(),
		unavailable: env => env.missing(),
	},
	{
		keys: ['n'],
		id: 'new-entry',
		title: 'new entry: NAME=value or -p 8080:80',
		hint: 'new',
		run: env => env.add(),
	},
	{
		keys: ['x'],
		id: 'remove-the-entry',
		title: 'remove the entry',
		hint: 'remove',
		run: env => env.remove(),
		unavailable: env => env.missing(),
	},
	{
		keys: ['e'],
		id: 'edit-flags',
		title: 'edit all as Docker flags',
		hint: 'as flags',
		run: env => env.editLine(),
	},
	{keys: ['u'], id: 'restore-all', title: 'all as it was', hint: 'undo', run: env => env.restore()},
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'take-entries',
		title: 'back to the form with these',
		hint: 'back',
		run: env => env.done(),
	},
];

type EnvEntryTarget = {readonly apply: () => void; readonly cancel: () => void};

export const envEntryBindings: Bindings<EnvEntryTarget> = [
	{
		keys: ['Enter'],
		id: 'take-text',
		title: 'take what was typed',
		hint: 'take it',
		run: entry => entry.apply(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-unchanged',
		title: 'leave it as it was',
		hint: 'as it was',
		run: entry => entry.cancel(),
	},
];
