import {spread} from '../../../ui/chrome.ts';
import {formatLineEdit} from '../../../ui/line-edit.ts';
import {count, timeOfDay} from '../../../../renter/text/format.ts';
import {fit} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../ui/theme.ts';
import {countHits, finder, type LogSource} from './log-lines.ts';
import {rowsInView, topLogRow, type LogViewSize, type LogState} from './log-state.ts';

export type LogTexts = {
	readonly title: string;
	/** Shown if there are no lines. */
	readonly empty: string;
	/** At the end of the heading. */
	readonly note: string;
};

/** The heading, and below it as many rows as fit. */
export function logScreen(
	state: LogState,
	theme: Theme,
	room: LogViewSize,
	words: LogTexts = logTextsOf(state),
): readonly string[] {
	const pattern = finder(state.find.text);
	const rows = rowsInView(state, room).map(({line, text, from}) => {
		const shown = fit(text, room.width);
		const styled = pattern === undefined ? shown : withHits(shown, pattern, theme);
		const looked = line === state.hit ? theme.style('strong', styled) : styled;
		return nameBefore(from, theme, room) + looked;
	});
	const width = room.width + (room.names ?? 0);
	const body = state.lines.length === 0 ? [fit(` ${emptyText(state, words)}`, width)] : rows;
	return [heading(state, theme, room, words), ...body];
}

function nameBefore(from: LogSource | undefined, theme: Theme, {names = 0}: LogViewSize): string {
	if (names === 0) return '';
	if (from === undefined) return ' '.repeat(names);
	return `${theme.tone(from.at, fit(from.name, names - 1))} `;
}

export function logTextsOf({isDaemon, readAt}: LogState): LogTexts {
	return {
		title: isDaemon ? 'LOGS of the machine' : 'LOGS',
		empty: isDaemon ? 'The machine says nothing.' : 'Nothing is logged.',
		note: readAt === undefined ? '' : `read ${timeOfDay(new Date(readAt))}`,
	};
}

function withHits(text: string, pattern: RegExp, theme: Theme): string {
	return text.replaceAll(pattern, found => theme.style('chosen', found));
}

function emptyText({readAt, problem, all}: LogState, {empty}: LogTexts): string {
	if (all.length > 0) return 'No line is left by the filter; & changes it.';
	if (readAt !== undefined) return empty;
	return problem === undefined ? 'Asking its host.' : '';
}

function heading(state: LogState, theme: Theme, room: LogViewSize, words: LogTexts): string {
	const width = room.width + (room.names ?? 0);
	const {typed, problem} = state;
	if (typed !== undefined) {
		const prompt = typed === 'find' ? 'search> ' : 'only with> ';
		const look = {width: width - prompt.length, hasFocus: true};
		return prompt + formatLineEdit(theme, state[typed], look);
	}
	const left = [words.title, ...place(state, room), ...searched(state)].join('  ');
	if (problem !== undefined) return theme.style('warning', fit(`${left}  ${problem}`, width));
	return spread(width, left, words.note);
}

function place(state: LogState, room: LogViewSize): readonly string[] {
	const {lines, all, top, filter} = state;
	if (all.length === 0) return [];
	const isNarrowed = filter.text !== '';
	const part = isNarrowed ? `${count(lines.length)} of ` : '';
	const only = isNarrowed ? [`with "${filter.text}"`.replace('with "!', 'without "')] : [];
	const kept = [`${part}${count(all.length)} ${all.length === 1 ? 'line' : 'lines'}`, ...only].join(
		' ',
	);
	if (top === undefined || lines.length === 0) return ['follow on', kept];
	const line = rowsInView({...state, top: topLogRow(state, room)}, room)[0]?.line ?? 0;
	return [`line ${count(line + 1)} of ${kept}, G follows`];
}

function searched({find, lines}: LogState): readonly string[] {
	if (find.text === '') return [];
	return [`${count(countHits(lines, find.text))} with "${find.text}"`];
}
