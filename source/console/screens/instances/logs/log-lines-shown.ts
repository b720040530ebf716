/** Logs as they are drawn: what is known of them, and the rows in view. */
import {spread} from '../../../chrome.ts';
import {drawLine} from '../../../components/text-field.tsx';
import {count, timeOfDay} from '../../../../renter/format.ts';
import {fit} from '../../../../renter/text/text-width.ts';
import type {Theme} from '../../../theme.ts';
import {countHits, finder} from './log-lines.ts';
import {rowsInView, topOf, type LogRoom, type LogState} from './log-state.ts';

/** The heading, and below it as many rows as there is room for. */
export function logScreen(state: LogState, theme: Theme, room: LogRoom): readonly string[] {
	const pattern = finder(state.find.text);
	const rows = rowsInView(state, room).map(({line, text}) => {
		const shown = fit(text, room.width);
		const styled = pattern === undefined ? shown : withHits(shown, pattern, theme);
		return line === state.hit ? theme.style('strong', styled) : styled;
	});
	const body = state.lines.length === 0 ? [fit(` ${emptyText(state)}`, room.width)] : rows;
	return [heading(state, theme, room), ...body];
}

function withHits(text: string, pattern: RegExp, theme: Theme): string {
	return text.replaceAll(pattern, found => theme.style('chosen', found));
}

function emptyText({readAt, isDaemon, problem}: LogState): string {
	if (readAt !== undefined) return isDaemon ? 'The machine says nothing.' : 'Nothing is logged.';
	return problem === undefined ? 'Asking its host.' : '';
}

function heading(state: LogState, theme: Theme, room: LogRoom): string {
	const {width} = room;
	if (state.isFinding) {
		return `search> ${drawLine(theme, state.find, {width: width - 8, hasFocus: true})}`;
	}
	const whose = state.isDaemon ? 'LOGS of the machine' : 'LOGS';
	const left = [whose, ...place(state, room), ...searched(state)].join('  ');
	const {problem, readAt} = state;
	if (problem !== undefined) return theme.style('warning', fit(`${left}  ${problem}`, width));
	return spread(width, left, readAt === undefined ? '' : `read ${timeOfDay(new Date(readAt))}`);
}

function place(state: LogState, room: LogRoom): readonly string[] {
	const {lines, top} = state;
	if (lines.length === 0) return [];
	const kept = `${count(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}`;
	if (top === undefined) return ['follow on', kept];
	const line = rowsInView({...state, top: topOf(state, room)}, room)[0]?.line ?? 0;
	return [`line ${count(line + 1)} of ${kept}, G follows`];
}

function searched({find, lines}: LogState): readonly string[] {
	if (find.text === '') return [];
	return [`${count(countHits(lines, find.text))} with "${find.text}"`];
}
