import {useMemo} from 'react';
import {createStore, derived, type Readable} from '../../renter/state/store.ts';
import {useServices, useTerminal} from '../services/services.tsx';
import type {Size} from '../terminal/terminal.ts';
import {KeyScope} from '../ui/key-scope.tsx';
import {
	numberLines,
	numbersBindings,
	numberText,
	TABLE_HEAD,
	topTableRow,
	type NumbersTarget,
	type NumberTable,
} from '../ui/number-table.ts';
import {Painted} from '../ui/painted.tsx';

type Props = {
	readonly table: Readable<NumberTable>;
	readonly size: Size;
	readonly onClose: () => void;
};

export function NumbersView({table, size: {columns, rows}, onClose}: Props) {
	const {theme} = useServices();
	const {copy} = useTerminal();
	const top = useMemo(() => createStore<number | undefined>(undefined), []);
	const lines = useMemo(
		() =>
			derived([table, top], () =>
				numberLines(table.get(), {theme, size: {columns, rows}, top: top.get()}),
			),
		[table, top, theme, columns, rows],
	);
	const room = Math.max(1, rows - TABLE_HEAD);
	const target: NumbersTarget = {
		scroll(step) {
			const {length} = table.get().rows;
			const next = topTableRow(topTableRow(top.get(), length, room) + step, length, room);
			// At the end it follows new rows.
			top.set(next >= length - room ? undefined : next);
		},
		page: step => target.scroll(step * room),
		copy: () => copy(numberText(table.get())),
		close: onClose,
	};
	return (
		<KeyScope title="Numbers" bindings={numbersBindings} target={target}>
			<Painted source={lines} width={columns} height={rows} />
		</KeyScope>
	);
}
