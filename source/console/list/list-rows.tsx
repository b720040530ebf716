import {useLayoutEffect, useMemo} from 'react';
import {Painted} from '../components/painted.tsx';
import {useServices} from '../services.tsx';
import type {Column} from './columns.ts';
import {listHeading, listLines, positionRule, type RuleWords} from './lines.ts';
import type {List} from './list.ts';

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
