/** Prices of GPUs in the whole market: each name as a row, and one over 90 days as curves. */
import {useQuery} from '@tanstack/react-query';
import {useLayoutEffect, useMemo} from 'react';
import type {GpuFigures} from '../../../contract/nouns/gpu-market.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {count, priceTag, wholePercent} from '../../../renter/text/format.ts';
import {bucketStartOf} from '../../../renter/history/buckets.ts';
import {createStore, derived} from '../../../renter/state/store.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {noteRule, titledLines} from '../../list/lines.ts';
import {spread} from '../../ui/chrome.ts';
import {withJoints} from '../../ui/rules.ts';
import {otherScale, type ScaleKind} from '../../ui/log-scale.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {inHeight} from '../../ui/panes.ts';
import {type Column, idOfText, leastColumn, mostColumn, textColumn} from '../../list/columns.ts';
import {createList} from '../../list/list.ts';
import {NumbersView} from '../../list/numbers-view.tsx';
import {ListScope, useFitting, useRows} from '../../list/list-view.tsx';
import {askAgain, unreadNotes, formatFirstError} from '../../list/unreadable.ts';
import {gpuHistoryQuery, gpuMarketQuery} from '../../queries/offers.ts';
import {keptByStackEntry, type StackEntry, type ScreenProps} from '../../services/router.ts';
import {useServices, useTime} from '../../services/services.tsx';
import {priceBindings, type PricesTarget} from './prices-bindings.ts';
import {priceChart, priceNumbers, priceWindow, comparePricesInWords} from './price-chart.ts';
import {HOUR_MS} from '../../../contract/rules/durations.ts';

const listAt = keptByStackEntry(() =>
	createList(priceColumns, ({gpu_name: name}: GpuFigures) => idOfText(name)),
);

const spanAt = keptByStackEntry(() => createStore(2));
const isTableAt = keptByStackEntry(() => createStore(false));
const scaleAt = keptByStackEntry(() => createStore<ScaleKind>('linear'));

export function PricesScreen({stackEntry, size, say}: ScreenProps) {
	const {client, theme} = useServices();
	const list = listAt(stackEntry);
	const market = useQuery(gpuMarketQuery(client));
	const name = useStore(list.state, () => list.current()?.gpu_name);
	const chart = useChart(stackEntry, name, size.columns);
	const trouble = formatFirstError([market.error, chart.error], troubles);
	const columns = useFitting(priceColumns, size.columns);
	const heights = heightsIn(size.rows);
	useLayoutEffect(() => list.resize(heights.list - 1), [list, heights.list]);
	useRows(list, market.data?.gpus);
	const source = useMemo(() => {
		const lines = titledLines(list, columns, theme, {width: size.columns});
		return derived([list.state, list.view], () =>
			withJoints(theme, [
				theme.style('heading', spread(size.columns, 'PRICES OF GPUS', 'per GPU and hour')),
				...inHeight(lines.get(), heights.list),
				noteRule(theme, size.columns, {
					notes: unreadNotes(market.data?.unreadable ?? noneUnreadable),
					last: printable(name === undefined ? '' : `${name}: ${chart.title}`),
				}),
				...priceChart(chart.prices, chart.window, {
					theme,
					columns: size.columns,
					rows: heights.plot,
					scale: chart.scale,
				}),
				fit(
					trouble === '' ? comparePricesInWords(chart.prices, chart.window) : trouble,
					size.columns,
				),
			]),
		);
	}, [list, columns, theme, size, heights, name, chart, trouble, market.data]);
	const table = useMemo(
		() => createStore(priceNumbers(name ?? '', chart.prices)),
		[name, chart.prices],
	);
	const isTable = isTableAt(stackEntry);
	const target: PricesTarget = {
		span(step) {
			const store = spanAt(stackEntry);
			store.set(Math.max(0, Math.min(store.get() + step, spans.length - 1)));
		},
		numbers: () => isTable.set(true),
		scale: () => scaleAt(stackEntry).set(otherScale(chart.scale)),
		refresh() {
			void askAgain(market.refetch, {noun: 'prices', width: size.columns, say});
		},
	};
	if (useStore(isTable))
		return <NumbersView table={table} size={size} onClose={() => isTable.set(false)} />;
	return (
		<ListScope title="Prices" bindings={priceBindings} {...{list, columns, target}}>
			<Painted source={source} width={size.columns} height={size.rows} />
		</ListScope>
	);
}

/** Prices of a name over the chosen span, and how they are drawn. */
function useChart(stackEntry: StackEntry, name: string | undefined, columns: number) {
	const {client} = useServices();
	const {now} = useTime();
	const days = spans[useStore(spanAt(stackEntry))] ?? 90;
	const scale = useStore(scaleAt(stackEntry));
	const hour = Math.floor(now().getTime() / HOUR_MS);
	const window = useMemo(() => priceWindow(days, hour * HOUR_MS, {columns}), [days, hour, columns]);
	const {data: prices = none, error} = useQuery(
		gpuHistoryQuery(client, name, {fromMs: bucketStartOf(window, 0), stepMs: window.step}),
	);
	const title = `${days} days, free GPUs only${scale === 'log' ? ', log' : ''}`;
	return useMemo(
		() => ({prices, error, window, scale, title}),
		[prices, error, window, scale, title],
	);
}

const none: readonly never[] = [];

/** Heading, rule, the axis of the chart with its days, and a line for words. */
const LINES_BESIDE = 5;

function heightsIn(rows: number): {readonly plot: number; readonly list: number} {
	const height = Math.max(4, Math.floor(rows / 3));
	return {plot: height, list: Math.max(2, rows - LINES_BESIDE - height)};
}

/** The spans of the chart, in days. */
const spans = [7, 30, 90] as const;

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
	figure('dlperf_per_dollar', ['SPEED/$', 7, 10], count),
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
