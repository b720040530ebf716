import {useQuery} from '@tanstack/react-query';
import {Box, Text} from 'ink';
import {useLayoutEffect, useMemo, useSyncExternalStore} from 'react';
import type {FoundTemplates} from '../../../client/nouns/templates.ts';
import {noneUnreadable} from '../../../contract/unreadable.ts';
import type {Template} from '../../../contract/templates.ts';
import {unreadableWords} from '../../../renter/unreadable.ts';
import {ruleLine, spread} from '../../chrome.ts';
import {fitColumns} from '../../list/columns.ts';
import {editLine, insertText, lineOf} from '../../components/line-edit.ts';
import {GUTTER} from '../../list/lines.ts';
import {TextField} from '../../components/text-field.tsx';
import {count} from '../../../renter/format.ts';
import {KeyScope} from '../../key-scope.tsx';
import {Typing} from '../../components/typing.tsx';
import {useServices, useSettings} from '../../services.tsx';
import type {Key} from '../../terminal/input/keys.ts';
import {fit, widthOf} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../place.ts';
import {askAgain} from '../unreadable.ts';
import {templateColumns} from './columns.ts';
import {
	filteredTemplateBindings,
	filterLineBindings,
	templateTableBindings,
} from './list-bindings.ts';
import type {TemplateTableTarget} from './list-bindings.ts';
import {completeField, filterHelp} from './filter-fields.ts';
import {readTemplateWords} from './list-state.ts';
import type {Asked, TemplateList as List} from './list-state.ts';
import {meQuery, templatesQuery} from './questions.ts';
import {TemplateRows} from './template-rows.tsx';
import {TemplatesNotice} from './templates-notice.tsx';
import {lastUsedFirst, shortHash, withTexts} from './templates.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {readonly list: List};

/** The filter line and a rule. */
const LINES_ABOVE = 2;

/** Templates with their filter, wherever they are listed. What is done with one is not said here. */
export function TemplateList({list, size, say}: Props) {
	const {client, now} = useServices();
	const {templateHash} = useSettings();
	const words = useSyncExternalStore(list.words.subscribe, list.words.get);
	const {data: me} = useQuery(meQuery(client));
	const asked = useMemo(() => readTemplateWords(words, me), [words, me]);
	const query = useQuery({
		...templatesQuery(client, asked.search),
		placeholderData: (before: FoundTemplates | undefined) => before,
	});
	const {templates: data, unreadable = noneUnreadable} = query.data ?? {};
	const columns = useMemo(() => templateColumns({me, now: now()}), [me, now]);
	const shown = useMemo(
		() => (data === undefined ? undefined : withTexts(lastUsedFirst(data, me), asked.texts)),
		[data, me, asked],
	);
	useLayoutEffect(() => {
		list.table.define(columns);
		if (shown !== undefined) list.table.load(shown);
	}, [list, columns, shown]);
	const inView = fitColumns(columns, Math.min(size.columns, 90) - GUTTER);
	const target = tableTarget(list, inView, async () =>
		askAgain(query.refetch, {noun: 'templates', width: size.columns, say}),
	);
	const room = {columns: size.columns, rows: size.rows - LINES_ABOVE};
	return (
		<KeyScope
			title="List"
			bindings={words === '' ? templateTableBindings : filteredTemplateBindings}
			target={target}
		>
			<Box flexDirection="column">
				<Typing onKey={key => typeInto(list, key)}>
					<FilterLine
						list={list}
						width={size.columns}
						asked={asked}
						result={
							staleUsual(templateHash, words === '' ? query.data : undefined) +
							resultOf(query, shown)
						}
					/>
				</Typing>
				{shown === undefined || shown.length === 0 ? (
					<TemplatesNotice
						error={query.error}
						isLoading={query.isFetching}
						words={words}
						unreadable={unreadable}
						size={room}
					/>
				) : (
					<TemplateRows table={list.table} columns={inView} size={room} unreadable={unreadable} />
				)}
			</Box>
		</KeyScope>
	);
}

/** Whoever is used to a template finds out here that it is gone under its hash. */
function staleUsual(hash: string | null, all: FoundTemplates | undefined): string {
	// One that could not be read may be it.
	if (hash === null || all === undefined || all.unreadable.count > 0) return '';
	const isStale = all.templates.every(({hash_id: other}) => other !== hash);
	return isStale ? `your usual ${shortHash(hash)} is gone or edited   ` : '';
}

type Query = {
	readonly isFetching: boolean;
	readonly error: Error | null;
	readonly data: FoundTemplates | undefined;
};

function resultOf(
	{isFetching, error, data}: Query,
	shown: readonly Template[] | undefined,
): string {
	if (shown === undefined) return isFetching ? 'searching' : '';
	const state = isFetching ? ' searching' : error === null ? '' : ' stale';
	const noun = shown.length === 1 ? 'template' : 'templates';
	// Where there are rows, the rule under them says it.
	const unread = shown.length > 0 || data === undefined ? '' : unreadableWords(data.unreadable);
	return `${count(shown.length)} ${noun}${unread ? `, ${unread}` : ''}${state}`;
}

function tableTarget(
	{table, words, line}: List,
	columns: ReturnType<typeof templateColumns>,
	refresh: () => Promise<void>,
): TemplateTableTarget {
	return {
		move: table.move,
		pick: step => table.pick(step, columns),
		order: () => table.order(),
		alsoOrder: () => table.alsoOrder(),
		canOrder: () => table.canOrder(),
		filter: () => line.set(lineOf(words.get())),
		refresh: () => void refresh(),
		clear: () => words.set(''),
	};
}

type FilterProps = {
	readonly list: List;
	readonly width: number;
	readonly asked: Asked;
	readonly result: string;
};

/** Types into the filter line; false where it is not open. */
function typeInto({line}: List, key: Key): boolean {
	const open = line.get();
	if (open !== undefined) line.set(editLine(open, key) ?? open);
	return open !== undefined;
}

const PROMPT = 'filter> ';

function FilterLine({list, width, asked, result}: FilterProps) {
	const {theme} = useServices();
	const line = useSyncExternalStore(list.line.subscribe, list.line.get);
	if (line === undefined) {
		const words = list.words.get();
		const said = asked.problem === undefined ? result : asked.problem;
		const left = words === '' ? `${PROMPT}mine first, then last used` : PROMPT + words;
		return (
			<>
				<Text wrap="truncate">{spread(width, left, said)}</Text>
				<Text wrap="truncate">{ruleLine(theme, width)}</Text>
			</>
		);
	}
	return (
		<KeyScope
			isModal
			title="Filter"
			bindings={filterLineBindings}
			target={{
				apply() {
					list.words.set(list.line.get()?.text.trim() ?? '');
					list.line.set(undefined);
				},
				complete: () => list.line.set(completeField(list.line.get() ?? line)),
				leave: () => list.line.set(undefined),
			}}
			onText={key => {
				typeInto(list, key);
				return true;
			}}
			onPaste={text => {
				const open = list.line.get();
				if (open !== undefined) list.line.set(insertText(open, text));
				return true;
			}}
		>
			<Box>
				<Text>{PROMPT}</Text>
				<TextField hasFocus theme={theme} line={line} width={width - widthOf(PROMPT) - 1} />
			</Box>
			<Text wrap="truncate">{theme.style('quiet', fit(filterHelp(line), width))}</Text>
		</KeyScope>
	);
}
