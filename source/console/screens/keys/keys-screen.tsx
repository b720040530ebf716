import {useQueryClient} from '@tanstack/react-query';
import {useLayoutEffect, useMemo, useState} from 'react';
import {fitColumns} from '../../list/columns.ts';
import {linesFrom} from '../../components/line-source.ts';
import {Painted} from '../../components/painted.tsx';
import {GUTTER, listHeading, listLines} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {KeyScope} from '../../key-scope.tsx';
import {PRACTICE} from '../../../renter/profiles/profile.ts';
import {kept} from '../../router.ts';
import {useServices} from '../../services.tsx';
import {createStore} from '../../../renter/store.ts';
import type {ScreenProps} from '../place.ts';
import {unreadMessage} from '../unreadable.ts';
import {keyListBindings} from './bindings.ts';
import type {KeysTarget} from './bindings.ts';
import {keyColumns} from './columns.ts';
import {KeyAsking} from './key-asking.tsx';
import type {Asking} from './key-asking.tsx';
import {heightsIn, keysBody} from './keys-body.ts';
import {keysKey, unreadKeys} from './questions.ts';
import type {KeyRow} from './rows.ts';
import {useKeys} from './use-keys.ts';

const listAt = kept(() => ({
	table: createList(keyColumns(80), (row: KeyRow) => row.id),
	hasMoved: createStore(false),
}));

type KeyTable = ReturnType<typeof listAt>['table'];

/** API keys and SSH keys: those of the account, and those of this machine. */
export function KeysScreen({place, size, say}: ScreenProps) {
	const {copy, desk, fleet} = useServices();
	const live = useQueryClient();
	const {table, hasMoved} = listAt(place);
	const known = useKeys();
	const [asking, setAsking] = useState<Asking>();
	const columns = fitColumns(keyColumns(size.columns), size.columns - GUTTER);
	useLayoutEffect(() => {
		table.load(known.rows);
		// Parts of the list come one after the other: until somebody moves, it begins at its first row.
		if (!hasMoved.get()) table.move('first');
	}, [table, hasMoved, known.rows]);
	if (asking !== undefined) {
		return (
			<KeyAsking
				asking={asking}
				rows={known.rows}
				doors={known.doors}
				size={size}
				say={say}
				onAsk={setAsking}
				onClose={() => setAsking(undefined)}
			/>
		);
	}
	async function refresh(): Promise<void> {
		await live.invalidateQueries({queryKey: keysKey});
		const unread = unreadMessage(unreadKeys(live), size.columns);
		if (unread !== undefined) say(unread);
	}
	const row = () => table.current();
	const isPractice = desk.target.kind === 'practice';
	const target: KeysTarget = {
		move(movement) {
			hasMoved.set(true);
			table.move(movement);
		},
		pick: step => table.pick(step, columns),
		order: () => table.order(),
		alsoOrder: () => table.alsoOrder(),
		canOrder: () => table.canOrder(),
		create: () => setAsking({kind: 'choose'}),
		remove: () => ask(row(), found => setAsking({kind: 'delete', row: found})),
		noRemove: () => noRemove(row(), isPractice),
		reset: () => ask(row(), found => setAsking({kind: 'reset', row: found})),
		noReset: () => (row()?.kind === 'api' ? noRemove(row(), isPractice) : 'it is for API keys'),
		attach: () => ask(row(), found => setAsking({kind: 'attach', row: found})),
		noAttach: () => noAttach(row(), fleet.state.get().rows.length),
		copy: () => ask(row(), found => copy(found.kind === 'ssh' ? found.text : `${found.keyId}`)),
		missing: () => (row() === undefined ? 'there is no key to act on' : undefined),
		refresh: () => void refresh(),
	};
	return (
		<KeyScope title="Keys" bindings={keyListBindings} target={target}>
			<Body table={table} known={known} columns={columns} size={size} />
		</KeyScope>
	);
}

function ask(row: KeyRow | undefined, act: (row: KeyRow) => void): void {
	if (row !== undefined) act(row);
}

function noAttach(row: KeyRow | undefined, instances: number): string | undefined {
	if (row?.kind !== 'ssh') return 'it is for SSH keys';
	if (row.isDeleted) return 'it is deleted';
	return instances === 0 ? 'there is no instance' : undefined;
}

function noRemove(row: KeyRow | undefined, isPractice: boolean): string | undefined {
	if (row === undefined) return 'there is no key to act on';
	if (row.keyId === undefined) return 'rentty deletes no key of this machine';
	if (row.kind === 'ssh' && row.isDeleted) return 'it is deleted already';
	const isOurs = row.kind === 'api' && row.isInUse && isPractice;
	return isOurs ? `${PRACTICE} could not be called any more without it` : undefined;
}

type BodyProps = Pick<ScreenProps, 'size'> & {
	readonly table: KeyTable;
	readonly known: ReturnType<typeof useKeys>;
	readonly columns: ReturnType<typeof keyColumns>;
};

function Body({table, known, columns, size}: BodyProps) {
	const {theme, painter, desk} = useServices();
	const height = heightsIn(size.rows).list - 1;
	useLayoutEffect(() => table.resize(height), [table, height]);
	const source = useMemo(() => {
		const heading = listHeading(table, columns, theme);
		const lines = listLines(table, columns, theme);
		return linesFrom([table.state, table.view], () =>
			keysBody({
				target: desk.target,
				keyEnd: known.end,
				check: known.check,
				list: [...heading.lines(), ...lines.lines()],
				row: table.current(),
				doors: known.doors,
				hidden: known.hidden,
				unreadable: known.unreadable,
				theme,
				size,
			}),
		);
	}, [table, columns, theme, desk, known, size]);
	return (
		<Painted painter={painter} source={source} hole={0} width={size.columns} height={size.rows} />
	);
}
