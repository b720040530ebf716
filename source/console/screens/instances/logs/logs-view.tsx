import type {Size} from '../../../terminal/terminal.ts';
import {useMemo, useState} from 'react';
import {emptyLine} from '../../../components/line-edit.ts';
import {Painted} from '../../../components/painted.tsx';
import {LineScope, type TypedLine} from '../../../components/typing.tsx';
import {KeyScope} from '../../../key-scope.tsx';
import {useServices} from '../../../services.tsx';
import type {Place} from '../../../router.ts';
import type {ScreenProps} from '../../place.ts';
import {Prompt} from '../../prompt.tsx';
import {findBindings, logBindings} from './log-bindings.ts';
import {logScreen} from './log-lines-shown.ts';
import {saveLogs} from './log-outside.ts';
import {logsAt, type LogStore} from './log-state.ts';
import {logTarget, toFirstHit} from './log-target.ts';
import {useLogTail} from './use-log-tail.ts';
import {derived} from '../../../../renter/store.ts';

type Props = Pick<ScreenProps, 'size' | 'say'> & {readonly id: number; readonly place: Place};

/** The logs of an instance, which are followed as they are written. */
export function LogsView({id, place, size, say}: Props) {
	const services = useServices();
	const {theme} = services;
	const logs = logsAt(place);
	const find = useMemo(() => findLine(logs), [logs]);
	const [isSaving, setSaving] = useState(false);
	const room = useMemo(
		() => ({width: size.columns, height: Math.max(1, size.rows - 1)}),
		[size.columns, size.rows],
	);
	const tail = useLogTail(id, logs, room);
	const source = useMemo(
		() => derived([logs], () => logScreen(logs.get(), theme, room)),
		[logs, theme, room],
	);
	if (isSaving) {
		return (
			<Prompt
				title="Save the logs"
				name="file"
				initial={`rentty-${id}.log`}
				lines={['A new file. It gets the lines as they are shown, and no other user can read it.']}
				size={size}
				refuse={text => (text.trim() === '' ? 'A name is needed.' : undefined)}
				onSend={name => void saveLogs(logs.get().lines, name).then(say)}
				onClose={() => setSaving(false)}
			/>
		);
	}
	const target = logTarget({
		id,
		logs,
		room,
		terminal: services.terminal,
		say,
		tail,
		save: () => setSaving(true),
	});
	return (
		<KeyScope title="Logs" bindings={logBindings} target={target}>
			<LineScope
				line={find}
				title="Search of logs"
				bindings={findBindings}
				target={{
					apply() {
						logs.set({...logs.get(), isFinding: false});
						const problem = toFirstHit(logs, room);
						if (problem !== undefined) say({text: problem, isError: false});
					},
					leave: () => logs.set({...logs.get(), isFinding: false, find: emptyLine, hit: undefined}),
				}}
			>
				<Painted source={source} width={size.columns} height={size.rows} />
			</LineScope>
		</KeyScope>
	);
}

/** The words that are searched for, while they are typed. */
function findLine(logs: LogStore): TypedLine {
	return {
		get: () => (logs.get().isFinding ? logs.get().find : undefined),
		set: find => logs.set({...logs.get(), find}),
		subscribe: logs.subscribe,
	};
}

type TailProps = {readonly id: number; readonly place: Place; readonly size: Size};

/** The end of an instance's logs, as a part of a screen that has keys of its own. */
export function LogTail({id, place, size: {columns, rows}}: TailProps) {
	const {theme} = useServices();
	const logs = logsAt(place);
	const room = useMemo(() => ({width: columns, height: rows - 1}), [columns, rows]);
	useLogTail(id, logs, room);
	const source = useMemo(
		() => derived([logs], () => logScreen({...logs.get(), top: undefined}, theme, room)),
		[logs, theme, room],
	);
	return <Painted source={source} width={columns} height={rows} />;
}
