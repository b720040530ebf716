import {Box, Text} from 'ink';
import {useMemo, useLayoutEffect} from 'react';
import {useQuery} from '@tanstack/react-query';
import {type Unreadable, noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import {type Column, fitColumns} from '../../list/columns.ts';
import {Painted, useStore} from '../../ui/painted.tsx';
import {ListRows, ListRule, ListScope} from '../../list/list-view.tsx';
import {type List, appliedFilter} from '../../list/list.ts';
import {useServices, useSettings, useTime} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {unreadNotes, unreadNotice, askAgain, answerStatus} from '../../list/unreadable.ts';
import {templatePaneLines, summaryLines} from './facts.ts';
import {usesOf, lastUsedFirst, shortHash, withTexts} from '../../../renter/templates/templates.ts';
import {derived, type Store} from '../../../renter/state/store.ts';
import {filteredTemplateBindings, filterLineBindings, templateTableBindings} from './bindings.ts';
import {Notice} from '../../ui/notice.tsx';
import {sentence, count} from '../../../renter/text/format.ts';
import type {FoundTemplates} from '../../../client/nouns/templates.ts';
import {unreadableCountText} from '../../../renter/text/unreadable.ts';
import {filterLine} from '../../list/lines.ts';
import {jointRule, paneLine} from '../../ui/rules.ts';
import {GUTTER} from '../../list/lines.ts';
import {formatLineEdit} from '../../ui/line-edit.ts';
import {fit, widthOf} from '../../../renter/text/text-width.ts';
import type {ScreenProps} from '../../services/router.ts';
import {
	templateColumns,
	parseTemplateFilter,
	type TemplateListQuery,
	filterHelp,
} from './list-state.ts';
import {templatesQuery} from '../../queries/templates.ts';
import {meQuery} from '../../queries/account.ts';

type RowsProps = {
	readonly list: List<Template>;
	readonly columns: ReadonlyArray<Column<Template>>;
	readonly size: Size;
	readonly unreadable: Unreadable;
};

/** Width from which the template under the cursor is shown beside the list, not below it. */
const WIDE = 120;
const LIST_WIDTH = 82;
/** Columns of the rule beside the list, and of the blanks around it. */
const RULE = 3;
/** The titles, and the rule under the rows. */
const LINES_AROUND = 2;
const SUMMARY_LINES = 5;

function TemplateRows({list, columns, size, unreadable}: RowsProps) {
	const {fleet, settings, theme} = useServices();
	const isWide = size.columns >= WIDE;
	const width = isWide ? LIST_WIDTH : size.columns;
	const height = Math.max(1, size.rows - LINES_AROUND - (isWide ? 0 : SUMMARY_LINES));
	const aside = isWide
		? {width: size.columns - LIST_WIDTH - RULE, height: size.rows}
		: {width: size.columns, height: SUMMARY_LINES};
	const about = useMemo(
		() =>
			derived([list.state, fleet.state, settings], () => {
				const template = list.current();
				const uses = usesOf(template, fleet.state.get(), settings.get());
				return isWide
					? templatePaneLines(template, uses, {theme, width: aside.width, height: aside.height})
					: summaryLines(template, uses, aside.width);
			}),
		[list, fleet, settings, theme, isWide, aside.width, aside.height],
	);
	const words = useMemo(() => ({notes: unreadNotes(unreadable)}), [unreadable]);
	const listed = (
		<Box flexDirection="column" width={width} flexShrink={0}>
			<ListRows {...{list, columns, width, height}} />
			<ListRule {...{list, width, words}} />
		</Box>
	);
	const summary = <Painted {...aside} source={about} />;
	if (!isWide) {
		return (
			<Box flexDirection="column">
				{listed}
				{summary}
			</Box>
		);
	}
	return (
		<Box>
			{listed}
			<Text>{Array.from({length: size.rows}, () => ` ${paneLine(theme, '')} `).join('\n')}</Text>
			{summary}
		</Box>
	);
}

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly list: List<Template>;
	/** The hash of a template that the cursor goes to once it is listed. */
	readonly saved?: Store<string | undefined> | undefined;
};

/** The filter line and a rule. */
const LINES_ABOVE = 2;

/** Templates with their filter, wherever they are listed. Actions on them belong to the screens. */
export function TemplateList({list, size, say, saved}: Props) {
	const {client} = useServices();
	const {now} = useTime();
	const {templateHash} = useSettings();
	const {state} = list.filter;
	const words = useStore(state, appliedFilter);
	const {data: me} = useQuery(meQuery(client));
	const asked = useMemo(() => parseTemplateFilter(words, me), [words, me]);
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
		list.define(columns);
		if (shown === undefined) return;
		list.load(shown);
		const place = list.state.get().shown.findIndex(({hash_id: hash}) => hash === saved?.get());
		if (place === -1) return;
		list.moveTo(place);
		saved?.set(undefined);
	}, [list, columns, shown, saved]);
	const inView = fitColumns(columns, Math.min(size.columns, 90) - GUTTER);
	const refresh = () => void askAgain(query.refetch, {noun: 'templates', width: size.columns, say});
	const room = {columns: size.columns, rows: size.rows - LINES_ABOVE};
	return (
		<ListScope
			title="List"
			list={list}
			columns={inView}
			bindings={words === '' ? templateTableBindings : filteredTemplateBindings}
			filterKeys={filterLineBindings}
			target={{refresh}}
		>
			<Box flexDirection="column">
				<FilterLine
					list={list}
					width={size.columns}
					hasPane={(shown?.length ?? 0) > 0 && size.columns >= WIDE}
					asked={asked}
					result={
						staleUsual(templateHash, words === '' ? query.data : undefined) + resultOf(query, shown)
					}
				/>
				{shown === undefined || shown.length === 0 ? (
					<TemplatesNotice
						error={query.error}
						isLoading={query.isFetching}
						words={words}
						unreadable={unreadable}
						size={room}
					/>
				) : (
					<TemplateRows list={list} columns={inView} size={room} unreadable={unreadable} />
				)}
			</Box>
		</ListScope>
	);
}

/** Notice that the usual template is gone under its hash. */
function staleUsual(hash: string | null, all: FoundTemplates | undefined): string {
	// An unreadable template may be the usual one.
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
	// If there are rows, the rule under them shows this count.
	const unread = shown.length > 0 || data === undefined ? '' : unreadableCountText(data.unreadable);
	return `${count(shown.length)} ${noun}${unread ? `, ${unread}` : ''}${state}`;
}

type FilterProps = {
	readonly list: List<Template>;
	readonly width: number;
	/** A template is shown beside the list. */
	readonly hasPane: boolean;
	readonly asked: TemplateListQuery;
	readonly result: string;
};

const PROMPT = 'filter> ';

function FilterLine({list, width, hasPane, asked, result}: FilterProps) {
	const {theme} = useServices();
	const {state} = list.filter;
	const {line, before} = useStore(state);
	if (before === undefined) {
		const words = appliedFilter(state.get());
		const order = words === '' && result !== '' ? ' · mine first, then last used' : '';
		const said = asked.problem ?? `${result}${order}`;
		return (
			<>
				<Text wrap="truncate">{filterLine(theme, width, words, said)}</Text>
				<Text wrap="truncate">
					{jointRule(theme, width, {at: hasPane ? LIST_WIDTH + 1 : 0, sign: '┬'})}
				</Text>
			</>
		);
	}
	return (
		<>
			<Box>
				<Text>{PROMPT}</Text>
				<Text wrap="truncate">
					{formatLineEdit(theme, line, {hasFocus: true, width: width - widthOf(PROMPT) - 1})}
				</Text>
			</Box>
			<Text wrap="truncate">{theme.style('quiet', fit(filterHelp(line), width))}</Text>
		</>
	);
}

type NoticeProps = {
	readonly error: Error | null;
	readonly isLoading: boolean;
	readonly words: string;
	readonly unreadable: Unreadable;
	readonly size: Size;
};

/** Notice in place of an empty list: the reason, and one key. */
function TemplatesNotice({error, isLoading, words, unreadable, size}: NoticeProps) {
	const room = {width: size.columns, height: size.rows};
	if (isLoading) return <Notice title="Searching templates" {...room} />;
	if (error !== null && answerStatus(error) === 403) {
		const lines = ['You can still rent with an image, without a template.', 'R tries again.'];
		const title = 'This key may not read templates (needs user_read).';
		return <Notice title={title} lines={lines} {...room} />;
	}
	if (error !== null) {
		const lines = ['Nothing was changed, and nothing is charged for searching.', 'R tries again.'];
		return <Notice title={sentence(error.message)} lines={lines} {...room} />;
	}
	const unread = unreadNotice(unreadable, 'templates', room.height);
	if (unread !== undefined) return <Notice {...unread} {...room} />;
	if (words !== '') {
		const lines = [
			'Words without a field are looked for in names, images and descriptions.',
			'Esc shows all.',
		];
		return <Notice title={`No template matches '${words}'.`} lines={lines} {...room} />;
	}
	const lines = ['A template keeps an image, its settings and how it is started.', 'n makes one.'];
	return <Notice title="There are no templates yet." lines={lines} {...room} />;
}
