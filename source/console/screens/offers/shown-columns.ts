import {useMemo} from 'react';
import type {OfferSearch} from '../../../contract/offer-search.ts';
import type {Offer} from '../../../contract/offers.ts';
import {fitColumns, type Column} from '../../list/columns.ts';
import type {List} from '../../list/list.ts';
import {GUTTER} from '../../list/lines.ts';
import type {ColumnChoice} from '../../../renter/settings/default-settings.ts';
import {chosenColumns, unsentColumns} from '../../list/chosen-columns.ts';
import type {OfferColumn} from './columns.ts';
import {isAbout} from './order.ts';
import {useStore} from '../../components/use-store.ts';

type Options = {
	readonly columns: readonly OfferColumn[];
	readonly choice: ColumnChoice;
	readonly asked: OfferSearch;
	readonly data: readonly Offer[] | undefined;
	readonly width: number;
};

/** The columns in view, and those for which the service sent nothing although it was asked. */
export function useShownColumns(
	table: List<Offer>,
	{columns, choice, asked, data, width}: Options,
): {readonly shown: ReadonlyArray<Column<Offer>>; readonly unsent: ReadonlySet<string>} {
	const order = useStore(table.view, state => state.order);
	const unsent = useMemo(() => {
		const requested = columns.filter(({fields}) => isAskedFor(fields, asked));
		return unsentColumns(requested, data ?? []);
	}, [columns, asked, data]);
	const unsentIds = [...unsent].join(' ');
	const shown = useMemo(() => {
		const filtered = columns.filter(column => isAbout(column, asked.filter));
		const needed = new Set([...filtered.map(({id}) => id), ...order.map(({columnId}) => columnId)]);
		const sent = chosenColumns(columns, choice, needed).filter(
			({id}) => !unsentIds.split(' ').includes(id),
		);
		return fitColumns(sent, width - GUTTER);
	}, [columns, choice, asked, order, unsentIds, width]);
	return {shown, unsent};
}

function isAskedFor(fields: readonly string[], {columns: asked}: OfferSearch): boolean {
	return asked === undefined || fields.every(field => asked.includes(field));
}
