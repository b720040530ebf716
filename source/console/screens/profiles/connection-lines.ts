/** How the connection does, and what the terminal can do, as lines. */
import type {PaceReport} from '../../../client/client.ts';
import type {Check} from '../../../renter/profiles/check.ts';
import {clockWords} from '../../../renter/profiles/clock.ts';
import {percentile} from '../../../renter/profiles/exchanges.ts';
import type {Exchanges} from '../../../renter/profiles/exchanges.ts';
import {count} from '../../../renter/format.ts';
import type {Environment, Theme} from '../../theme.ts';
import type {Size} from '../../terminal/terminal.ts';
import {printable} from '../../../renter/text/text-width.ts';

export type ConnectionFacts = {
	readonly exchanges: Exchanges;
	readonly pace: readonly PaceReport[];
	readonly linkMs: number | undefined;
	/** What the last test of the open profile found. */
	readonly check: Check | undefined;
	readonly environment: Environment;
	readonly theme: Theme;
	readonly size: Size;
};

type Fact = readonly [name: string, value: string];

export function connectionFacts({
	exchanges,
	pace,
	linkMs,
	check,
}: ConnectionFacts): readonly Fact[] {
	const {times, failedAt} = exchanges;
	const refusals = pace.reduce((sum, report) => sum + report.refusals, 0);
	const slowed = pace.filter(({reason}) => reason !== undefined);
	return [
		['api', `${ms(times.at(-1))}  p95 ${ms(percentile(times, 0.95))}`],
		['errors', `${count(failedAt.length)} in the last hour`],
		['429', refusals === 0 ? 'none' : `${count(refusals)} since rentty was opened`],
		['pace', slowed.length === 0 ? 'as usual' : slowed.map(slowness).join('; ')],
		['clock', check?.ahead === undefined ? 'not compared; R does' : clockWords(check.ahead)],
		['link', linkMs === undefined ? 'not measured' : `${ms(linkMs)} to your terminal`],
	];
}

export function terminalFacts({environment, theme, size}: ConnectionFacts): readonly Fact[] {
	const {TERM, NO_COLOR, TMUX, STY, SSH_CONNECTION} = environment;
	const through = [isSet(SSH_CONNECTION) ? 'ssh' : '', isSet(TMUX) ? 'tmux' : '']
		.concat(isSet(STY) ? 'screen' : '')
		.filter(word => word !== '');
	const clipboard = isSet(TMUX) ? 'osc52; tmux needs set-clipboard on' : 'osc52; no receipt';
	return [
		['TERM', [printable(TERM ?? '-'), ...through].join(', ')],
		['copy', clipboard],
		['colours', isSet(NO_COLOR) ? 'none (NO_COLOR)' : "16, the terminal's own"],
		['glyphs', theme.glyphs.rule === '-' ? 'ascii' : 'unicode'],
		['size', `${size.columns}x${size.rows}`],
	];
}

function slowness({deed, intervalSeconds}: PaceReport): string {
	return printable(`${deed} every ${Math.ceil(intervalSeconds)} s`);
}

function ms(value: number | undefined): string {
	return value === undefined ? '-' : `${Math.round(value)}ms`;
}

function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== '';
}
