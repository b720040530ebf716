import {Text, Box} from 'ink';
import {useState, useMemo} from 'react';
import {MISSING, money, timeOfDay, count, sentence} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {spread, ruleLine} from '../../ui/chrome.ts';
import {wrapText} from '../../ui/panes.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices, useTerminal, useRenting, useTime, usePoll} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {activityEntryBindings, factLine, activityBindings, activityColumns} from './activity.ts';
import {
	words,
	type Activity,
	filtered,
	instancesOf,
	activityOf,
} from '../../../renter/nouns/activity.ts';
import type {JournalEntry} from '../../../client/journal/journal.ts';
import {errorOf} from '../../../contract/rules/thrown.ts';
import {Notice} from '../../ui/notice.tsx';
import {drawLine} from '../../ui/line-edit.ts';
import {useStore} from '../../ui/painted.tsx';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {ListRows, ListRule, ListScope, useRows} from '../../list/list-view.tsx';
import {kept, type ScreenProps} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';

type Props = {readonly activity: Activity; readonly size: Size; readonly onClose: () => void};

/** Details of one activity. */
function EntryView({activity, size, onClose}: Props) {
	const {theme} = useServices();
	const {copy} = useTerminal();
	const title = spread(size.columns, `Activity > ${activity.what} ${activity.subject}`, '');
	const lines = detailLines(activity, size.columns);
	const height = Math.max(1, size.rows - 2);
	const last = Math.max(0, lines.length - height);
	const [wanted, setTop] = useState(0);
	const top = Math.min(wanted, last);
	const shown = [theme.style('heading', title), '', ...lines.slice(top, top + height)];
	return (
		<KeyScope
			title="Entry"
			bindings={activityEntryBindings}
			target={{
				close: onClose,
				copy: () => copy(jsonOf(activity)),
				scroll: (step: 1 | -1) => setTop(Math.max(0, Math.min(top + step * (height - 1), last))),
			}}
		>
			<Text wrap="truncate">{shown.join('\n')}</Text>
		</KeyScope>
	);
}

/** Lines with all details of an activity. */
function detailLines(activity: Activity, width: number): readonly string[] {
	const {what, subject, price, source, at} = activity;
	const line = (name: string, value: string) => factLine(name, value, width);
	const about = [
		line('when', `${new Date(at).toISOString().slice(0, 10)} ${timeOfDay(new Date(at))}`),
		line('what', what),
		line('about', subject || MISSING),
	];
	if (source.kind === 'seen') {
		return [...about, line('was', source.event.from ?? MISSING), line('became', source.event.to)];
	}
	const {change, answers} = source.entry;
	return [
		...about,
		line('price', price === undefined ? MISSING : money(price)),
		line('profile', printable(change.profile ?? MISSING)),
		line('request', printable(change.request)),
		line('asked for', printable(change.action)),
		'',
		...(answers.length === 0 ? [line('', 'No answer was written down.')] : []),
		...answers.flatMap(({at: when, outcome, status, instance, says}) => [
			line(
				timeOfDay(new Date(when)),
				[
					words[outcome],
					...(status === undefined ? [] : [`HTTP ${status}`]),
					...(instance === undefined ? [] : [`instance ${instance}`]),
				].join(', '),
			),
			...(says === undefined ? [] : saidLines(says, width)),
		]),
	];
}

/** Lines of a service's sentence, which is often longer than one. */
function saidLines(text: string, width: number): readonly string[] {
	return wrapText(printable(text), Math.max(10, width - 14)).map(part => factLine('', part, width));
}

/** The activity as one line of JSON, to copy. */
function jsonOf({source}: Activity): string {
	return JSON.stringify(source.kind === 'change' ? source.entry : source.event);
}

/** The filter, a rule, the titles, and the rule under the rows. */
const LINES_AROUND = 4;

/** The list's state stays with its place, so that coming back finds it as it was. */
const listAt = kept(() => ({
	table: createList<Activity>(activityColumns(120, new Date(0)), ({id}) => id),
	/** True to list sightings beside the user's own changes. */
	withSeen: createStore(false),
}));

/** Changes made by rentty and calls of agents, and on demand the changes that it saw, the newest first. */
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
