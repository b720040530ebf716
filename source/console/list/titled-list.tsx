import {useLayoutEffect, useMemo} from 'react';
import type {Unreadable} from '../../contract/unreadable.ts';
import {fit} from '../../renter/text/text-width.ts';
import {ruleLine, spread} from '../chrome.ts';
import {Painted} from '../components/painted.tsx';
import {inHeight} from '../components/panes.ts';
import {useServices} from '../services.tsx';
import type {Size} from '../terminal/terminal.ts';
import type {Column} from './columns.ts';
import {positionRule, titledLines} from './lines.ts';
import type {List} from './list.ts';
import {unreadNotes} from './unreadable.ts';
import {derived} from '../../renter/store.ts';

type Props<Row> = {
	readonly title: string;
	readonly note: string;
	readonly list: List<Row>;
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly size: Size;
	readonly unreadable: Unreadable;
	/** A line about the row under the cursor. */
	readonly about: (row: Row | undefined) => string;
};

/** Title, two rules, the columns' titles and a line at the foot. */
const LINES_AROUND = 5;

/** A list under its title, with a line about the row under the cursor. */
export function TitledList<Row extends object>(props: Props<Row>) {
	const {title, note, list, columns, size, unreadable, about} = props;
	const {theme} = useServices();
	const height = Math.max(1, size.rows - LINES_AROUND);
	useLayoutEffect(() => list.resize(height), [list, height]);
	const source = useMemo(() => {
		const rows = titledLines(list, columns, theme);
		const rule = positionRule(list, theme, size.columns, {notes: unreadNotes(unreadable)});
		return derived([list.state, list.view], () => [
			theme.style('heading', spread(size.columns, title, note)),
			ruleLine(theme, size.columns),
			...inHeight(rows.get(), height + 1),
			...rule.get(),
			fit(about(list.current()), size.columns),
		]);
	}, [title, note, list, columns, theme, size, unreadable, height, about]);
	return <Painted source={source} width={size.columns} height={size.rows} />;
}
