import {useLayoutEffect, useMemo} from 'react';
import type {ColumnChoice} from '../../renter/settings/default-settings.ts';
import {useServices, useSettings} from '../services.tsx';
import {usualChoice} from './chosen-columns.ts';
import {fitColumns, type Column} from './columns.ts';
import {GUTTER} from './lines.ts';
import type {List} from './list.ts';

/** Has a list show some rows, once they are known. */
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
		/** The choice as it is by now: of keys typed together, one may have changed it undrawn. */
		presentChoice: () => settings.get().columns[list] ?? usualChoice,
		setChoice: (choice: ColumnChoice) =>
			settings.change({columns: {...settings.get().columns, [list]: choice}}),
	};
}
