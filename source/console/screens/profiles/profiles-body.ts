import {describeSource} from '../../../renter/profiles/profile.ts';
import type {PaceReport} from '../../../client/client.ts';
import type {ProfileCheck} from '../../../renter/profiles/check.ts';
import {clockSkewText, type Exchanges} from '../../../renter/profiles/exchanges.ts';
import {quantile} from '../../../renter/offers/prices.ts';
import {count} from '../../../renter/text/format.ts';
import {hasManyColours, type TerminalEnvironment, type Theme} from '../../ui/theme.ts';
import type {Size} from '../../terminal/terminal.ts';
import {ruleLine, withJoints} from '../../ui/rules.ts';
import {beside, factLines, inHeight} from '../../ui/panes.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {type Settings, defaultSettings} from '../../../renter/settings/default-settings.ts';
import {type ProfileRow, profileOf} from './profiles.ts';

type ProfilesBody = {
	readonly list: readonly string[];
	readonly row: ProfileRow | undefined;
	readonly settings: Settings;
	readonly showsSources: boolean;
	/** Problem as one sentence; empty if there is none. */
	readonly trouble: string;
	readonly connection: ConnectionFacts;
};

const ADVICE = 'Enter switches to the profile. Running instances are not affected.';

export function profilesBody(body: ProfilesBody): readonly string[] {
	const {theme, size} = body.connection;
	const {columns, rows} = size;
	const list = body.list.slice(0, Math.max(3, Math.floor(rows / 3)));
	// Settings take all remaining room.
	const isCrowded = body.showsSources && body.trouble.trim() === '';
	const notes = isCrowded ? [] : [body.trouble, ...(body.showsSources ? [] : [ADVICE])];
	// The heading of settings parts them from the list.
	const above = body.showsSources ? [] : [ruleLine(theme, columns)];
	const height = rows - list.length - above.length - notes.length - 1;
	const below = body.showsSources ? sourceLines(body, height) : factPanes(body, height);
	const facts = [...above, ...inHeight(below, height), ruleLine(theme, columns)];
	return [...list, ...withJoints(theme, facts), ...notes.map(note => fit(note, columns))];
}

type Widths = {readonly leftWidth: number; readonly rightWidth: number};

function widthsOf({size: {columns}}: ConnectionFacts, share: number): Widths {
	const leftWidth = Math.floor(columns * share);
	return {leftWidth, rightWidth: columns - leftWidth - 3};
}

function factPanes({row, settings, connection}: ProfilesBody, height: number): readonly string[] {
	const {leftWidth, rightWidth} = widthsOf(connection, 0.54);
	const heading = (text: string) => connection.theme.style('heading', text);
	const facts = row === undefined ? [] : profileFacts(row, settings);
	const left = [
		heading(printable(row?.name ?? '')),
		...factLines(connection.theme, facts, leftWidth),
	];
	const right = [
		heading('CONNECTION'),
		...factLines(connection.theme, connectionFacts(connection), rightWidth),
		heading('TERMINAL'),
		...factLines(connection.theme, terminalFacts(connection), rightWidth),
	];
	return beside(left, right, {leftWidth, height});
}

/** Source of each setting, in two columns: there are more settings than lines. */
function sourceLines({row, settings, connection}: ProfilesBody, height: number): readonly string[] {
	const {leftWidth, rightWidth} = widthsOf(connection, 0.5);
	const facts = row === undefined ? [] : settingSources(row, settings, connection.environment);
	const half = Math.ceil(facts.length / 2);
	const title = `${row?.name ?? ''}: where its settings come from`;
	return [
		connection.theme.style('heading', printable(title)),
		...beside(
			factLines(connection.theme, facts.slice(0, half), leftWidth),
			factLines(connection.theme, facts.slice(half), rightWidth),
			{
				leftWidth,
				height: height - 1,
			},
		),
	];
}

type ConnectionFacts = {
	readonly exchanges: Exchanges;
	readonly pace: readonly PaceReport[];
	readonly linkMs: number | undefined;
	readonly guard: string;
	readonly check: ProfileCheck | undefined;
	readonly environment: TerminalEnvironment;
	readonly theme: Theme;
	readonly size: Size;
};

type Fact = readonly [name: string, value: string];

function connectionFacts({
	exchanges,
	pace,
	linkMs,
	check,
	guard,
}: ConnectionFacts): readonly Fact[] {
	const {times, failedAt} = exchanges;
	const refusals = pace.reduce((sum, report) => sum + report.refusals, 0);
	const slowed = pace.filter(({reason}) => reason !== undefined);
	return [
		[
			'api',
			`${ms(times.at(-1))}  p95 ${ms(
				quantile(
					times.toSorted((a, b) => a - b),
					0.95,
				),
			)}`,
		],
		['errors', `${count(failedAt.length)} in the last hour`],
		['429', refusals === 0 ? 'none' : `${count(refusals)} since rentty was opened`],
		['pace', slowed.length === 0 ? 'as usual' : slowed.map(slowness).join('; ')],
		['clock', check?.ahead === undefined ? 'not compared; R does' : clockSkewText(check.ahead)],
		['guard', guard],
		['link', linkMs === undefined ? 'not measured' : `${ms(linkMs)} to your terminal`],
	];
}

function terminalFacts({environment, theme, size}: ConnectionFacts): readonly Fact[] {
	const {TERM, NO_COLOR, TMUX, STY, SSH_CONNECTION} = environment;
	const through = [isSet(SSH_CONNECTION) ? 'ssh' : '', isSet(TMUX) ? 'tmux' : '']
		.concat(isSet(STY) ? 'screen' : '')
		.filter(word => word !== '');
	const clipboard = isSet(TMUX) ? 'osc52; tmux needs set-clipboard on' : 'osc52; no receipt';
	return [
		['TERM', [printable(TERM ?? '-'), ...through].join(', ')],
		['copy', clipboard],
		['colours', isSet(NO_COLOR) ? 'none (NO_COLOR)' : hasManyColours(environment) ? '256' : '16'],
		['glyphs', theme.glyphs.rule === '-' ? 'ascii' : 'unicode'],
		['size', `${size.columns}x${size.rows}`],
	];
}

function slowness({call, intervalSeconds}: PaceReport): string {
	return printable(`${call} every ${Math.ceil(intervalSeconds)} s`);
}

function ms(value: number | undefined): string {
	return value === undefined ? '-' : `${Math.round(value)}ms`;
}

function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== '';
}

function profileFacts(row: ProfileRow, settings: Settings): readonly Fact[] {
	const profile = profileOf(row);
	const own = Object.keys(profile?.settings ?? {});
	const {spend, limits, notify} = settings;
	const facts: readonly Fact[] = [
		['server', printable(row.server)],
		['key', profile === undefined ? row.key : printable(describeSource(profile.key))],
		['mode', row.mode === 'RW' ? 'RW: every change asks' : 'RO: nothing can be changed'],
		['colour', profile?.colour ?? 'none'],
		['own settings', own.length === 0 ? 'none' : printable(own.join(', '))],
	];
	if (!row.isOpen) return facts;
	return [
		...facts,
		...budgetFacts(spend),
		['disk', `${settings.diskGb} GB`],
		['stuck after', `${limits.bootMinutes} min of booting`],
		['notify', ['title', ...(notify.bell ? ['bell'] : [])].join(', ')],
	];
}

/**
 * Files of a market on this machine, and the command that removes them; empty for other services.
 */
export function filesNote({files}: ProfileRow, home = ''): string {
	if (files === '') return '';
	const isAtHome = home !== '' && files.startsWith(`${home}/`);
	const where = printable(isAtHome ? `~${files.slice(home.length)}` : files);
	return `Its files are in ${where}; rentty practice reset removes them.`;
}

function budgetFacts({
	askOverPerHour,
	fleetMaxPerHour,
	problem,
}: Settings['spend']): readonly Fact[] {
	if (problem !== undefined) return [['budget', 'cannot be read: every rent asks']];
	return [
		['budget', budgetWords('asks over', askOverPerHour, 'asks as always')],
		['', budgetWords('no more than', fleetMaxPerHour, 'no limit in all')],
	];
}

function budgetWords(does: string, dollars: number | null, otherwise: string): string {
	return dollars === null ? otherwise : `${does} $${dollars}/h`;
}

/**
 * Variables of the environment, which count before all else, as the command line does, while the
 * program runs.
 */
const variables: Readonly<Record<string, string>> = {
	theme: 'RENTTY_THEME',
	glyphs: 'RENTTY_ASCII',
	colour: 'NO_COLOR',
};

/**
 * Each setting with its source: the start (a flag or the environment), the profile, the user's file, or
 * the default. Of a closed profile only its own settings are known.
 */
function settingSources(
	row: ProfileRow,
	settings: Settings,
	environment: TerminalEnvironment,
): readonly Fact[] {
	const own = profileOf(row)?.settings ?? {};
	if (!row.isOpen) {
		const facts = Object.entries(own).map(([name, value]): Fact => [
			name,
			`profile  ${brief(value)}`,
		]);
		return [...facts, ['others', 'as your file says']];
	}
	return Object.entries(settings).map(([name, value]): Fact => {
		const said = environment[variables[name] ?? ''];
		if (said !== undefined && said !== '') return [name, `start  ${brief(said)}`];
		const usual: unknown = Object.entries(defaultSettings).find(([known]) => known === name)?.[1];
		const isUsual = JSON.stringify(value) === JSON.stringify(usual);
		const from = Object.hasOwn(own, name) ? 'profile' : isUsual ? 'default' : 'file';
		return [name, `${from}  ${brief(value)}`];
	});
}

function brief(value: unknown): string {
	const text = JSON.stringify(value) ?? '';
	return printable(text.replaceAll('"', ''));
}
