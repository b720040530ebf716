import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useLayoutEffect, useMemo} from 'react';
import type {Account} from '../../../contract/nouns/account.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {ruleLine, spread} from '../../ui/chrome.ts';
import {factLines, inHeight, plot} from '../../ui/panes.ts';
import {noteRule, titledLines} from '../../list/lines.ts';
import {creditHours, type Burn} from '../../../renter/instance/burn.ts';
import {hoursText} from '../../../renter/fleet/fleet-words.ts';
import {hourly, MISSING, money, count, percent} from '../../../renter/text/format.ts';
import type {Size} from '../../terminal/terminal.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Theme} from '../../ui/theme.ts';
import {unreadNotes, askAgain, troubleOf} from '../../list/unreadable.ts';
import {
	DAYS,
	type Charges,
	SECONDS_PER_DAY,
	type Charge,
	accountKey,
	accountQuery,
	chargesQuery,
} from '../../queries/account.ts';
import {type Column, mostColumn, textColumn} from '../../list/columns.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {createList} from '../../list/list.ts';
import {ListScope, useFitting} from '../../list/list-view.tsx';
import {kept, type ScreenProps} from '../../services/router.ts';
import {useServices, useTime} from '../../services/services.tsx';
import {createStore, derived} from '../../../renter/state/store.ts';
import {accountBindings, type AccountTarget} from './bindings.ts';

type AccountBody = {
	readonly account: Account | undefined;
	readonly burn: Burn;
	readonly charges: Charges | undefined;
	/** Errors of the queries. */
	readonly errors: ReadonlyArray<Error | null>;
	readonly list: readonly string[];
	readonly theme: Theme;
	readonly size: Size;
};

const LINES_ABOVE = 6;
/** Around the plot: the rule above it, its title, its axis, and a line about what is wrong. */
const LINES_AROUND_PLOT = 4;

/** Lines of the plot, and lines left for the list with its heading. */
function heightsIn(rows: number): {readonly plot: number; readonly list: number} {
	const height = Math.max(4, Math.floor(rows / 4));
	return {plot: height, list: Math.max(2, rows - LINES_ABOVE - LINES_AROUND_PLOT - height)};
}

function accountBody(body: AccountBody): readonly string[] {
	const {charges, theme, size, list} = body;
	const {columns, rows} = size;
	const heights = heightsIn(rows);
	const total = charges?.list.reduce((sum, {dollars}) => sum + dollars, 0);
	const unreadable = charges?.unreadable ?? noneUnreadable;
	const isPart = charges?.isCut === true || unreadable.count > 0;
	const title = `charged in ${DAYS} days: ${money(total)}${isPart ? ' or more' : ''}`;
	return [
		theme.style('heading', spread(columns, 'ACCOUNT', whose(body.account))),
		...factLines(moneyFacts(body), columns),
		ruleLine(theme, columns, title),
		...inHeight(list, heights.list),
		noteRule(theme, columns, {notes: unreadNotes(unreadable), last: ''}),
		...plotLines(charges, columns, heights.plot),
		fit(troubleOf(body.errors, troubles), columns),
	];
}

function whose(account: Account | undefined): string {
	return printable(account?.email ?? account?.username ?? '');
}

function moneyFacts({account, burn}: AccountBody) {
	const credit = account?.credit ?? undefined;
	const hours = creditHours(credit, burn);
	const unknown = burn.unpriced === 0 ? '' : `, and ${burn.unpriced} without a known price`;
	return [
		['credit', `${money(credit)}${hours === undefined ? '' : `, lasts ${hoursText(hours)}`}`],
		['balance', `${money(account?.balance)} by the ledger`],
		[
			'burn',
			`${hourly(burn.now)}/h now, at most ${hourly(burn.atMost)}/h, without volumes${unknown}`,
		],
		['when empty', 'what runs is stopped; disks and volumes go on costing'],
	] as const;
}

/** Plot of the last days' costs, with the dates of the first and the last. */
function plotLines(charges: Charges | undefined, width: number, height: number): readonly string[] {
	if (charges === undefined) return inHeight([' asking what was charged'], height + 2);
	const days = perDay(charges);
	const most = Math.max(...days);
	const first = dayText(charges.today - DAYS + 1);
	const last = dayText(charges.today);
	const axis = spread(DAYS * 3 + 1, ` ${first}`, last);
	return [
		fit(` per day, at most ${most === 0 ? MISSING : money(most)}`, width),
		...plot(days, height),
		axis,
	];
}

const troubles = {
	404: 'This server does not describe billing. What is hidden is not 0.',
	403: 'This key may not read all of this (needs user_read, billing_read).',
};

/** A line of the table: an instance, a volume or a day, with what it cost. */
type Sum = {
	readonly id: number;
	readonly name: string;
	readonly dollars: number;
	/** Count of days, or of sources, in the sum. */
	readonly parts: number;
	readonly share: number;
};

type Grouping = 'thing' | 'day';

/** Adds charges up, the dearest first, or the latest day first. */
export function sumsOf({list}: Pick<Charges, 'list'>, by: Grouping): readonly Sum[] {
	const groups = Map.groupBy(list, charge => (by === 'thing' ? charge.source : charge.day));
	const total = totalOf(list);
	const sums = [...groups.entries()].map(([key, charges]) => {
		const dollars = totalOf(charges);
		const [first] = charges;
		return {
			day: first?.day ?? 0,
			name: by === 'thing' ? (first?.description ?? '') : dayText(Number(key)),
			dollars,
			parts: new Set(charges.map(charge => (by === 'thing' ? charge.day : charge.source))).size,
			share: total === 0 ? 0 : dollars / total,
		};
	});
	const ordered = sums.toSorted((a, b) => (by === 'thing' ? b.dollars - a.dollars : b.day - a.day));
	return ordered.map(({name, dollars, parts, share}, id) => ({id, name, dollars, parts, share}));
}

/** Dollars of each of the last days, today last. */
export function perDay({list, today}: Pick<Charges, 'list' | 'today'>): readonly number[] {
	return Array.from({length: DAYS}, (_, index) =>
		totalOf(list.filter(({day}) => day === today - DAYS + 1 + index)),
	);
}

function totalOf(charges: readonly Charge[]): number {
	return charges.reduce((sum, {dollars}) => sum + dollars, 0);
}

/** The date of a day: 2026-11-21, as bills have it. */
function dayText(day: number): string {
	return Number.isFinite(day)
		? new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10)
		: '-';
}

const stateAt = kept(() => ({
	list: createList(sumColumns('thing'), (sum: Sum) => sum.id),
	by: createStore<Grouping>('thing'),
}));

/** Account: credit, spending, and its parts. */
export function AccountScreen({place, router, size, say}: ScreenProps) {
	const {client, fleet, theme} = useServices();
	const {now} = useTime();
	const live = useQueryClient();
	const {list, by: grouping} = stateAt(place);
	const by = useStore(grouping);
	const account = useQuery(accountQuery(client));
	const charges = useQuery(chargesQuery(client, now));
	const all = useMemo(() => sumColumns(by, size.columns), [by, size.columns]);
	const columns = useFitting(all, size.columns);
	const height = heightsIn(size.rows).list - 1;
	useLayoutEffect(() => list.resize(height), [list, height]);
	useLayoutEffect(() => {
		list.define(sumColumns(by));
		if (charges.data !== undefined) list.load(sumsOf(charges.data, by));
	}, [list, by, charges.data]);
	const source = useMemo(() => {
		const lines = titledLines(list, columns, theme);
		return derived([list.state, list.view, fleet.state], () =>
			accountBody({
				account: account.data,
				burn: fleet.state.get().burn,
				charges: charges.data,
				errors: [account.error, charges.error],
				list: lines.get(),
				theme,
				size,
			}),
		);
	}, [list, columns, fleet, account.data, account.error, charges.data, charges.error, theme, size]);
	const target: AccountTarget = {
		group: () => grouping.set(by === 'thing' ? 'day' : 'thing'),
		volumes: () => router.go({name: 'volumes'}),
		refresh() {
			void live.invalidateQueries({queryKey: accountKey});
			void askAgain(charges.refetch, {noun: 'charges', width: size.columns, say});
		},
	};
	return (
		<ListScope title="Account" bindings={accountBindings} {...{list, columns, target}}>
			<Painted source={source} width={size.columns} height={size.rows} />
		</ListScope>
	);
}

const nameOf = ({name}: Sum) => name;

/** Columns of the table of charges. */
function sumColumns(by: Grouping, width = 80): ReadonlyArray<Column<Sum>> {
	const isByThing = by === 'thing';
	// What it cost is never the one to go.
	const wide = width < 60 ? 24 : 40;
	return [
		textColumn(['name', isByThing ? 'WHAT IT WAS FOR' : 'DAY (UTC)', wide, 0], nameOf, printable),
		mostColumn(['dollars', 'CHARGED', 10, 1], ({dollars}) => dollars, money),
		mostColumn(['share', '%', 5, 2], ({share}) => share, percent),
		mostColumn(['parts', isByThing ? 'DAYS' : 'THINGS', 6, 3], ({parts}) => parts, count),
	];
}
