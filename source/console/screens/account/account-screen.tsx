import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useLayoutEffect, useMemo, useSyncExternalStore} from 'react';
import {fitColumns} from '../../list/columns.ts';
import {linesFrom} from '../../components/line-source.ts';
import {Painted} from '../../components/painted.tsx';
import {GUTTER, listHeading, listLines} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {KeyScope} from '../../key-scope.tsx';
import {kept} from '../../router.ts';
import {useServices} from '../../services.tsx';
import {createStore} from '../../../renter/store.ts';
import type {ScreenProps} from '../place.ts';
import {askAgain} from '../unreadable.ts';
import {accountBody, heightsIn} from './account-body.ts';
import {accountBindings} from './bindings.ts';
import type {AccountTarget} from './bindings.ts';
import {chargesQuery, sumsOf} from './charges.ts';
import type {Grouping, Sum} from './charges.ts';
import {sumColumns} from './columns.ts';

const stateAt = kept(() => ({
	table: createList(sumColumns('thing'), (sum: Sum) => sum.id),
	by: createStore<Grouping>('thing'),
}));

/** What there is to spend, what is spent, and what it was spent on. */
export function AccountScreen({place, router, size, say}: ScreenProps) {
	const {client, fleet, now, theme, painter} = useServices();
	const live = useQueryClient();
	const {table, by: grouping} = stateAt(place);
	const by = useSyncExternalStore(grouping.subscribe, grouping.get);
	const account = useQuery({
		queryKey: ['account', 'whole'],
		queryFn: async ({signal}) => (await client()).account.current({signal}),
	});
	const charges = useQuery(chargesQuery(client, now));
	const columns = fitColumns(sumColumns(by, size.columns), size.columns - GUTTER);
	const height = heightsIn(size.rows).list - 1;
	useLayoutEffect(() => table.resize(height), [table, height]);
	useLayoutEffect(() => {
		table.define(sumColumns(by));
		if (charges.data !== undefined) table.load(sumsOf(charges.data, by));
	}, [table, by, charges.data]);
	const source = useMemo(() => {
		const shown = fitColumns(sumColumns(by, size.columns), size.columns - GUTTER);
		const heading = listHeading(table, shown, theme);
		const lines = listLines(table, shown, theme);
		return linesFrom([table.state, table.view, fleet.state], () =>
			accountBody({
				account: account.data,
				burn: fleet.state.get().burn,
				charges: charges.data,
				errors: [account.error, charges.error],
				list: [...heading.lines(), ...lines.lines()],
				theme,
				size,
			}),
		);
	}, [table, by, fleet, account.data, account.error, charges.data, charges.error, theme, size]);
	const target: AccountTarget = {
		move: table.move,
		pick: step => table.pick(step, columns),
		order: () => table.order(),
		alsoOrder: () => table.alsoOrder(),
		canOrder: () => table.canOrder(),
		group: () => grouping.set(by === 'thing' ? 'day' : 'thing'),
		volumes: () => router.go({name: 'volumes'}),
		refresh() {
			void live.invalidateQueries({queryKey: ['account', 'whole']});
			void askAgain(charges.refetch, {noun: 'charges', width: size.columns, say});
		},
	};
	return (
		<KeyScope title="Account" bindings={accountBindings} target={target}>
			<Painted painter={painter} source={source} hole={0} width={size.columns} height={size.rows} />
		</KeyScope>
	);
}
