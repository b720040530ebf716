import {useLayoutEffect, useMemo} from 'react';
import {Painted} from '../ui/painted.tsx';
import {useServices} from '../services/services.tsx';
import type {Column} from './columns.ts';
import {listHeading, listLines, positionRule, type RuleWords, titledLines} from './lines.ts';
import type {List} from './list.ts';
import type {Unreadable} from '../../contract/grammar/unreadable.ts';
import {fit} from '../../renter/text/text-width.ts';
import {ruleLine, spread} from '../ui/chrome.ts';
import {inHeight} from '../ui/panes.ts';
import type {Size} from '../terminal/terminal.ts';
import {unreadNotes} from './unreadable.ts';
import {derived} from '../../renter/state/store.ts';

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

type RowsProps<Row> = {
	readonly list: List<Row>;
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly width: number;
	/** Rows in view. */
	readonly height: number;
	/**
	 * Show the titles of the columns.
	 * @default true
	 */
	readonly hasTitles?: boolean;
	readonly meaning?: 'plain' | 'quiet';
};

/** The titles and the rows of a list, painted without React. */
export function ListRows<Row extends object>(props: RowsProps<Row>) {
	const {list, columns, width, height, hasTitles = true, meaning = 'plain'} = props;
	const {theme} = useServices();
	useLayoutEffect(() => list.resize(height), [list, height]);
	const {heading, rows} = useMemo(
		() => ({
			heading: listHeading(list, columns, theme),
			rows: listLines(list, columns, theme, meaning),
		}),
		[list, columns, theme, meaning],
	);
	return (
		<>
			{hasTitles ? <Painted source={heading} height={1} width={width} /> : null}
			<Painted source={rows} height={height} width={width} />
		</>
	);
}

type RuleProps<Row> = {
	readonly list: List<Row>;
	readonly width: number;
	readonly words?: RuleWords<Row>;
};

/** The rule under a list: marks, what is held back, what could not be read, where the cursor is. */
export function ListRule<Row>({list, width, words}: RuleProps<Row>) {
	const {theme} = useServices();
	const source = useMemo(
		() => positionRule(list, theme, width, words),
		[list, theme, width, words],
	);
	return <Painted source={source} height={1} width={width} />;
}
