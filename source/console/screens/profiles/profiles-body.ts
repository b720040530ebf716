/** The whole list of profiles with what is said under it, as lines. */
import {ruleLine} from '../../chrome.ts';
import {beside, factLines, inHeight} from '../../components/panes.ts';
import {printable} from '../../terminal/output/text-width.ts';
import type {Settings} from '../../default-settings.ts';
import {connectionFacts, terminalFacts} from './connection-lines.ts';
import type {ConnectionFacts} from './connection-lines.ts';
import {profileFacts, settingSources} from './profile-lines.ts';
import type {ProfileRow} from './rows.ts';

export type ProfilesBody = {
	readonly list: readonly string[];
	readonly row: ProfileRow | undefined;
	readonly settings: Settings;
	/** Whether it is shown where settings come from. */
	readonly showsSources: boolean;
	/** One sentence about what is wrong; empty where nothing is. */
	readonly trouble: string;
	readonly connection: ConnectionFacts;
};

/** Two rules, and two lines at the foot. */
const LINES_AROUND = 4;

export function profilesBody(body: ProfilesBody): readonly string[] {
	const {theme, size} = body.connection;
	const {columns, rows} = size;
	const list = body.list.slice(0, Math.max(3, Math.floor(rows / 3)));
	const height = rows - list.length - LINES_AROUND;
	const leftWidth = Math.floor(columns * 0.54);
	const rightWidth = columns - leftWidth - 3;
	const heading = (text: string) => theme.style('heading', text);
	const facts =
		body.row === undefined
			? []
			: body.showsSources
				? settingSources(body.row, body.settings)
				: profileFacts(body.row, body.settings);
	const left = [
		heading(printable(body.row?.name ?? '')),
		...factLines(facts, leftWidth).slice(0, height - 1),
	];
	const right = [
		heading('CONNECTION'),
		...factLines(connectionFacts(body.connection), rightWidth),
		heading('TERMINAL'),
		...factLines(terminalFacts(body.connection), rightWidth),
	];
	return [
		...list,
		ruleLine(theme, columns),
		...inHeight(beside(left, right, {leftWidth, height}), height),
		ruleLine(theme, columns),
		body.trouble,
		'Enter opens everything anew on another service. Nothing that runs is touched.',
	];
}
