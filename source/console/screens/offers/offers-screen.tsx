import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import {useLayoutEffect, useMemo, useSyncExternalStore} from 'react';
import {pad, ruleLine, spread} from '../../chrome.ts';
import {fitColumns} from '../../components/columns.ts';
import {Notice} from '../../components/notice.tsx';
import {Painted} from '../../components/painted.tsx';
import {GUTTER, positionRule, tableHeading, tableLines} from '../../components/table-lines.ts';
import {count} from '../../format.ts';
import {KeyScope} from '../../key-scope.tsx';
import {offersQuery} from '../../live.ts';
import {useServices} from '../../services.tsx';
import type {ScreenProps} from '../place.ts';
import {offerListBindings} from './bindings.ts';
import type {OfferListTarget} from './bindings.ts';
import {offerColumns} from './columns.ts';
import {tableAt} from './list.ts';
import {defaultSearch, describeSearch} from './search.ts';

/** The lines of this screen that are not rows: what was searched, a rule, the titles, a rule. */
const LINES_AROUND = 4;

/** The offers that can be rented, as a list. */
export function OffersScreen({place, router, size, say}: ScreenProps) {
	const {client, settings, theme} = useServices();
	const table = tableAt(place);
	const view = useSyncExternalStore(table.view.subscribe, table.view.get);
	const search = useMemo(() => defaultSearch(settings), [settings]);
	const {data, error, isFetching, refetch} = useQuery(offersQuery(client, search));
	const columns = useMemo(() => fitColumns(offerColumns, size.columns - GUTTER), [size.columns]);
	const height = size.rows - LINES_AROUND;
	useLayoutEffect(() => {
		table.resize(height);
		if (data !== undefined) table.load(data);
	}, [table, height, data]);

	const target: OfferListTarget = {
		move: table.move,
		pick: step => table.pick(step, columns),
		order: () => table.order(),
		open() {
			const offer = table.current();
			if (offer !== undefined) router.go({name: 'offer', id: offer.id});
		},
		async refresh() {
			const {error: failure} = await refetch();
			if (failure !== null) say({text: `${failure.message}.`, isError: true});
		},
		isEmpty: () => table.current() === undefined,
		canOrder: () => table.canOrder(),
	};
	const state = isFetching ? 'searching' : error !== null && data !== undefined ? 'stale' : '';
	const amount = data === undefined ? state : `${count(data.length)} offers ${state}`.trim();
	return (
		<KeyScope title="Offers" bindings={offerListBindings} target={target}>
			<Box flexDirection="column">
				<Text wrap="truncate">{spread(size.columns, describeSearch(search), amount)}</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
				{data === undefined || data.length === 0 ? (
					<OffersNotice error={error} isLoading={isFetching} size={{...size, rows: height + 2}} />
				) : (
					<>
						<Text wrap="truncate">{pad(tableHeading(columns, view, theme), size.columns)}</Text>
						<OfferRows place={place} columns={columns} width={size.columns} height={height} />
					</>
				)}
			</Box>
		</KeyScope>
	);
}

type RowsProps = Pick<ScreenProps, 'place'> & {
	readonly columns: typeof offerColumns;
	readonly width: number;
	readonly height: number;
};

function OfferRows({place, columns, width, height}: RowsProps) {
	const {theme, painter} = useServices();
	const table = tableAt(place);
	const source = useMemo(() => tableLines(table, columns, theme), [table, columns, theme]);
	const rule = useMemo(() => positionRule(table, theme, width), [table, theme, width]);
	return (
		<>
			<Painted source={source} hole={0} width={width} height={height} painter={painter} />
			<Painted source={rule} hole={1} width={width} height={1} painter={painter} />
		</>
	);
}

type NoticeProps = {
	readonly error: Error | null;
	readonly isLoading: boolean;
	readonly size: ScreenProps['size'];
};

function OffersNotice({error, isLoading, size: {columns, rows}}: NoticeProps) {
	const frame = {width: columns, height: rows};
	if (isLoading) return <Notice title="Searching offers" {...frame} />;
	if (error !== null) {
		const lines = ['Nothing was changed, and nothing is charged for searching.', 'R tries again.'];
		return <Notice title={`${error.message}.`} lines={lines} {...frame} />;
	}
	const lines = ['The words above say what was asked for.', 'R searches again.'];
	return <Notice title="No offer matches at present." lines={lines} {...frame} />;
}
