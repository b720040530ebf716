import {type ReactNode, useLayoutEffect, useMemo} from 'react';
import type {Bindings} from '../ui/bindings.ts';
import {LineScope} from '../ui/typing.tsx';
import {KeyScope} from '../ui/key-scope.tsx';
import type {Router} from '../services/router.ts';
import {useTime, useServices, useSettings} from '../services/services.tsx';
import {filterBindings, type FilterTarget, type ListTarget} from './bindings.ts';
import {type Column, fitColumns} from './columns.ts';
import type {List} from './list.ts';
import type {ColumnChoice} from '../../renter/settings/default-settings.ts';
import {usualChoice} from './chosen-columns.ts';
import {GUTTER} from './lines.ts';

type Back = Pick<Router, 'back' | 'stack'>;

type Props<Row, Own> = {
	readonly title: string;
	readonly list: List<Row>;
	/** The columns in view. */
	readonly columns: ReadonlyArray<Column<Row>>;
	/** The keys of the noun, and those of lists that it takes. */
	readonly bindings: Bindings<ListTarget & NoInfer<Own>>;
	/** Target of the noun's own keys; its words replace those of the list's keys. */
	readonly target: Own;
	/**
	 * Router for Esc when the list has nothing left to undo.
	 * @default none
	 */
	readonly router?: Back;
	readonly isModal?: boolean;
	/** The keys of its open filter. */
	readonly filterKeys?: Bindings<FilterTarget>;
	readonly children: ReactNode;
};

/** The keys of a list: its own, and those of its noun. */
export function ListScope<Row, Own>(props: Props<Row, Own>) {
	const {title, list, columns, bindings, router, isModal = false, children} = props;
	const {filterKeys = filterBindings} = props;
	const {now} = useTime();
	const target = {...listTarget(list, {columns, router, now}), ...props.target};
	return (
		<KeyScope title={title} bindings={bindings} target={target} isModal={isModal}>
			<LineScope line={list.filter.typed} title="Filter" bindings={filterKeys} target={list.filter}>
				{children}
			</LineScope>
		</KeyScope>
	);
}

type Around<Row> = {
	readonly columns: ReadonlyArray<Column<Row>>;
	readonly router: Back | undefined;
	readonly now: () => Date;
};

function listTarget<Row>(list: List<Row>, {columns, router, now}: Around<Row>): ListTarget {
	return {
		...list,
		move: movement => list.move(movement, now()),
		pick: step => list.pick(step, columns),
		orderUnavailable: () => (list.canOrder() ? undefined : 'pick a column first with < or >'),
		nothingMarked: () => (list.hasMarks() ? undefined : 'nothing is marked'),
		ifEmpty: reason => (list.current() === undefined ? reason : undefined),
		filter: list.filter.open,
		back() {
			if (list.filter.isOn()) list.filter.clear();
			else if (list.hasMarks()) list.markNone();
			else router?.back();
		},
		backUnavailable: () =>
			list.filter.isOn() || list.hasMarks() || (router?.stack.get().length ?? 0) > 1
				? undefined
				: 'this is the first screen; q quits',
	};
}

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
