/** Counts and costs of each value of a column among the listed instances. */
import {Box, Text} from 'ink';
import {useLayoutEffect, useMemo, useState} from 'react';
import {
	countedFields,
	countValues,
	type CountedField,
	type ValueCount,
} from '../../../renter/fleet/groups.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {newLineEdit} from '../../ui/line-edit.ts';
import {useStore} from '../../ui/painted.tsx';
import {type Column, mostColumn, textColumn} from '../../list/columns.ts';
import {ListRows, ListRule, ListScope, useFitting} from '../../list/list-view.tsx';
import {createList} from '../../list/list.ts';
import {useServices} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {valueBindings} from './bindings.ts';
import {nameOfGroup, stateOfGroup, sumText} from './grouped-list.ts';
import type {InstanceListState} from './list.tsx';

type Counted = ValueCount & {readonly id: number; readonly share: number};

const BAR = 20;

const keyOf = ({key}: Counted) => key;
const amountOf = ({rows}: Counted) => rows.length;

const columns: ReadonlyArray<Column<Counted>> = [
	{
		...textColumn(['value', 'VALUE', 18, 0], keyOf, String),
		growth: [24, 40],
		best: 'high',
		cell: nameOfGroup,
	},
	mostColumn(['count', 'N', 5, 1], amountOf, String),
	{
		...mostColumn(['bar', 'SHARE', BAR, 2], amountOf, String),
		align: 'left',
		cell: ({share}) => '█'.repeat(Math.max(1, Math.round(share * BAR))),
	},
	{
		...mostColumn(['now', '$/H', 8, 3], ({now}: Counted) => now, String),
		cell: group => sumText(group, 'now'),
	},
	{
		...mostColumn(['most', 'AT MOST', 8, 4], ({atMost}: Counted) => atMost, String),
		cell: group => sumText(group, 'atMost'),
	},
	{
		...textColumn(['state', 'STATE', 12, 5], keyOf, String),
		growth: [24],
		best: 'high',
		cell: stateOfGroup,
	},
];

type Props = {
	readonly list: InstanceListState;
	readonly size: Size;
	readonly onClose: () => void;
};

/** The fields that columns of the list show, where their names differ. */
const fieldNames: Readonly<Partial<Record<string, CountedField>>> = {where: 'loc', use: 'util'};

function fieldOfColumn(id: string | undefined): CountedField {
	const name = fieldNames[id ?? ''] ?? id;
	return countedFields.find(field => field === name) ?? countedFields[0];
}

/** The values of the picked column, in place of the list. */
export function ValueCounts({list: {table}, size, onClose}: Props) {
	const {theme} = useServices();
	const {pickedId, order} = table.view.get();
	const [field, setField] = useState(() => fieldOfColumn(pickedId ?? order[0]?.columnId));
	const [counts] = useState(() => createList(columns, ({id}: Counted) => id));
	const listed = useStore(table.state, state => state.shown);
	const shown = useMemo(() => listed.filter(({condition}) => condition !== 'gone'), [listed]);
	useLayoutEffect(() => {
		const values = countValues(shown, field);
		const most = Math.max(1, ...values.map(({rows}) => rows.length));
		counts.load(values.map((value, id) => ({...value, id, share: value.rows.length / most})));
	}, [counts, shown, field]);
	const fitting = useFitting(columns, size.columns);
	const target = {
		pick(step: 1 | -1) {
			const at = countedFields.indexOf(field) + step + countedFields.length;
			setField(countedFields[at % countedFields.length] ?? field);
			counts.move('first');
		},
		use() {
			const words = counts.current()?.query;
			if (words === undefined) return;
			const {line} = table.filter.state.get();
			const both = `${line.text.trim()} ${words}`.trim();
			table.filter.state.set({...table.filter.state.get(), line: newLineEdit(both)});
			onClose();
		},
		noWords: () =>
			counts.current()?.query === undefined ? 'no words find those without a value' : undefined,
		close: onClose,
	};
	const title = ` VALUES of ${field}`;
	return (
		<ListScope
			isModal
			title="Values"
			list={counts}
			columns={fitting}
			bindings={valueBindings}
			target={target}
		>
			<Box flexDirection="column" width={size.columns} height={size.rows} overflow="hidden">
				<Text wrap="truncate">
					{spread(size.columns, title, `${shown.length} instances, < and > another column`)}
				</Text>
				<Text wrap="truncate">{ruleLine(theme, size.columns)}</Text>
				<ListRows
					list={counts}
					columns={fitting}
					width={size.columns}
					height={Math.max(1, size.rows - 4)}
				/>
				<ListRule list={counts} width={size.columns} />
			</Box>
		</ListScope>
	);
}
