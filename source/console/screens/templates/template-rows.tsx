import {Box, Text} from 'ink';
import {useMemo} from 'react';
import type {Unreadable} from '../../../contract/grammar/unreadable.ts';
import type {Template} from '../../../contract/nouns/templates.ts';
import type {Column} from '../../list/columns.ts';
import {Painted} from '../../ui/painted.tsx';
import {ListRows, ListRule} from '../../list/list-rows.tsx';
import type {List} from '../../list/list.ts';
import {useServices} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {unreadNotes} from '../../list/unreadable.ts';
import {paneLines, summaryLines} from './facts.ts';
import {usesOf} from '../../../renter/templates/templates.ts';
import {derived} from '../../../renter/state/store.ts';

type Props = {
	readonly list: List<Template>;
	readonly columns: ReadonlyArray<Column<Template>>;
	readonly size: Size;
	readonly unreadable: Unreadable;
};

/** From this width on, the template under the cursor is shown beside the list and not under it. */
const WIDE = 120;
const LIST_WIDTH = 82;
/** The titles, and the rule under the rows. */
const LINES_AROUND = 2;
const SUMMARY_LINES = 5;

/** The rows of a list, and what the one under the cursor says. */
export function TemplateRows({list, columns, size, unreadable}: Props) {
	const {fleet, settings} = useServices();
	const isWide = size.columns >= WIDE;
	const width = isWide ? LIST_WIDTH : size.columns;
	const height = Math.max(1, size.rows - LINES_AROUND - (isWide ? 0 : SUMMARY_LINES));
	const aside = isWide
		? {width: size.columns - LIST_WIDTH - 3, height: size.rows}
		: {width: size.columns, height: SUMMARY_LINES};
	const about = useMemo(
		() =>
			derived([list.state, fleet.state, settings], () => {
				const template = list.current();
				const uses = usesOf(template, fleet.state.get(), settings.get());
				return isWide
					? paneLines(template, uses, {width: aside.width, height: aside.height})
					: summaryLines(template, uses, aside.width);
			}),
		[list, fleet, settings, isWide, aside.width, aside.height],
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
			<Text>{Array.from({length: size.rows}, () => ' | ').join('\n')}</Text>
			{summary}
		</Box>
	);
}
