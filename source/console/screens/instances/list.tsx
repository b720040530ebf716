/** The list of instances: its state, and the query line that filters it. */
import {Text} from 'ink';
import {useMemo, type ReactNode} from 'react';
import {createList, type ChosenView} from '../../list/list.ts';
import {asGone, type FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {keptByStackEntry} from '../../services/router.ts';
import {createStore, derived, type Store} from '../../../renter/state/store.ts';
import type {SavedList} from '../../list/saved-list.ts';
import {instanceColumns, ROOMY} from './columns.ts';
import {createGroupedList} from './grouped-list.ts';
import {createHeldSweep} from './use-actions.ts';
import {PANE, type InstancePane} from './pane.tsx';
import {
	type FleetClause,
	fleetLexicon,
	stateNames,
	readFleetField,
	type FleetWord,
} from '../../../renter/fleet/query-fields.ts';
import {
	gpusIn,
	parseFleetQuery,
	selectInstances,
	printFleetQuery,
	type Selected,
} from '../../../renter/fleet/query.ts';
import {createLineHistory} from '../../../renter/offers/line-history.ts';
import {
	type QueryEdit,
	openQuery,
	type QueryLanguage,
	completeNext,
	pasteInto,
	recallLine,
	withRefusedLine,
	typeInto,
	queryLineBindings,
	type QueryLineTarget,
	fieldLine,
	completionLine,
} from '../../list/query-edit.ts';
import {countryOf} from '../../../contract/grammar/filter-match.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {completeLine} from '../../../renter/words/complete.ts';
import {newLineEdit} from '../../ui/line-edit.ts';
import {useStore} from '../../ui/painted.tsx';
import {useServices} from '../../services/services.tsx';
import type {Bindings} from '../../ui/bindings.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import type {Key} from '../../terminal/input/keys.ts';

export type ViewEntry = 'name' | 'key';

export const instanceListAt = keptByStackEntry(() => ({
	table: createList<FleetRow>(instanceColumns(ROOMY), row => row.instance.id, {
		watched: {
			isOver: ({condition}) => condition === 'destroying' || condition === 'gone',
			changedAt: ({becameAt}) => becameAt,
			isGone: ({condition}) => condition === 'gone',
			ended: asGone,
		},
	}),
	grouped: createGroupedList(),
	/** The line of words while it is open. */
	edit: createStore<QueryEdit<FleetClause> | undefined>(undefined),
	/** The list of views while it is open, in place of the instances. */
	views: createStore<SavedList<ViewEntry> | undefined>(undefined),
	/** Earlier queries, the latest last. */
	history: createLineHistory(),
	pane: createStore<InstancePane>({kind: 'money', isZoomed: false}),
	/** Columns of the pane, as its edge was dragged. */
	paneColumns: createStore(PANE),
	/** A confirmed sweep that can still be cancelled. */
	held: createHeldSweep(),
	/** The count of changes whose outcome is still open. */
	underWay: createStore(0),
}));

export type InstanceListState = ReturnType<typeof instanceListAt>;

export type InstanceFilter = {
	readonly words: string;
	readonly view: ChosenView | undefined;
};

/** An open line filters as it is typed. */
export function wantedIn({edit, table: {filter}}: InstanceListState): InstanceFilter {
	const words = edit.get()?.line.text.trim() ?? filter.words();
	return {words, view: filter.state.get().view};
}

export function isFiltering({words}: InstanceFilter): boolean {
	return words !== '';
}

export function filterInstances(
	rows: readonly FleetRow[],
	{words}: InstanceFilter,
): readonly FleetRow[] {
	return words === '' ? rows : selectedBy(words, rows).rows;
}

/** The last selection per array of rows: each frame needs it several times. */
const lastSelected = new WeakMap<readonly FleetRow[], {words: string; selected: Selected}>();

/** While words are typed, the cursor follows the best match. */
export function goToBest({edit, table}: InstanceListState, rows: readonly FleetRow[]): void {
	const words = edit.get()?.line.text.trim() ?? '';
	if (words === '') return;
	const {best} = selectedBy(words, rows);
	const place = table.state.get().shown.findIndex(({instance: {id}}) => id === best);
	if (place !== -1) table.moveTo(place);
}

/** Rows that a query selects; invalid words are skipped. */
function selectedBy(words: string, rows: readonly FleetRow[]): Selected {
	const last = lastSelected.get(rows);
	if (last?.words === words) return last.selected;
	const selected = selectInstances(parseFleetQuery(words, gpusIn(rows)), rows);
	lastSelected.set(rows, {words, selected});
	return selected;
}

/** Selected rows, and those shown already, which stay while no row may move. */
export function filteredBeside(
	rows: readonly FleetRow[],
	wanted: InstanceFilter,
	shown: readonly FleetRow[],
): readonly FleetRow[] {
	const ids = new Set([...filterInstances(rows, wanted), ...shown].map(({instance: {id}}) => id));
	return rows.filter(({instance: {id}}) => ids.has(id));
}

type Props<Meant> = {
	readonly edit: Store<QueryEdit<Meant> | undefined>;
	readonly language: () => QueryLanguage<Meant>;
	/** Earlier lines, the newest last. */
	readonly history: () => readonly string[];
	readonly bindings: Bindings<QueryLineTarget>;
	/** Called with valid words to ask for. */
	readonly onAsk: (words: string) => void;
	/** Leaves the query unchanged. */
	readonly onLeave: () => void;
	readonly children: ReactNode;
};

const nothing: Bindings<QueryLineTarget> = [];

/**
 * Keys of a line of words about a noun. The store decides, not the drawn frame: letters right behind the
 * key that opens the line are text, too.
 */
function QueryScope<Meant>({edit, bindings, children, ...query}: Props<Meant>) {
	const isOpen = useStore(edit, now => now !== undefined);
	const change = (next: (now: QueryEdit<Meant>) => QueryEdit<Meant> | undefined) => {
		const now = edit.get();
		const changed = now && next(now);
		if (changed !== undefined) edit.set(changed);
		return changed !== undefined;
	};
	const recall = (step: 1 | -1) =>
		void change(now => recallLine(now, step, query.history(), query.language().parse));
	const target: QueryLineTarget = {
		/** An invalid line stays open and shows its problem. */
		apply() {
			const now = edit.get();
			if (now === undefined) return;
			const parsed = query.language().parse(now.line.text);
			if (parsed.problems.length > 0) edit.set(withRefusedLine({...now, parsed}));
			else query.onAsk(now.line.text.trim());
		},
		leave: query.onLeave,
		recall,
		down: () => recall(-1),
		complete: step => void change(now => completeNext(now, step, query.language())),
	};
	const takeKey = (key: Key): boolean => {
		if (edit.get() === undefined) return false;
		const binding = bindings.find(({keys}) => keys.includes(key));
		if (binding === undefined) return change(now => typeInto(now, key, query.language().parse));
		void binding.run(target);
		return true;
	};
	return (
		<KeyScope
			title="Query line"
			isModal={isOpen}
			bindings={isOpen ? bindings : nothing}
			target={target}
			onText={takeKey}
			onPaste={text => change(now => pasteInto(now, text, query.language().parse))}
		>
			{children}
		</KeyScope>
	);
}

/** The query language over these instances. A word that matches none of them is a problem, too. */
function languageOf(rows: readonly FleetRow[]): QueryLanguage<FleetClause> {
	const gpus = gpusIn(rows);
	return {
		parse(line) {
			const query = parseFleetQuery(line, gpus);
			const {problems, notes} = selectInstances(query, rows);
			const words = query.words.map(word => ({...word, note: notes.get(word.start) ?? word.note}));
			return {words, problems: [...query.problems, ...problems]};
		},
		complete: (line, cursor) =>
			completeLine(line, cursor, {gpus, valuesOf: field => valuesIn(rows, field)}, fleetLexicon),
	};
}

const MOST_VALUES = 40;

function valuesIn(rows: readonly FleetRow[], {field, type, unit}: FleetWord): readonly string[] {
	if (field === 'state') return stateNames;
	if (unit !== 'none') return [];
	const values = new Set<string>();
	for (const row of rows) {
		const value = readFleetField(row, field);
		const text = type === 'place' ? countryOf(String(value))?.toUpperCase() : value;
		if (text !== null && text !== undefined && text !== '') values.add(printable(String(text)));
	}
	return [...values].toSorted().slice(0, MOST_VALUES);
}

export function openFilter({edit, table}: InstanceListState, rows: readonly FleetRow[]): void {
	edit.set(openQuery(table.filter.words(), languageOf(rows).parse));
}

type ScopeProps = {readonly list: InstanceListState; readonly children: ReactNode};

/** Gives the keyboard to the line for as long as it is open. */
export function InstanceQueryScope({list, children}: ScopeProps) {
	const {fleet} = useServices();
	const {edit, history, table} = list;
	return (
		<QueryScope
			{...{edit, history: history.lines, bindings: queryLineBindings}}
			language={() => languageOf(fleet.state.get().rows)}
			onAsk={words => {
				history.add(words);
				table.filter.state.set({...table.filter.state.get(), line: newLineEdit(words)});
				edit.set(undefined);
			}}
			onLeave={() => edit.set(undefined)}
		>
			{children}
		</QueryScope>
	);
}

/** The open line with its meaning below; undefined while it is closed. */
export function QueryLines({
	list,
	width,
}: {
	readonly list: InstanceListState;
	readonly width: number;
}) {
	const {theme, fleet} = useServices();
	const text = useStore(
		useMemo(
			() =>
				derived([list.edit, fleet.state], () => {
					const edit = list.edit.get();
					if (edit === undefined) return '';
					const look = {theme, width};
					const meaning = completionLine(edit, look) ?? meant(edit, fleet.state.get().rows, width);
					return `${fieldLine(edit, look)}\n${meaning}`;
				}),
			[list, fleet, theme, width],
		),
	);
	return <Text wrap="truncate">{text}</Text>;
}

/** The query in its normal form, and the count of instances it finds. */
function meant(
	{parsed: {words}}: QueryEdit<FleetClause>,
	rows: readonly FleetRow[],
	width: number,
): string {
	const notes = words.flatMap(({note}) => note ?? []);
	const clauses = words.flatMap(word => word.clauses);
	const said = notes.length > 0 ? notes.join('; ') : printFleetQuery(clauses, gpusIn(rows));
	const found = `  ${selectInstances({words, problems: []}, rows).rows.length} of ${rows.length}`;
	const room = width - found.length;
	return fit(`     =  ${printable(said)}`, room) + found;
}
