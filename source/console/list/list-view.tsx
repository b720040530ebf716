/** A list on the screen: its keys, its columns in view, its rows and the rule under them. */
import {type ReactNode, useLayoutEffect, useMemo, type ComponentProps} from 'react';
import type {Bindings} from '../ui/bindings.ts';
import {LineScope, KeyScope} from '../ui/key-scope.tsx';
import type {ScreenProps} from '../services/router.ts';
import {useTime, useServices, useSettings} from '../services/services.tsx';
import {filterBindings, type FilterTarget} from './bindings.ts';
import {listTarget, type Back, type ListTarget} from './list-target.ts';
import {type Column, fitColumns, usualChoice} from './columns.ts';
import type {List} from './list.ts';
import type {ColumnChoice} from '../../renter/settings/default-settings.ts';
import {
	GUTTER,
	listHeading,
	listLines,
	positionRule,
	type RuleTexts,
	titledLines,
} from './lines.ts';
import {Painted} from '../ui/painted.tsx';
import {type Unreadable, noneUnreadable} from '../../contract/grammar/unreadable.ts';
import {fit} from '../../renter/text/text-width.ts';
import {spread} from '../ui/chrome.ts';
import {ruleLine} from '../ui/rules.ts';
import {inHeight, withClicksOf} from '../ui/panes.ts';
import type {Size} from '../terminal/terminal.ts';
import {unreadNotes, unreadNotice, formatFirstError} from './unreadable.ts';
import {derived} from '../../renter/state/store.ts';
import {Notice} from '../ui/notice.tsx';

type ScopeProps<Row, Own> = {
	readonly title: string;
	readonly list: List<Row>;
	/** The columns in view. */
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly bindings: Bindings<ListTarget & NoInfer<Own>>;
	/** Target of the noun's own keys; its words replace those of the list's keys. */
	readonly target: Own;
	/**
	 * Router for Esc when the list has nothing left to undo.
	 * @default none
	 */
	readonly router?: Back;
	readonly isModal?: boolean;
	readonly filterKeys?: Bindings<FilterTarget>;
	readonly children: ReactNode;
};

export function ListScope<Row, Own>(props: ScopeProps<Row, Own>) {
	const {title, list, columns, bindings, router, isModal = false, children} = props;
	const {filterKeys = filterBindings} = props;
	const {now} = useTime();
	const target = {...list, ...listTarget(list, {columns, router, now}), ...props.target};
	return (
		<KeyScope {...{title, bindings, target, isModal}} onHold={list.hold}>
			<LineScope line={list.filter.typed} title="Filter" bindings={filterKeys} target={list.filter}>
				{children}
			</LineScope>
		</KeyScope>
	);
}

/** Loads rows into a list, once they are known. */
export function useRows<Row>(list: List<Row>, rows: readonly Row[] | undefined): void {
	useLayoutEffect(() => {
		if (rows !== undefined) list.load(rows);
	}, [list, rows]);
}

/** The columns that fit into a width, beside the cursor and the marks. */
export function useFitting<Row>(columns: ReadonlyArray<Column<Row>>, width: number) {
	return useMemo(() => fitColumns(columns, width - GUTTER), [columns, width]);
}

/** Columns of a list by the user's settings, and a way to change them for good. */
export function useColumnChoice(list: string) {
	const {settings} = useServices();
	const {columns} = useSettings();
	return {
		choice: columns[list] ?? usualChoice,
		/** The present choice, which a key of the same burst may have changed undrawn. */
		presentChoice: () => settings.get().columns[list] ?? usualChoice,
		setChoice: (choice: ColumnChoice) =>
			settings.change({columns: {...settings.get().columns, [list]: choice}}),
	};
}

type TitledProps<Row> = {
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

export function TitledList<Row extends object>(props: TitledProps<Row>) {
	const {title, note, list, columns, size, unreadable, about} = props;
	const {theme} = useServices();
	const height = Math.max(1, size.rows - LINES_AROUND);
	useLayoutEffect(() => list.resize(height), [list, height]);
	const source = useMemo(() => {
		const rows = titledLines(list, columns, theme, {width: size.columns});
		const rule = positionRule(list, theme, size.columns, {notes: unreadNotes(unreadable)});
		const lines = derived([list.state, list.view], () => [
			theme.style('heading', spread(size.columns, title, note)),
			ruleLine(theme, size.columns),
			...inHeight(rows.get(), height + 1),
			...rule.get(),
			fit(about(list.current()), size.columns),
		]);
		return withClicksOf(lines, rows);
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
			rows: listLines(list, columns, theme, {meaning, width}),
		}),
		[list, columns, theme, meaning, width],
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
	readonly words?: RuleTexts<Row>;
};

/** The rule under a list: marks, held changes, unreadable records, the cursor's position. */
export function ListRule<Row>({list, width, words}: RuleProps<Row>) {
	const {theme} = useServices();
	const source = useMemo(
		() => positionRule(list, theme, width, words),
		[list, theme, width, words],
	);
	return <Painted source={source} height={1} width={width} />;
}

type Props<Row extends object, Own> = Omit<ComponentProps<typeof ListScope<Row, Own>>, 'children'> &
	Pick<ComponentProps<typeof TitledList<Row>>, 'size' | 'about'> & {
		/** Words over the rows, and a note about all of them. */
		readonly heading: string;
		readonly note: (rows: readonly Row[]) => string;
		/** Undefined until they are known. */
		readonly rows: readonly Row[] | undefined;
		readonly unreadable?: Unreadable;
		/** Notice instead of rows if there are none. */
		readonly instead: ReactNode;
		/** Question over the rows. */
		readonly children?: ReactNode;
	};

/** The screen of a noun: its rows under a heading, with the keys of lists and its own. */
export function ListScreen<Row extends object, Own>(props: Props<Row, Own>) {
	const {heading, note, about, rows, unreadable = noneUnreadable, size, ...around} = props;
	const {instead, children, ...scope} = around;
	const {list, columns} = scope;
	useRows(list, rows);
	return (
		<ListScope {...scope}>
			{children}
			{rows === undefined || rows.length === 0 ? (
				instead
			) : (
				<TitledList
					title={heading}
					note={note(rows)}
					{...{about, list, columns, size, unreadable}}
				/>
			)}
		</ListScope>
	);
}

type NoticeProps = Pick<ScreenProps, 'size'> & {
	readonly error: Error | null;
	readonly isFetching: boolean;
	readonly unreadable: Unreadable;
	/** Name of the records in the plural: `machines`. */
	readonly noun: string;
	/** Sentence about a service that has no such list. */
	readonly missing: string;
	/** Title and lines where the list is empty. */
	readonly empty: readonly [title: string, ...lines: readonly string[]];
};

/** Notice instead of a list without rows: loading, failed or empty. */
export function ListNotice({
	error,
	isFetching,
	unreadable,
	noun,
	missing,
	empty,
	size,
}: NoticeProps) {
	const room = {width: size.columns, height: size.rows};
	if (isFetching) return <Notice title={`Asking for ${noun}`} {...room} />;
	if (error !== null) {
		const title = formatFirstError([error], {404: missing});
		return <Notice title={title} lines={['R tries again.']} {...room} />;
	}
	const unread = unreadNotice(unreadable, noun, room.height);
	if (unread !== undefined) return <Notice {...unread} {...room} />;
	const [title, ...lines] = empty;
	return <Notice title={title} lines={lines} {...room} />;
}
