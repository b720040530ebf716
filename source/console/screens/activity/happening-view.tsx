import {Text} from 'ink';
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
	const lines = [theme.style('heading', title), '', ...detailLines(happening, size.columns)];
	return (
		<KeyScope
			isModal
			title="Entry"
			bindings={happeningBindings}
			target={{close: onClose, copy: () => copy(jsonOf(happening))}}
		>
			<Text wrap="truncate">{lines.slice(0, size.rows).join('\n')}</Text>
		</KeyScope>
	);
}
