/** The offers of last time as lines, before anything else of the screen is there. */
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import type {Seen as Kept} from '../../../renter/offers/memory.ts';
import {ruleLine} from '../../ui/chrome.ts';
import {linesOf} from '../../ui/panes.ts';
import {usualChoice} from '../../list/chosen-columns.ts';
import type {Place} from '../../services/router.ts';
import type {Size} from '../../terminal/terminal.ts';
import type {Theme} from '../../ui/theme.ts';
import {queryAt, searchOfWords} from './query-state.ts';
import {LINES_AROUND, listBand, ruleBand, type Seen} from './bands.ts';
import {offerColumns} from './columns.ts';
import {listAt, showAnswer} from './list.ts';
import {questionOf} from './order.ts';
import {paneAt, paneWidth} from './pane.ts';
import {askedLine} from './query/lines.ts';
import {defaultSearch} from './search.ts';
import {shownColumns, unsentIn} from './shown-columns.ts';
import {statusLine} from './status-line.ts';

export type {Seen} from './bands.ts';

type Look = {readonly theme: Theme; readonly size: Size};

/** Puts the offers of last time into the list of a place, and draws all of its screen. */
export function firstLines(
	place: Place,
	{offers, at}: Kept,
	seen: Seen,
	{theme, size}: Look,
): readonly string[] {
	const {settings} = seen;
	const {columns: width} = size;
	const asked = queryAt(place).asked.get();
	const search = searchOfWords(asked, defaultSearch(settings));
	const all = offerColumns(jobOf(settings));
	const list = listAt(place);
	const {table} = list;
	const height = size.rows - LINES_AROUND;
	table.define(all);
	table.resize(height);
	const {order} = search;
	showAnswer(list, {data: offers, question: questionOf(search), order, isOld: true}, false);
	const pane = paneAt(place).get();
	const columns = shownColumns(all, {
		choice: settings.columns['offers'] ?? usualChoice,
		asked: search,
		order: [],
		unsent: unsentIn(offers, all, search),
		width: width - paneWidth(width, pane),
	});
	const query = {
		data: offers,
		unreadable: noneUnreadable,
		dataUpdatedAt: at,
		error: null,
		isFetching: true,
		ordering: 'whole',
		isPaused: false,
		here: [],
	} as const;
	return [
		askedLine(asked, {theme, width, gpus: []}),
		statusLine({asked: {...asked, search}, query, settings}, width),
		ruleLine(theme, width),
		...linesOf([
			listBand(table, seen, {theme, columns, width, height, isOld: true, pane}),
			ruleBand(table, all, {theme, width, unreadable: noneUnreadable}),
		]),
	];
}
