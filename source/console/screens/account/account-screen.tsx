import {printable} from '../../../renter/text/text-width.ts';
import {count, money, percent} from '../../../renter/text/format.ts';
import type {Column} from '../../list/columns.ts';
import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useLayoutEffect, useMemo} from 'react';
import {Painted} from '../../ui/painted.tsx';
import {useStore} from '../../ui/use-store.ts';
import {titledLines} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {mostColumn, textColumn} from '../../list/value-columns.ts';
import {ListScope, useFitting} from '../../list/list-view.tsx';
import {accountKey, accountQuery, chargesQuery} from '../../queries/account.ts';
import {kept, type ScreenProps} from '../../services/router.ts';
import {useServices, useTime} from '../../services/services.tsx';
import {createStore, derived} from '../../../renter/state/store.ts';
import {askAgain} from '../../list/unreadable.ts';
import {accountBody, heightsIn, sumsOf, type Grouping, type Sum} from './account-body.ts';
import {accountBindings, type AccountTarget} from './bindings.ts';

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
