/** Prices of GPUs in the whole market: each name as a row, and its last week as a plot. */
import {useQuery} from '@tanstack/react-query';
import {useLayoutEffect, useMemo} from 'react';
import type {GpuFigures} from '../../../contract/nouns/gpu-market.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {count, priceTag, pricePerHour, wholePercent} from '../../../renter/text/format.ts';
import {derived} from '../../../renter/state/store.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {noteRule, titledLines} from '../../list/lines.ts';
import {spread} from '../../ui/chrome.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {inHeight, plot} from '../../ui/panes.ts';
import {type Column, idOfText, leastColumn, mostColumn, textColumn} from '../../list/columns.ts';
import {createList} from '../../list/list.ts';
import {ListScope, useFitting, useRows} from '../../list/list-view.tsx';
import {askAgain, unreadNotes, troubleOf} from '../../list/unreadable.ts';
import {gpuHistoryQuery, gpuMarketQuery, HISTORY_DAYS} from '../../queries/offers.ts';
import {kept, type ScreenProps} from '../../services/router.ts';
import {useServices, useTime} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {priceBindings, type PricesTarget} from './bindings.ts';

const listAt = kept(() =>
	createList(priceColumns, ({gpu_name: name}: GpuFigures) => idOfText(name)),
);

/** GPUs of the market with their prices. */
export function PricesScreen({place, size, say}: ScreenProps) {
	const {client, theme} = useServices();
	const {now} = useTime();
	const list = listAt(place);
	const market = useQuery(gpuMarketQuery(client));
	const name = useStore(list.state, () => list.current()?.gpu_name);
	const history = useQuery(gpuHistoryQuery(client, name, now));
	const columns = useFitting(priceColumns, size.columns);
	const heights = heightsIn(size.rows);
	useLayoutEffect(() => list.resize(heights.list - 1), [list, heights.list]);
	useRows(list, market.data?.gpus);
	const source = useMemo(() => {
		const lines = titledLines(list, columns, theme);
		return derived([list.state, list.view], () => [
			theme.style('heading', spread(size.columns, 'PRICES OF GPUS', 'per GPU and hour')),
			...inHeight(lines.get(), heights.list),
			noteRule(theme, size.columns, {
				notes: unreadNotes(market.data?.unreadable ?? noneUnreadable),
				last: printable(name ?? ''),
			}),
			...plotLines(history.data, size, heights.plot),
			fit(troubleOf([market.error, history.error], troubles), size.columns),
		]);
	}, [
		list,
		columns,
		theme,
		size,
		heights,
		name,
		history.data,
		history.error,
		market.data,
		market.error,
	]);
	const target: PricesTarget = {
		refresh() {
			void askAgain(market.refetch, {noun: 'prices', width: size.columns, say});
		},
	};
	return (
		<ListScope title="Prices" bindings={priceBindings} {...{list, columns, target}}>
			<Painted source={source} width={size.columns} height={size.rows} />
		</ListScope>
	);
}

/** Heading, rule, title of the plot, its axis, and a line about what is wrong. */
const LINES_BESIDE = 5;

function heightsIn(rows: number): {readonly plot: number; readonly list: number} {
	const height = Math.max(4, Math.floor(rows / 3));
	return {plot: height, list: Math.max(2, rows - LINES_BESIDE - height)};
}

/** Columns of the plot for each point. */
const POINT = 3;

function plotLines(
	history: readonly number[] | undefined,
	{columns: width}: Size,
	height: number,
): readonly string[] {
	const prices = (history ?? []).slice(-Math.floor(width / POINT));
	const most = Math.max(0, ...prices);
	if (most === 0) return inHeight([' no price of a free one is kept yet'], height + 2);
	const axis = spread(prices.length * POINT + 1, ` ${HISTORY_DAYS} days ago`, 'now');
	return [
		fit(` median of those that are free, at most ${pricePerHour(most)}`, width),
		...plot(prices, height).map(line => fit(line, width)),
		fit(axis, width),
	];
}

const troubles = {404: 'This service does not tell what GPUs cost.'};

type Figure = Exclude<keyof GpuFigures, 'gpu_name'>;

const priceColumns: ReadonlyArray<Column<GpuFigures>> = [
	textColumn(['gpu', 'GPU', 20, 0], ({gpu_name: name}) => name, printable),
	figure('price_median', ['MEDIAN', 7, 1], priceTag, leastColumn),
	figure('price_p10', ['10%', 7, 3], priceTag, leastColumn),
	figure('price_p90', ['90%', 7, 4], priceTag, leastColumn),
	figure('available', ['FREE', 6, 2], count),
	figure('total', ['ALL', 6, 5], count),
	figure('usage', ['RENTED', 7, 6], wholePercent),
	figure('usage_30d', ['30 DAYS', 8, 7], wholePercent),
	figure('price_p25', ['25%', 7, 8], priceTag, leastColumn),
	figure('price_p75', ['75%', 7, 9], priceTag, leastColumn),
	figure('dlperf_per_dollar', ['DLP/$', 7, 10], count),
];

function figure(
	name: Figure,
	[title, width, rank]: readonly [title: string, width: number, rank: number],
	write: (value: number | undefined) => string,
	column = mostColumn,
): Column<GpuFigures> {
	return column(
		[name, title, width, rank],
		({[name]: value}: GpuFigures) => (typeof value === 'number' ? value : undefined),
		write,
	);
}
