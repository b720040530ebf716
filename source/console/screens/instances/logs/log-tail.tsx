import {useMemo} from 'react';
import {Painted} from '../../../components/painted.tsx';
import type {Place} from '../../../router.ts';
import {useServices} from '../../../services.tsx';
import type {Size} from '../../../terminal/terminal.ts';
import {logScreen} from './log-lines-shown.ts';
import {logsAt} from './log-state.ts';
import {useLogTail} from './use-log-tail.ts';
import {derived} from '../../../../renter/store.ts';

type Props = {readonly id: number; readonly place: Place; readonly size: Size};

/** The end of an instance's logs, as a part of a screen that has keys of its own. */
export function LogTail({id, place, size: {columns, rows}}: Props) {
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
