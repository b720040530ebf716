import {Text} from 'ink';
import {useState} from 'react';
import {spread} from '../../chrome.ts';
import {KeyScope} from '../../key-scope.tsx';
import {useServices} from '../../services.tsx';
import type {Size} from '../../terminal/terminal.ts';
import {happeningBindings} from './bindings.ts';
import {detailLines, jsonOf} from './detail-lines.ts';
import type {Happening} from './happenings.ts';

type Props = {readonly happening: Happening; readonly size: Size; readonly onClose: () => void};

/** One thing that happened. */
export function HappeningView({happening, size, onClose}: Props) {
	const {theme, copy} = useServices();
	const title = spread(size.columns, `Activity > ${happening.what} ${happening.subject}`, '');
	const lines = detailLines(happening, size.columns);
	const height = Math.max(1, size.rows - 2);
	const last = Math.max(0, lines.length - height);
	const [wanted, setTop] = useState(0);
	const top = Math.min(wanted, last);
	const shown = [theme.style('heading', title), '', ...lines.slice(top, top + height)];
	return (
		<KeyScope
			isModal
			title="Entry"
			bindings={happeningBindings}
			target={{
				close: onClose,
				copy: () => copy(jsonOf(happening)),
				scroll: step => setTop(Math.max(0, Math.min(top + step * (height - 1), last))),
			}}
		>
			<Text wrap="truncate">{shown.join('\n')}</Text>
		</KeyScope>
	);
}
