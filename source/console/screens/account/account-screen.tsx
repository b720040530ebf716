import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useLayoutEffect, useMemo, useState} from 'react';
import type {FleetState} from '../../../renter/fleet/fleet-state.ts';
import {money, percent} from '../../../renter/text/format.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {createStore, derived} from '../../../renter/state/store.ts';
import {withClicksOf} from '../../ui/panes.ts';
import {titledLines} from '../../list/lines.ts';
import {lyingBar} from '../../ui/graph.ts';
import {otherScale, type ScaleKind} from '../../ui/log-scale.ts';
import {askAgain, formatFirstError} from '../../list/unreadable.ts';
import {accountKey, accountQuery, chargesQuery, type Charges} from '../../queries/account.ts';
import {type Column, mostColumn, textColumn} from '../../list/columns.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {createList} from '../../list/list.ts';
import {NumbersView} from '../../list/numbers-view.tsx';
import {ListScope, useFitting} from '../../list/list-view.tsx';
import {keptByStackEntry, type StackEntry, type ScreenProps} from '../../services/router.ts';
import {useRenting, useServices, useTerminal, useTime} from '../../services/services.tsx';
import {accountBindings, type AccountTarget} from './bindings.ts';
import {spendingGroupings, sumsOf, type SpendingGrouping, type Sum} from './spending.ts';
import {dayNumbers, heightsIn, spendingLines, type SpendingPage} from './spending-lines.ts';

type Shown = {
	readonly by: SpendingGrouping;
	readonly monthsAgo: number;
	/** Days since 1970; undefined for the whole month. */
	readonly day: number | undefined;
	readonly scale: ScaleKind;
	readonly isTable: boolean;
};

const stateAt = keptByStackEntry(() => ({
	list: createList(sumColumns('label'), (sum: Sum) => sum.id),
	shown: createStore<Shown>({
		by: 'label',
		monthsAgo: 0,
		day: undefined,
		scale: 'linear',
		isTable: false,
	}),
}));

const MOST_MONTHS = 24;

export function AccountScreen({stackEntry, router, size, say}: ScreenProps) {
	const {client, fleet} = useServices();
	const {now} = useTime();
	const {copy} = useTerminal();
	const live = useQueryClient();
	const {list, shown} = stateAt(stackEntry);
	const {by, monthsAgo, day, scale, isTable} = useStore(shown);
	const account = useQuery(accountQuery(client));
	const charges = useQuery(chargesQuery(client, now, monthsAgo));
	const all = useMemo(() => sumColumns(by, size.columns), [by, size.columns]);
	const columns = useFitting(all, size.columns);
	const height = heightsIn(size).list - 1;
	const rented = useStore(fleet.state, rentedIn);
	useLayoutEffect(() => list.resize(height), [list, height]);
	useLayoutEffect(() => {
		list.define(sumColumns(by));
		list.load(shownSums(charges.data, {by, day}, rented));
	}, [list, by, day, charges.data, rented]);
	const trouble = formatFirstError([account.error, charges.error], troubles);
	const source = useSource(stackEntry, {
		charges: charges.data,
		account: account.data,
		trouble,
		columns,
		size,
	});
	const change = (part: Partial<Shown>) => shown.set({...shown.get(), ...part});
	const target: AccountTarget = {
		...spanTarget(charges.data, {by, monthsAgo, day}, change),
		scale: () => change({scale: otherScale(scale)}),
		numbers: () => change({isTable: true}),
		copy: () => copy(tableText(list.state.get().shown)),
		volumes: () => router.go({name: 'volumes'}),
		refresh() {
			void live.invalidateQueries({queryKey: accountKey});
			void askAgain(charges.refetch, {noun: 'charges', width: size.columns, say});
		},
	};
	const table = useMemo(() => createStore(dayNumbers(charges.data)), [charges.data]);
	if (isTable)
		return <NumbersView table={table} size={size} onClose={() => change({isTable: false})} />;
	return (
		<ListScope title="Account" bindings={accountBindings} {...{list, columns, target}}>
			<Painted source={source} width={size.columns} height={size.rows} />
		</ListScope>
	);
}

type Source = Pick<SpendingPage, 'charges' | 'account' | 'trouble' | 'size'> & {
	readonly columns: ReadonlyArray<Column<Sum>>;
};

/** Lines of the page, made again by the list, by the fleet, and by what was charged. */
function useSource(stackEntry: StackEntry, {charges, account, trouble, columns, size}: Source) {
	const {fleet, theme} = useServices();
	const {timers} = useTime();
	const {monthBudget} = useRenting();
	const [budget] = useState(monthBudget);
	const {list, shown} = stateAt(stackEntry);
	return useMemo(() => {
		const lines = titledLines(list, columns, theme, {width: size.columns});
		const body = derived([list.state, list.view, fleet.state, shown], () => {
			const {by, day, scale} = shown.get();
			return spendingLines({
				charges,
				account,
				by,
				day,
				scale,
				budget,
				trouble,
				theme,
				size,
				fleet: fleet.state.get(),
				list: lines.get(),
				now: timers.now(),
			});
		});
		return withClicksOf(body, lines);
	}, [list, shown, columns, fleet, account, charges, trouble, budget, timers, theme, size]);
}

function spanTarget(
	charges: Charges | undefined,
	{by, monthsAgo, day}: Pick<Shown, 'by' | 'monthsAgo' | 'day'>,
	change: (part: Partial<Shown>) => void,
): Pick<AccountTarget, 'group' | 'month' | 'isPresent' | 'day' | 'wholeMonth'> {
	return {
		group(step) {
			const at = spendingGroupings.indexOf(by) + step + spendingGroupings.length;
			change({by: spendingGroupings[at % spendingGroupings.length] ?? 'label'});
		},
		month(step) {
			const next = Math.max(0, Math.min(monthsAgo + step, MOST_MONTHS));
			change({monthsAgo: next, day: undefined});
		},
		isPresent: () => (monthsAgo === 0 ? 'it is the present month' : undefined),
		day(step) {
			if (charges === undefined) return;
			const next = day === undefined ? charges.today : day + step;
			change({day: Math.max(charges.first, Math.min(next, charges.today))});
		},
		wholeMonth: () => change({day: undefined}),
	};
}

/** Sums of the month, or of the day that is read. */
function shownSums(
	charges: Charges | undefined,
	{by, day}: Pick<Shown, 'by' | 'day'>,
	rented: string | undefined,
): readonly Sum[] {
	const list = charges?.list ?? [];
	const sources = new Set(rented?.split(' ').map(id => `instance-${id}`));
	return sumsOf(
		day === undefined ? list : list.filter(charge => charge.day === day),
		by,
		source => rented === undefined || !source.startsWith('instance-') || sources.has(source),
	);
}

/** Ids of existing instances; undefined until they were listed. */
function rentedIn({rows, checkedAt}: FleetState): string | undefined {
	if (checkedAt === undefined) return undefined;
	const there = rows.filter(({condition}) => condition !== 'gone');
	return there.map(({instance: {id}}) => id).join(' ');
}

function tableText(sums: readonly Sum[]): string {
	return sums.map(({name, dollars}) => `${name}\t${dollars.toFixed(2)}`).join('\n');
}

const troubles = {
	404: 'This server does not describe billing. What is hidden is not 0.',
	403: 'This key may not read all of this (needs user_read, billing_read).',
};

const titles: Readonly<Record<SpendingGrouping, string>> = {
	label: 'WHAT IT WAS FOR',
	GPU: 'GPU',
	day: 'DAY (UTC)',
	week: 'WEEK (UTC)',
};

function sumColumns(by: SpendingGrouping, width = 80): ReadonlyArray<Column<Sum>> {
	// The name gives way on narrow screens, never the cost.
	const name = width < 72 ? 20 : 30;
	const bar = Math.max(4, width - name - 24);
	return [
		textColumn(
			['name', titles[by], name, 0],
			sum => `${sum.name}${sum.isEnded ? ' (ended)' : ''}`,
			printable,
		),
		mostColumn(['dollars', 'CHARGED', 10, 1], ({dollars}) => dollars, money),
		mostColumn(['share', '%', 5, 2], ({share}) => share, percent),
		{
			...textColumn(['bar', '', bar, 3], ({ofMost}: Sum) => lyingBar(ofMost, bar), String),
			draw: ({ofMost}) => [{text: fit(lyingBar(ofMost, bar), bar), style: 'curve'}],
		},
	];
}
