import {Text, Box} from 'ink';
import {useState, useMemo} from 'react';
import {MISSING, money, timeOfDay, count, sentence} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {filterLine} from '../../list/lines.ts';
import {spread} from '../../ui/chrome.ts';
import {ruleLine} from '../../ui/rules.ts';
import {wrapText} from '../../../renter/text/wrap.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices, useTerminal, useRenting, useTime} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {activityEntryBindings, factLine, activityBindings, activityColumns} from './activity.ts';
import {
	outcomeTexts,
	type Activity,
	filterActivities,
	instancesOf,
} from '../../../renter/nouns/activity.ts';
import {ApprovalDialog} from './approval-dialog.tsx';
import {useActivity} from './use-activity.ts';
import type {ApprovalAnswer} from '../../../renter/agents/approvals.ts';
import type {AgentCall} from '../../../renter/agents/call-log.ts';
import {Notice} from '../../ui/notice.tsx';
import {formatLineEdit} from '../../ui/line-edit.ts';
import {useStore} from '../../ui/painted.tsx';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {ListRows, ListRule, ListScope, useRows} from '../../list/list-view.tsx';
import {keptByStackEntry, type ScreenProps} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';

type Props = {readonly activity: Activity; readonly size: Size; readonly onClose: () => void};

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
	if (source.kind === 'call') return [...about, ...callLines(source.call, width)];
	if (source.kind === 'waiting') return about;
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
					outcomeTexts[outcome],
					...(status === undefined ? [] : [`HTTP ${status}`]),
					...(instance === undefined ? [] : [`instance ${instance}`]),
				].join(', '),
			),
			...(says === undefined ? [] : textLines(says, width)),
		]),
	];
}

function callLines({agent, tool, input, outcome, says}: AgentCall, width: number) {
	const line = (name: string, value: string) => factLine(name, value, width);
	return [
		line('agent', printable(agent)),
		line('tool', printable(tool)),
		...Object.entries(input).map(([name, value]) => line(printable(name), printable(value))),
		'',
		line('outcome', outcome),
		...textLines(says, width),
	];
}

function textLines(text: string, width: number): readonly string[] {
	return wrapText(printable(text), Math.max(10, width - 14)).map(part => factLine('', part, width));
}

/** One line of JSON, to copy. */
function jsonOf({source}: Activity): string {
	switch (source.kind) {
		case 'change':
			return JSON.stringify(source.entry);
		case 'seen':
			return JSON.stringify(source.event);
		case 'call':
			return JSON.stringify(source.call);
		case 'waiting':
			return JSON.stringify(source.approval);
	}
}

/** The filter, a rule, the titles, and the rule under the rows. */
const LINES_AROUND = 4;

const listAt = keptByStackEntry(() => ({
	table: createList<Activity>(activityColumns(120, new Date(0)), ({id}) => id),
	/** True to list sightings beside the user's own changes. */
	withSeen: createStore(false),
}));

/** Changes made by rentty and calls of agents, and on demand the changes that it saw, the newest first. */
export function ActivityScreen({stackEntry, router, size, say}: ScreenProps) {
	const {armed} = useRenting();
	const {theme} = useServices();
	const {now} = useTime();
	const {copy} = useTerminal();
	const {table: list, withSeen} = listAt(stackEntry);
	const isWithSeen = useStore(withSeen);
	const {all, error, refresh} = useActivity();
	const listed = useMemo(
		() => (isWithSeen ? all : all?.filter(({source}) => source.kind !== 'seen')),
		[all, isWithSeen],
	);
	const {line, before} = useStore(list.filter.state);
	const [opened, setOpened] = useState<Opened>();
	const {columns: width} = size;
	const columns = useMemo(() => activityColumns(width - GUTTER, now()), [width, now]);
	const shown = useMemo(() => filterActivities(listed ?? [], line.text), [listed, line.text]);
	useRows(list, shown);
	if (opened !== undefined) {
		const {activity, answer} = opened;
		const {source} = activity;
		const onClose = () => setOpened(undefined);
		return source.kind === 'waiting' ? (
			<ApprovalDialog approval={source.approval} {...{answer, size, say, onClose}} />
		) : (
			<EntryView {...{activity, size, onClose}} />
		);
	}
	const target = {
		open: list.act(activity => setOpened({activity, answer: 'yes'})),
		refuse: list.act(activity => setOpened({activity, answer: 'no'})),
		notWaiting: () =>
			list.current()?.source.kind === 'waiting' ? undefined : 'no agent waits for an answer there',
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
	const field = formatLineEdit(theme, line, {width: 30, hasFocus: before !== undefined});
	const isOpen = before !== undefined || line.text !== '';
	const top = filterLine(
		theme,
		width,
		isOpen ? field : '',
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

type Opened = {readonly activity: Activity; readonly answer: ApprovalAnswer};

function hiddenOf(all: readonly Activity[] = [], listed: readonly Activity[] = []): string {
	const hidden = all.length - listed.length;
	return hidden === 0 ? '' : ` · v shows ${count(hidden)} seen`;
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
		title: 'Nothing has been changed from here yet.',
		lines: [
			'What rentty rents, stops or destroys is listed here; v shows what it saw change.',
			'1 looks for offers.',
		],
	};
}
