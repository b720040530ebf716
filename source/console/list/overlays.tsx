import {pickRow} from '../ui/panes.ts';
import {Box, Text} from 'ink';
import {useState} from 'react';
import {chooserBindings} from './bindings.ts';
import {columnChooserTarget, type Chooser} from './chooser-target.ts';
import {spread} from '../ui/chrome.ts';
import {ruleLine} from '../ui/rules.ts';
import {type Column, arranged, isVisible} from './columns.ts';
import type {ColumnChoice} from '../../renter/settings/default-settings.ts';
import {KeyScope} from '../ui/key-scope.tsx';
import {createStore} from '../../renter/state/store.ts';
import {fit} from '../../renter/text/text-width.ts';
import type {Theme} from '../ui/theme.ts';
import {useStore} from '../ui/painted.tsx';
import type {Bindings} from '../ui/bindings.ts';
import {
	editEntry,
	pastedText,
	savedListLines,
	typedKey,
	type SavedFrame,
	type SavedList,
	type SavedStore,
	entryBindings,
	type EntryTarget,
} from './saved-list.ts';

type ChooserProps<Row> = Omit<Chooser<Row>, 'cursor'> & {
	readonly choice: ColumnChoice;
	/** The columns that the service sent nothing for. */
	readonly unsent: ReadonlySet<string>;
	readonly theme: Theme;
	readonly width: number;
	readonly height: number;
};

/** Title and rule. */
const LINES_ABOVE = 2;

/** Chooser of a list's columns: shown or hidden, order and width. Changes hold at once. */
export function ColumnChooser<Row>(props: ChooserProps<Row>) {
	const {columns, choice, unsent, theme, width, height} = props;
	const [cursor] = useState(() => createStore(arranged(columns, choice)[0]?.id));
	const here = useStore(cursor);
	const rows = arranged(columns, choice);
	const at = Math.max(
		0,
		rows.findIndex(({id}) => id === here),
	);
	const target = columnChooserTarget({...props, cursor});
	const room = height - LINES_ABOVE;
	const top = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room));
	return (
		<KeyScope isModal title="Columns" bindings={chooserBindings} target={target}>
			<Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
				<Text wrap="truncate">{spread(width, 'COLUMNS', `set: ${choice.set}`)}</Text>
				<Text wrap="truncate">{ruleLine(theme, width)}</Text>
				{rows.slice(top, top + room).map((row, line) => {
					const text = fit(describe(row, choice, unsent.has(row.id)), width - 2);
					const isHere = top + line === at;
					return (
						<Text key={row.id} wrap="truncate">
							{pickRow(theme, text, {isHere, width})}
						</Text>
					);
				})}
			</Box>
		</KeyScope>
	);
}

function describe<Row>(column: Column<Row>, choice: ColumnChoice, isUnsent: boolean): string {
	const {title, width, about = ''} = column;
	const box = isVisible(column, choice) ? '[x]' : '[ ]';
	const note = isUnsent ? '(not sent by this service)' : '';
	return `${box} ${fit(title, 8)} ${fit(`${width} wide`, 8)} ${about} ${note}`.trimEnd();
}

type SavedProps<Kind extends string, Target extends object> = SavedFrame & {
	readonly view: SavedStore<Kind>;
	readonly shown: SavedList<Kind>;
	readonly scope: string;
	readonly bindings: Bindings<NoInfer<Target>>;
	readonly target: Target;
	/** Key methods while a line is typed. */
	readonly entry: EntryTarget;
};

export function SavedScope<Kind extends string, Target extends object>(
	props: SavedProps<Kind, Target>,
) {
	const {view, shown, scope, bindings, target, entry, ...frame} = props;
	const text = <Text wrap="truncate">{savedListLines(shown, frame).join('\n')}</Text>;
	if (shown.entry === undefined) {
		return (
			<KeyScope isModal title={scope} bindings={bindings} target={target}>
				{text}
			</KeyScope>
		);
	}
	return (
		<KeyScope
			isModal
			title="Saved: typing"
			bindings={entryBindings}
			target={entry}
			onText={key => editEntry(view, typedKey(key))}
			onPaste={pasted => editEntry(view, pastedText(pasted))}
		>
			{text}
		</KeyScope>
	);
}
