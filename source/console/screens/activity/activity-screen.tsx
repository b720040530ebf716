import {usePoll} from '../../queries/use-poll.ts';
import type {JournalEntry} from '../../../client/journal/journal.ts';
import {errorOf} from '../../../contract/rules/thrown.ts';
import {Box, Text} from 'ink';
import {useMemo, useState} from 'react';
import {count, sentence} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {ruleLine, spread} from '../../ui/chrome.ts';
import {Notice} from '../../ui/notice.tsx';
import {drawLine} from '../../ui/line-window.ts';
import {useStore} from '../../ui/use-store.ts';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {ListRows, ListRule} from '../../list/list-rows.tsx';
import {ListScope, useRows} from '../../list/list-scope.tsx';
import {kept, type ScreenProps} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';
import {useRenting, useServices, useTerminal, useTime} from '../../services/services.tsx';
import {activityBindings} from './bindings.ts';
import {activityColumns} from './columns.ts';
import {filtered, type Activity, activityOf, instancesOf} from '../../../renter/nouns/activity.ts';
import {EntryView, jsonOf} from './entry-view.tsx';

/** The filter, a rule, the titles, and the rule under the rows. */
const LINES_AROUND = 4;

/** The list's state stays with its place, so that coming back finds it as it was. */
const listAt = kept(() => ({
	table: createList<Activity>(activityColumns(120, new Date(0)), ({id}) => id),
	/** True to list sightings beside the user's own changes. */
	withSeen: createStore(false),
}));

/** Everything that rentty changed, and on demand what it saw change, the newest first. */
export function ActivityScreen({place, router, size, say}: ScreenProps) {
	const {armed} = useRenting();
	const {theme} = useServices();
	const {now} = useTime();
	const {copy} = useTerminal();
	const {table: list, withSeen} = listAt(place);
	const isWithSeen = useStore(withSeen);
	const {all, error, refresh} = useActivity();
	const listed = useMemo(() => listedOf(all, isWithSeen), [all, isWithSeen]);
	const {line, before} = useStore(list.filter.state);
	const [opened, setOpened] = useState<Activity>();
	const {columns: width} = size;
	const columns = useMemo(() => activityColumns(width - GUTTER, now()), [width, now]);
	const shown = useMemo(() => filtered(listed ?? [], line.text), [listed, line.text]);
	useRows(list, shown);
	if (opened !== undefined) {
		const close = () => setOpened(undefined);
		return <EntryView activity={opened} size={size} onClose={close} />;
	}
	const target = {
		open: list.act(setOpened),
		copy: list.act(row => copy(jsonOf(row))),
		refresh,
		takeBack: list.act(row => {
			const taken = instancesOf(row).filter(id => armed.takeBack(id));
			say({text: `Nothing is done to ${taken.join(', ')} without a question.`, isError: false});
		}),
		notArmed() {
			const row = list.current();
			const isArmed = row !== undefined && instancesOf(row).some(id => armed.get().has(id));
			return isArmed ? undefined : 'nothing is armed for it';
		},
		showSeen: () => withSeen.set(!withSeen.get()),
	};
	const field = drawLine(theme, line, {width: 30, hasFocus: before !== undefined});
	const isOpen = before !== undefined || line.text !== '';
	const top = spread(
		width,
		isOpen ? `filter> ${field}` : 'filter>',
		`${amountOf(listed, shown)}${hiddenOf(all, listed)}`,
	);
	const height = Math.max(1, size.rows - LINES_AROUND);
	return (
		<ListScope title="Activity" bindings={activityBindings} {...{list, columns, router, target}}>
			<Box flexDirection="column">
				<Text wrap="truncate">{top}</Text>
				<Text wrap="truncate">{ruleLine(theme, width)}</Text>
				{shown.length === 0 ? (
					<Notice {...noticeOf(listed, error)} width={width} height={size.rows - 2} />
				) : (
					<>
						<ListRows {...{list, columns, width, height}} />
						<ListRule {...{list, width}} />
					</>
				)}
			</Box>
		</ListScope>
	);
}

function listedOf(all: readonly Activity[] | undefined, isWithSeen: boolean) {
	return isWithSeen ? all : all?.filter(({source}) => source.kind !== 'seen');
}

/** The count of hidden sightings, in words. */
function hiddenOf(all: readonly Activity[] = [], listed: readonly Activity[] = []): string {
	const hidden = all.length - listed.length;
	return hidden === 0 ? '' : ` | v shows ${count(hidden)} seen`;
}

function amountOf(all: readonly Activity[] | undefined, shown: readonly Activity[]): string {
	if (all === undefined) return 'reading';
	const amount = `${count(all.length)} ${all.length === 1 ? 'entry' : 'entries'}`;
	return shown.length === all.length ? amount : `${count(shown.length)} of ${amount}`;
}

function noticeOf(all: readonly Activity[] | undefined, error: Error | undefined) {
	if (all === undefined) {
		return error === undefined
			? {title: 'Reading what was done so far'}
			: {title: sentence(printable(error.message)), lines: ['R tries again.']};
	}
	if (all.length > 0) return {title: 'Nothing fits the filter.', lines: ['Esc takes it away.']};
	return {
		title: 'Nothing was changed from here yet.',
		lines: [
			'What rentty rents, stops or destroys is listed here; v shows what it saw change.',
			'1 looks for offers.',
		],
	};
}

const EVERY_MS = 5000;

type ActivityRead = {
	/** Undefined until the journal was read for the first time. */
	readonly all: readonly Activity[] | undefined;
	readonly error: Error | undefined;
	readonly refresh: () => void;
};

/** All that happened: the journal is read again and again, for other programs write to it, too. */
function useActivity(): ActivityRead {
	const {client, fleet} = useServices();
	const [{entries, error}, setRead] = useState<{
		readonly entries?: readonly JournalEntry[];
		readonly error?: Error | undefined;
	}>({});
	const events = useStore(fleet.state, state => state.events);
	const refresh = usePoll(
		async () => {
			try {
				const found = await (await client()).journal.read();
				// Entries that have not changed are not drawn anew.
				setRead(last => (isSame(last.entries, found) ? last : {entries: found}));
			} catch (cause) {
				const failure = errorOf(cause);
				setRead(last => ({...last, error: failure}));
			}
		},
		{everyMs: EVERY_MS},
	);
	const all = useMemo(
		() => (entries === undefined ? undefined : activityOf(entries, events)),
		[entries, events],
	);
	return {all, error, refresh};
}

function isSame(
	before: readonly JournalEntry[] | undefined,
	now: readonly JournalEntry[],
): boolean {
	if (before?.length !== now.length) return false;
	return now.every(({change, answers}, at) => {
		const other = before[at];
		return other?.change.request === change.request && other.answers.length === answers.length;
	});
}
