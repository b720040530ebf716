import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileTrouble} from '../../../../contract/rules/thrown.ts';
import type {ScreenProps} from '../../../services/router.ts';
import type {Services} from '../../../services/services.tsx';
import {emptyLine} from '../../../ui/line-edit.ts';
import type {LogLine} from './log-lines.ts';
import {
	rowsInView,
	scroll,
	toggleWrap,
	toHit,
	type LogViewSize,
	type LogState,
	type LogStore,
} from './log-state.ts';

type Options = Pick<ScreenProps, 'say'> & {
	readonly name: string;
	readonly logs: LogStore;
	readonly room: LogViewSize;
	readonly terminal: Pick<Services['terminal'], 'aside' | 'copy' | 'environment'>;
	readonly tail: {readonly again: () => void};
	readonly save: () => void;
};

export type LogTarget = ReturnType<typeof logTarget>;

export function logTarget({name, logs, room, terminal, say, tail, save}: Options) {
	const change = (next: (state: LogState) => LogState) => logs.set(next(logs.get()));
	const openOutside = async () => {
		const problem = await openPager({...terminal, name, lines: logs.get().lines});
		if (problem !== undefined) say({text: problem, isError: true});
	};
	const steps = {line: 1, half: Math.ceil(room.height / 2), page: Math.max(1, room.height - 1)};
	return {
		scroll: (by: keyof typeof steps, step: 1 | -1) =>
			change(state => scroll(state, room, step * steps[by])),
		first: () => change(state => scroll(state, room, Number.NEGATIVE_INFINITY)),
		follow: () => change(state => ({...state, top: undefined})),
		find: () => change(state => ({...state, typed: 'find', find: emptyLine, hit: undefined})),
		narrow: () => change(state => ({...state, typed: 'filter'})),
		hit: (step: 1 | -1) => change(state => toHit(state, room, step) ?? state),
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

type Paging = Pick<Services['terminal'], 'aside' | 'environment'> & {
	readonly lines: readonly LogLine[];
	readonly name: string;
};

/** Shows the lines in the user's pager; returns a sentence about a failure. */
async function openPager({aside, environment, lines, name}: Paging): Promise<string | undefined> {
	const said = (environment['PAGER'] ?? '').trim();
	const [program = 'less', ...args] = said === '' ? ['less'] : said.split(/\s+/);
	let folder: string | undefined;
	try {
		// mkdtemp makes the folder with mode 0700 and a name that cannot be guessed.
		folder = await mkdtemp(join(tmpdir(), 'rentty-'));
		const file = join(folder, `${name}.log`);
		await writeFile(file, formatLogText(lines), {mode: 0o600, flag: 'wx'});
		const ended = await aside({program, args: [...args, file]});
		return ended.kind === 'notStarted' ? `${program} was not started: ${ended.reason}.` : undefined;
	} catch (error) {
		return `They cannot be shown elsewhere: ${fileTrouble(error)}.`;
	} finally {
		if (folder !== undefined) await rm(folder, {recursive: true, force: true});
	}
}

export function formatLogText(lines: readonly LogLine[]): string {
	return lines
		.map(({text, from}) => `${from === undefined ? '' : `${from.name}\t`}${text}\n`)
		.join('');
}
