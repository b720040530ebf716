/** Drawing of an environment that is edited. */
import {ruleLine, spread} from '../../chrome.ts';
import type {LineEdit} from '../../components/line-edit.ts';
import {drawLine} from '../../components/line-window.ts';
import {wrapText} from '../../components/wrap.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import type {Size} from '../../terminal/terminal.ts';
import type {Theme} from '../../theme.ts';
import {kindOf, lineOfEnv, writeRow} from './env-rows.ts';
import type {EnvState} from './env-state.ts';

const KIND_WIDTH = 10;
const GUTTER = 2;
const MOST_FLAG_LINES = 4;

/** A row per entry, and at the foot the Docker flags that say the same. */
export function envLines(state: EnvState, theme: Theme, size: Size): readonly string[] {
	const {columns, rows} = size;
	const count = state.env.length === 1 ? '1 entry' : `${state.env.length} entries`;
	const below = flagLines(state, theme, columns);
	const room = Math.max(1, rows - GUTTER - below.length);
	const entries = entryLines(state, theme, columns);
	const cursor = state.editing?.what === 'new' ? entries.length - 1 : state.at;
	const top = Math.max(0, Math.min(cursor - room + 1, entries.length - room));
	return [
		spread(columns, 'ENVIRONMENT AND PORTS', count),
		ruleLine(theme, columns),
		...Array.from({length: room}, (_, line) => entries[top + line] ?? ' '),
		...below,
	];
}

function entryLines(state: EnvState, theme: Theme, columns: number): readonly string[] {
	const {env, at, editing} = state;
	const lines = env.map((entry, index) => {
		const kind = kindOf(entry);
		if (index === at && editing?.what === 'entry') return typed(editing.line, kind, theme, columns);
		const text = fit(printable(writeRow(entry)), columns - KIND_WIDTH - GUTTER);
		const isHere = index === at && editing === undefined;
		return isHere
			? `${theme.glyphs.cursor} ${fit(kind, KIND_WIDTH)}${theme.style('chosen', text)}`
			: `  ${fit(kind, KIND_WIDTH)}${text}`;
	});
	if (editing?.what === 'new') return [...lines, typed(editing.line, 'new', theme, columns)];
	return lines.length === 0 ? ['  nothing yet; n makes an entry'] : lines;
}

function flagLines(
	{env, editing, problem}: EnvState,
	theme: Theme,
	columns: number,
): readonly string[] {
	const flags = lineOfEnv(env);
	const said = 'line' in flags ? flags.line : flags.problem;
	const lines =
		editing?.what === 'flags'
			? [typed(editing.line, 'flags', theme, columns)]
			: wrapText(`As Docker flags:  ${said === '' ? 'none' : said}`, columns - 1);
	return [
		ruleLine(theme, columns),
		...lines.slice(0, MOST_FLAG_LINES),
		problem === undefined ? ' ' : theme.style('danger', fit(problem, columns)),
	];
}

function typed(line: LineEdit, kind: string, theme: Theme, columns: number): string {
	const look = {width: columns - KIND_WIDTH - GUTTER - 1, hasFocus: true};
	return `${theme.glyphs.cursor} ${fit(kind, KIND_WIDTH)}${drawLine(theme, line, look)}`;
}
