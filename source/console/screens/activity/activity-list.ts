/** The list's state stays with its place, so that coming back finds it as it was. */
import {emptyLine} from '../../components/line-edit.ts';
import type {LineEdit} from '../../components/line-edit.ts';
import {createList} from '../../list/list.ts';
import {kept} from '../../router.ts';
import {createStore} from '../../../renter/store.ts';
import {activityColumns} from './columns.ts';
import type {Happening} from './happenings.ts';

export type ActivityFilter = {
	readonly line: LineEdit;
	/** What it was before it was opened; undefined while it is closed. */
	readonly before: LineEdit | undefined;
};

const unfiltered: ActivityFilter = {line: emptyLine, before: undefined};

export const listAt = kept(() => ({
	table: createList<Happening>(activityColumns(120, new Date(0)), ({id}) => id),
	filter: createStore(unfiltered),
}));

export type ActivityList = ReturnType<typeof listAt>;
