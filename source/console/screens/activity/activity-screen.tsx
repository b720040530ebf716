import {Box, Text} from 'ink';
import {useLayoutEffect, useMemo, useState, useSyncExternalStore} from 'react';
import {ruleLine, spread} from '../../chrome.ts';
import {editLine, emptyLine, insertText} from '../../components/line-edit.ts';
import {Notice} from '../../components/notice.tsx';
import {Painted} from '../../components/painted.tsx';
import {GUTTER, positionRule, listHeading, listLines} from '../../list/lines.ts';
import {drawLine} from '../../components/text-field.tsx';
import {Typing} from '../../components/typing.tsx';
import {count, sentence} from '../../../renter/format.ts';
import {KeyScope} from '../../key-scope.tsx';
import type {Router} from '../../router.ts';
import {useServices} from '../../services.tsx';
import type {Key} from '../../terminal/input/keys.ts';
import {printable} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../place.ts';
import {listAt} from './activity-list.ts';
import type {ActivityList} from './activity-list.ts';
import {activityBindings, activityFilterBindings} from './bindings.ts';
import type {ActivityTarget} from './bindings.ts';
import {activityColumns} from './columns.ts';
import {jsonOf} from './detail-lines.ts';
import {HappeningView} from './happening-view.tsx';
import {sifted} from './happenings.ts';
import type {Happening} from './happenings.ts';
import {useHappenings} from './use-happenings.ts';

/** The filter, a rule, the titles, and the rule under the rows. */
const LINES_AROUND = 4;

/** Everything that rentty changed or saw change, the newest first. */
export function ActivityScreen({place, router, size}: ScreenProps) {
	const services = useServices();
	const {theme, painter, now, copy} = services;
	const list = listAt(place);
	const {all, error, refresh} = useHappenings();
	const filter = useSyncExternalStore(list.filter.subscribe, list.filter.get);
	const [opened, setOpened] = useState<Happening>();
	const columns = useMemo(() => activityColumns(size.columns - GUTTER, now()), [size.columns, now]);
	const shown = useMemo(() => sifted(all ?? [], filter.line.text), [all, filter.line.text]);
	const height = Math.max(1, size.rows - LINES_AROUND);
	useLayoutEffect(() => list.table.resize(height), [list, height]);
	useLayoutEffect(() => void list.table.load(shown), [list, shown]);
	const sources = useMemo(
		() => ({
			heading: listHeading(list.table, columns, theme),
			rows: listLines(list.table, columns, theme),
			rule: positionRule(list.table, theme, size.columns),
		}),
		[list, columns, theme, size.columns],
	);
	if (opened !== undefined) {
		const close = () => setOpened(undefined);
		return <HappeningView happening={opened} size={size} onClose={close} />;
	}
	const target = activityTarget({list, router, columns, refresh, copy, open: setOpened});
	const {columns: width} = size;
	const field = drawLine(theme, filter.line, {width: 30, hasFocus: filter.before !== undefined});
	const isOpen = filter.before !== undefined || filter.line.text !== '';
	const top = spread(width, isOpen ? `filter> ${field}` : 'filter>', amountOf(all, shown));
	const paint = {width, painter};
	return (
		<KeyScope title="Activity" bindings={activityBindings} target={target}>
			<Typing onKey={key => list.filter.get().before !== undefined && typeInto(list, key)}>
				<Box flexDirection="column">
					<Text wrap="truncate">{top}</Text>
					<Text wrap="truncate">{ruleLine(theme, width)}</Text>
					{shown.length === 0 ? (
						<Notice {...noticeOf(all, error)} width={width} height={size.rows - 2} />
					) : (
						<>
							<Painted {...paint} source={sources.heading} hole={5} height={1} />
							<Painted {...paint} source={sources.rows} hole={0} height={height} />
							<Painted {...paint} source={sources.rule} hole={1} height={1} />
						</>
					)}
				</Box>
				{filter.before === undefined ? null : <FilterScope list={list} />}
			</Typing>
		</KeyScope>
	);
}

function amountOf(all: readonly Happening[] | undefined, shown: readonly Happening[]): string {
	if (all === undefined) return 'reading';
	const amount = `${count(all.length)} ${all.length === 1 ? 'entry' : 'entries'}`;
	return shown.length === all.length ? amount : `${count(shown.length)} of ${amount}`;
}

function noticeOf(all: readonly Happening[] | undefined, error: Error | undefined) {
	if (all === undefined) {
		return error === undefined
			? {title: 'Reading what was done so far'}
			: {title: sentence(printable(error.message)), lines: ['R tries again.']};
	}
	if (all.length > 0) return {title: 'Nothing fits the filter.', lines: ['Esc takes it away.']};
	return {
		title: 'Nothing was changed from here yet.',
		lines: [
			'What rentty rents, stops or destroys is listed here, and what it sees change.',
			'1 looks for offers.',
		],
	};
}

type TargetOptions = {
	readonly list: ActivityList;
	readonly router: Router;
	readonly columns: ReturnType<typeof activityColumns>;
	readonly refresh: () => void;
	readonly copy: (text: string) => void;
	readonly open: (happening: Happening) => void;
};

function activityTarget({list, router, columns, ...options}: TargetOptions): ActivityTarget {
	const {table, filter} = list;
	const isFiltered = () => filter.get().line.text !== '';
	const withRow = (act: (row: Happening) => void) => () => {
		const row = table.current();
		if (row !== undefined) act(row);
	};
	return {
		move: table.move,
		pick: step => table.pick(step, columns),
		order: () => table.order(),
		alsoOrder: () => table.alsoOrder(),
		canOrder: () => table.canOrder(),
		open: withRow(options.open),
		copy: withRow(row => options.copy(jsonOf(row))),
		filter: () => filter.set({line: filter.get().line, before: filter.get().line}),
		refresh: options.refresh,
		isEmpty: () => table.current() === undefined,
		back() {
			if (isFiltered()) filter.set({line: emptyLine, before: undefined});
			else router.back();
		},
		backUnavailable: () =>
			isFiltered() || router.stack.get().length > 1
				? undefined
				: 'this is the first screen; q quits',
	};
}

function typeInto({filter}: ActivityList, key: Key): boolean {
	const line = editLine(filter.get().line, key);
	if (line !== undefined) filter.set({...filter.get(), line});
	return line !== undefined;
}

/** Has the keyboard for as long as the filter is typed. */
function FilterScope({list}: {readonly list: ActivityList}) {
	const {filter} = list;
	return (
		<KeyScope
			isModal
			title="Filter"
			bindings={activityFilterBindings}
			target={{
				apply: () => filter.set({line: filter.get().line, before: undefined}),
				restore: () => filter.set({line: filter.get().before ?? emptyLine, before: undefined}),
			}}
			onText={key => {
				typeInto(list, key);
				return true;
			}}
			onPaste={text => {
				filter.set({...filter.get(), line: insertText(filter.get().line, text)});
				return true;
			}}
		>
			{null}
		</KeyScope>
	);
}
