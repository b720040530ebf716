import {Text} from 'ink';
import {useState} from 'react';
import {MISSING, money, timeOfDay} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {spread} from '../../ui/chrome.ts';
import {wrapText} from '../../ui/wrap.ts';
import {KeyScope} from '../../ui/key-scope.tsx';
import {useServices, useTerminal} from '../../services/services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {activityEntryBindings} from './bindings.ts';
import {factLine} from './columns.ts';
import {words, type Activity} from '../../../renter/nouns/activity.ts';

type Props = {readonly activity: Activity; readonly size: Size; readonly onClose: () => void};

/** One thing that happened. */
export function EntryView({activity, size, onClose}: Props) {
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

/** All that is known of one thing that happened. */
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

/** The same as one line of JSON, to be copied. */
export function jsonOf({source}: Activity): string {
	return JSON.stringify(source.kind === 'change' ? source.entry : source.event);
}
