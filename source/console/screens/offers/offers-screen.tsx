import {useQuery} from '@tanstack/react-query';
import type {Offer} from '../../../contract/offers.ts';
import {Box, Text} from 'ink';
import {useLayoutEffect, useMemo} from 'react';
import {ruleLine, spread} from '../../chrome.ts';
import {fitColumns} from '../../components/columns.ts';
import {Notice} from '../../components/notice.tsx';
import {Painted} from '../../components/painted.tsx';
import {GUTTER, positionRule, tableHeading, tableLines} from '../../components/table-lines.ts';
import {count, sentence, timeOfDay} from '../../format.ts';
import {KeyScope} from '../../key-scope.tsx';
import {isFromLastTime, offersQuery} from '../../live.ts';
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
	const search = useMemo(() => defaultSearch(settings), [settings]);
	const query = useQuery(offersQuery(client, search));
	const {data, error, isFetching, refetch} = query;
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
			if (failure !== null) say({text: sentence(failure.message), isError: true});
		},
		isEmpty: () => table.current() === undefined,
		canOrder: () => table.canOrder(),
	};
	return (
		<KeyScope title="Offers" bindings={offerListBindings} target={target}>
			<Box flexDirection="column">
				<Text wrap="truncate">
					{spread(size.columns, describeSearch(search), describeResult(query))}
				</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
				{data === undefined || data.length === 0 ? (
					<OffersNotice error={error} isLoading={isFetching} size={{...size, rows: height + 2}} />
				) : (
					<OfferRows
						place={place}
						columns={columns}
						width={size.columns}
						height={height}
						isOld={isFromLastTime(query.dataUpdatedAt)}
					/>
				)}
			</Box>
		</KeyScope>
	);
}

type Result = Pick<
	ReturnType<typeof useQuery<readonly Offer[]>>,
	'data' | 'dataUpdatedAt' | 'error' | 'isFetching'
>;

/** How many offers there are, and how far that can be trusted. */
function describeResult({data, dataUpdatedAt, error, isFetching}: Result): string {
	const amount = data === undefined ? [] : [`${count(data.length)} offers`];
	const age = isFromLastTime(dataUpdatedAt) ? [`from ${timeOfDay(new Date(dataUpdatedAt))}`] : [];
	const isStale = error !== null && data !== undefined;
	const state = isFetching ? ['searching'] : isStale ? ['stale'] : [];
	return [...amount, ...age, ...state].join(' ');
}

type RowsProps = Pick<ScreenProps, 'place'> & {
	readonly columns: typeof offerColumns;
	readonly width: number;
	readonly height: number;
	/** Found by an earlier run of the program. */
	readonly isOld: boolean;
};

function OfferRows({place, columns, width, height, isOld}: RowsProps) {
	const {theme, painter} = useServices();
	const table = tableAt(place);
	const {heading, rows, rule} = useMemo(
		() => ({
			heading: tableHeading(table, columns, theme),
			rows: tableLines(table, columns, theme, isOld ? 'quiet' : 'plain'),
			rule: positionRule(table, theme, width),
		}),
		[table, columns, theme, width, isOld],
	);
	const lines = {width, painter};
	return (
		<>
			<Painted {...lines} source={heading} hole={5} height={1} />
			<Painted {...lines} source={rows} hole={0} height={height} />
			<Painted {...lines} source={rule} hole={1} height={1} />
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
		return <Notice title={sentence(error.message)} lines={lines} {...frame} />;
	}
	const lines = ['The words above say what was asked for.', 'R searches again.'];
	return <Notice title="No offer matches at present." lines={lines} {...frame} />;
}
