import {useLayoutEffect, useMemo} from 'react';
import {ruleLine, spread} from '../../chrome.ts';
import type {Unreadable} from '../../../contract/unreadable.ts';
import type {Column} from '../../list/columns.ts';
import {linesFrom} from '../../components/line-source.ts';
import {Painted} from '../../components/painted.tsx';
import {inHeight} from '../../components/panes.ts';
import {positionRule, listHeading, listLines} from '../../list/lines.ts';
import type {List} from '../../list/list.ts';
import {useServices} from '../../services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {fit} from '../../../renter/text/text-width.ts';
import {unreadNotes} from '../unreadable.ts';

type Props<Row> = {
	readonly title: string;
	readonly note: string;
	readonly table: List<Row>;
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly size: Size;
	readonly unreadable: Unreadable;
	/** A line about what is under the cursor. */
	readonly about: (row: Row | undefined) => string;
};

/** Title, two rules, the columns' titles and a line at the foot. */
const LINES_AROUND = 5;

/** A list under its title, with a line about what the cursor is on. */
export function ListView<Row extends object>(props: Props<Row>) {
	const {title, note, table, columns, size, unreadable, about} = props;
	const {theme, painter} = useServices();
	const height = Math.max(1, size.rows - LINES_AROUND);
	useLayoutEffect(() => table.resize(height), [table, height]);
	const source = useMemo(() => {
		const heading = listHeading(table, columns, theme);
		const lines = listLines(table, columns, theme);
		const rule = positionRule(table, theme, size.columns, {notes: unreadNotes(unreadable)});
		return linesFrom([table.state, table.view], () => [
			theme.style('heading', spread(size.columns, title, note)),
			ruleLine(theme, size.columns),
			...inHeight([...heading.lines(), ...lines.lines()], height + 1),
			...rule.lines(),
			fit(about(table.current()), size.columns),
		]);
	}, [title, note, table, columns, theme, size, unreadable, height, about]);
	return (
		<Painted painter={painter} source={source} hole={0} width={size.columns} height={size.rows} />
	);
}
