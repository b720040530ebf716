import {emptyLine} from '../../../components/line-edit.ts';
import type {Services} from '../../../services.tsx';
import type {ScreenProps} from '../../place.ts';
import type {LogTarget} from './log-bindings.ts';
import {openPager} from './log-outside.ts';
import {
	rowsInView,
	scroll,
	toggleWrap,
	toHit,
	type LogRoom,
	type LogState,
	type LogStore,
} from './log-state.ts';

type Options = Pick<ScreenProps, 'say'> & {
	/** Name of files that lines are saved to. */
	readonly name: string;
	readonly logs: LogStore;
	readonly room: LogRoom;
	readonly terminal: Pick<Services['terminal'], 'aside' | 'copy' | 'environment'>;
	readonly tail: {readonly again: () => void};
	readonly save: () => void;
};

/** Key methods of logs. */
export function logTarget({name, logs, room, terminal, say, tail, save}: Options): LogTarget {
	const change = (next: (state: LogState) => LogState) => logs.set(next(logs.get()));
	const openOutside = async () => {
		const problem = await openPager({...terminal, name, lines: logs.get().lines});
		if (problem !== undefined) say({text: problem, isError: true});
	};
	const steps = {line: 1, half: Math.ceil(room.height / 2), page: Math.max(1, room.height - 1)};
	return {
		scroll: (by, step) => change(state => scroll(state, room, step * steps[by])),
		first: () => change(state => scroll(state, room, Number.NEGATIVE_INFINITY)),
		follow: () => change(state => ({...state, top: undefined})),
		find: () => change(state => ({...state, typed: 'find', find: emptyLine, hit: undefined})),
		narrow: () => change(state => ({...state, typed: 'filter'})),
		hit: step => change(state => toHit(state, room, step) ?? state),
		nothingFound() {
			const state = logs.get();
			if (state.find.text === '') return 'nothing was searched for; / does that';
			return toHit(state, room, 1) === undefined ? 'no line has that' : undefined;
		},
		wrap: () => change(state => toggleWrap(state, room)),
		copyLine() {
			const state = logs.get();
			const line = state.lines[state.hit ?? rowsInView(state, room).at(-1)?.line ?? -1];
			if (line !== undefined) terminal.copy(line.text);
		},
		openOutside() {
			void openOutside();
		},
		save,
		daemon() {
			change(state => ({
				...state,
				isDaemon: !state.isDaemon,
				lines: [],
				all: [],
				readAt: undefined,
				problem: undefined,
				top: undefined,
				hit: undefined,
			}));
			tail.again();
		},
		read: () => tail.again(),
		nothingLogged: () => (logs.get().lines.length === 0 ? 'there is no line' : undefined),
	};
}

/** Goes to the first line that was searched for; why there is none, as a sentence. */
export function toFirstHit(logs: LogStore, room: LogRoom): string | undefined {
	const state = logs.get();
	if (state.find.text === '') return undefined;
	const next = toHit(state, room, 1);
	if (next === undefined) return `No line of the logs has "${state.find.text}" in it.`;
	logs.set(next);
	return undefined;
}
