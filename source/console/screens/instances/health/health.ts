import type {Bindings} from '../../../ui/bindings.ts';
import {spread} from '../../../ui/chrome.ts';
import {inHeight} from '../../../ui/panes.ts';
import {wrapText} from '../../../../renter/text/wrap.ts';
import type {Meaning, Theme} from '../../../ui/theme.ts';
import type {Size} from '../../../terminal/terminal.ts';
import {keptByStackEntry} from '../../../services/router.ts';
import type {FleetRow} from '../../../../renter/fleet/fleet-state.ts';
import type {Examination} from '../../../../renter/health/examine.ts';
import type {HealthVerdict, Whole} from '../../../../renter/health/finding.ts';
import {timeOfDay} from '../../../../renter/text/format.ts';
import {createStore} from '../../../../renter/state/store.ts';
import {fit, widthOf} from '../../../../renter/text/text-width.ts';
import {scrollKeys} from '../../../list/bindings.ts';
import {instanceNameOf} from '../words.ts';

export type HealthTarget = {
	readonly look: () => void;
	readonly isBusy: () => string | undefined;
	readonly copy: () => void;
	readonly nothingFound: () => string | undefined;
	readonly scroll: (step: 1 | -1) => void;
};

export const healthBindings: Bindings<HealthTarget> = [
	{
		keys: ['R', 'Ctrl-R'],
		id: 'examine-again',
		title: 'examine again: some ten seconds over SSH',
		hint: 'again',
		run: page => page.look(),
		unavailable: page => page.isBusy(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-the-report',
		title: 'copy the report for the host: it has no secrets',
		hint: 'copy report',
		run: page => page.copy(),
		unavailable: page => page.nothingFound(),
	},
	...scrollKeys(),
];

export type HealthState = {
	readonly found: ReadonlyMap<number, Examination>;
	/** Instances that are being examined. */
	readonly open: ReadonlySet<number>;
	/** Time of the last examination, and its duration. */
	readonly last: {readonly at: number; readonly ms: number} | undefined;
	readonly top: number;
};

export const healthAt = keptByStackEntry(() =>
	createStore<HealthState>({found: new Map(), open: new Set(), last: undefined, top: 0}),
);

/** Functions that write an examination; loaded with it. */
export type Writing = {
	readonly lines: (examination: Examination) => ReadonlyArray<{
		readonly verdict: HealthVerdict;
		readonly head: string;
		readonly says: string;
	}>;
	readonly whole: (examination: Examination) => string;
};

const meanings: Readonly<Record<HealthVerdict, Meaning>> = {
	ok: 'good',
	warn: 'warning',
	fail: 'danger',
	unknown: 'quiet',
};

const wholes: Readonly<Record<Whole, Meaning>> = {
	'AS ORDERED': 'good',
	WORN: 'warning',
	'NOT AS ORDERED': 'danger',
	FAILING: 'danger',
	'NOT KNOWN': 'quiet',
};

type Paper = {readonly theme: Theme; readonly size: Size};

export function healthLines(
	rows: ReadonlyArray<Pick<FleetRow, 'instance'>>,
	state: HealthState,
	{writing, paper}: {readonly writing: Writing; readonly paper: Paper},
): readonly string[] {
	const {theme, size} = paper;
	const all = rows.flatMap(row => instanceLines(row, state, {writing, paper}));
	const height = size.rows - 2;
	const top = Math.min(state.top, Math.max(0, all.length - height));
	const note =
		state.open.size > 0
			? `${state.open.size} being examined`
			: state.last === undefined
				? ''
				: `looked ${timeOfDay(new Date(state.last.at))}, took ${Math.round(state.last.ms / 1000)} s`;
	const title = `Health of ${rows.length === 1 ? 'an instance' : `${rows.length} instances`}`;
	const lacks = [...state.found.values()].some(({findings}) =>
		findings.some(({verdict}) => verdict === 'fail'),
	);
	const foot = lacks
		? 'y copies a report for the host. Esc, then: r rents one like it, x destroys it.'
		: 'y copies it as text. Nothing is left in an instance that was examined.';
	return [
		fit(spread(size.columns, title, note), size.columns),
		...inHeight(all.slice(top), height),
		theme.style('quiet', fit(foot, size.columns)),
	];
}

function instanceLines(
	row: Pick<FleetRow, 'instance'>,
	{found, open}: HealthState,
	{writing, paper}: {readonly writing: Writing; readonly paper: Paper},
): readonly string[] {
	const {theme, size} = paper;
	const {columns} = size;
	const {id} = row.instance;
	const examination = found.get(id);
	const name = instanceNameOf(row.instance);
	if (examination === undefined) {
		const text = open.has(id) ? 'being examined: some ten seconds over SSH' : 'not examined';
		return [fit(`${name}  ${text}`, columns)];
	}
	const title = fit(`${name}  ${writing.whole(examination)}`, columns);
	const lines = writing.lines(examination).flatMap(({verdict, head, says}) => {
		const indent = widthOf(head) + 2;
		const [first = '', ...others] = wrapText(says, columns - indent);
		const meaning = meanings[verdict];
		return [
			theme.style(meaning, fit(`  ${head}${first}`, columns)),
			...others.map(line => theme.style(meaning, fit(' '.repeat(indent) + line, columns))),
		];
	});
	return [theme.style(wholes[examination.whole], title), ...lines, ''];
}
