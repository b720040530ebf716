/** The band under the list: boot and cost of the instance under the cursor, its boot as a bar too. */
import type {Theme} from '../../ui/theme.ts';
import {type InstanceCondition, evidenceFor} from '../../../renter/instance/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {isBooting} from '../../../renter/instance/observations.ts';
import {reportedState} from '../../../client/nouns/instance-list.ts';
import {costSoFar, formatCostRange} from '../../../renter/instance/cost.ts';
import {timelineOf, type StartStep} from '../../../renter/fleet/timeline.ts';
import {known, millsPerHour, timeOfDay} from '../../../renter/text/format.ts';
import {spread} from '../../ui/chrome.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {wrapText} from '../../../renter/text/wrap.ts';
import {limitOf, statusMessage} from './trouble.ts';
import {ratePerHour} from './words.ts';
import {ageOf, lasting, minutes, instanceNameOf, serviceStateWord} from './words.ts';
import {HOUR_MS, MINUTE_MS} from '../../../contract/rules/durations.ts';

/** A line for narrow screens: "8812519 loading 13:20, usual 1:55, limit 10m". */
export function narrowBand(row: FleetRow | undefined, width: number): readonly string[] {
	if (row === undefined) return [''];
	const {instance, usualMs, condition} = row;
	if (condition === 'failed') return [fit(`${instance.id} ${statusMessage(row)}`, width)];
	const usual = usualMs === undefined ? [] : [`usual ${minutes(usualMs)}`];
	const isOnItsWay = isBooting(reportedState(instance));
	const limit = isOnItsWay ? [`limit ${Math.round(limitOf(row) / 60_000)}m`] : [];
	const parts = [`${instance.id} ${serviceStateWord(instance)} ${ageOf(row)}`];
	return [fit([...parts, ...(isOnItsWay ? usual : []), ...limit].join(', '), width)];
}

const number = known(String);

/** Five lines: the instance, its boot, its service's message, its cost, and advice. */
export function band(row: FleetRow | undefined, width: number): readonly string[] {
	if (row === undefined) return ['', '', '', '', ''];
	const {instance} = row;
	const steps = timelineOf(row);
	const made = steps[0]?.at;
	const since = made === undefined ? '' : `since ${localTime(made, row)}`;
	const place = `host ${number(instance.host_id)} / machine ${number(instance.machine_id)}`;
	return [
		spread(width, `${instanceNameOf(instance)}   ${place}`, since),
		fit([...steps.flatMap(stepTexts), ...silenceOf(steps)].join(' · '), width),
		fit(sentenceAbout(row), width),
		fit(costText(row), width),
		fit(advice[row.condition] ?? '', width),
	];
}

/** Most lines of a sentence about an instance: a service may send a whole log. */
const MOST_SAID = 6;

/** All of the reasons for its state, as far as there is room. */
export function sentenceLines(row: FleetRow, width: number): readonly string[] {
	const sentence = sentenceAbout(row);
	const lines = sentence === '' ? [] : wrapText(sentence, width);
	const shown = lines.length > MOST_SAID ? [...lines.slice(0, MOST_SAID - 1), '…'] : lines;
	return shown.map(line => fit(line, width));
}

/** A moment of the service's clock, converted to the user's clock. */
function localTime(at: number, {skewMs}: FleetRow): string {
	return timeOfDay(new Date(at - skewMs));
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A duration as on a clock, without seconds where they do not matter. */
function stepLength(ms: number): string {
	return ms < HOUR_MS ? minutes(ms) : lasting(ms);
}

/** A step of the boot in words; none for one that did not begin, or was not seen. */
function stepTexts({name, lasted, isNow, limitMs}: StartStep): readonly string[] {
	if (lasted === undefined || name === 'accepted') return [];
	if (name === 'ssh answers') return ['SSH answers'];
	const length = stepLength(lasted);
	const [doing, done] = stepVerbs[name];
	const isLate = isNow && limitMs !== undefined && lasted >= limitMs;
	const late = isLate ? ` (limit ${Math.round(limitMs / 60_000)}m)` : '';
	return [`${isNow ? doing : done} ${length}${late}`];
}

/** Notice that SSH has not answered a running instance, as far as is known here. */
function silenceOf(steps: readonly StartStep[]): readonly string[] {
	const runs = steps.some(({name, isNow}) => name === 'running' && isNow);
	const answers = steps.some(({name, lasted}) => name === 'ssh answers' && lasted !== undefined);
	return runs && !answers ? ['no SSH answer yet'] : [];
}

const stepVerbs = {
	provisioning: ['provisioning for', 'provisioned in'],
	loading: ['loading for', 'loaded in'],
	running: ['runs for', 'ran for'],
} as const;

/** Reasons for the instance's state, the service's own words last. */
function sentenceAbout(row: FleetRow): string {
	const {condition, instance, observation, usualMs} = row;
	const message = statusMessage(row);
	const own = message === '' ? '' : ` It says: ${message}`;
	const state = serviceStateWord(instance);
	if (condition === 'stuck' || condition === 'slow') {
		const usual = usualMs === undefined ? '' : `; your median for this image: ${minutes(usualMs)}`;
		return `${capital(evidenceFor(row))}${usual}.${own}`;
	}
	if (condition === 'unlisted') {
		const been =
			observation.phases.length === 0 ? 'Rented, and not listed yet' : 'Not in the last list';
		return `${been}: it may be charged until it is proven to be gone.`;
	}
	if (condition === 'dead')
		return `${capital(state)} for ${ageOf(row)}; it will not start again by itself.${own}`;
	if (condition === 'undead') return 'Its destruction was accepted, and it is still listed.';
	if (condition === 'other')
		return `State "${state}" is new to this version and shown as sent.${own}`;
	return message === '' ? '' : `It says: ${message}`;
}

function costText(row: FleetRow): string {
	const {rate} = row;
	const soFar = formatCostRange(costSoFar(row));
	const about = soFar === undefined ? '' : ` So far ${soFar}.`;
	if (rate.now === rate.atMost) return `Costs ${ratePerHour(rate)}.${about}`;
	return `Costs ${millsPerHour(rate.now)} now, at most ${millsPerHour(rate.atMost)}.${about}`;
}

/** Advice per state, with the keys that follow it. */
const advice: Readonly<Partial<Record<InstanceCondition, string>>> = {
	undead: 'x destroys it again. It stays at the top until it is gone.',
	stuck: 'x destroys it    X sweeps all    r rents one like it    m alerts when it changes',
	dead: 'x destroys it    X sweeps all that are stuck or dead    r rents one like it',
	failed: 'Enter shows all of it    S starts it again    x destroys it and its disk',
	idle: 'S stops it: its disk still costs, and its GPUs may be taken.',
	stopped: 'S starts it, if its GPUs are free    x destroys it and its disk',
	unlisted: 'R looks again    x destroys it',
	waiting: 'It goes on by itself when its GPUs are free. S gives up waiting.',
};

/** The boot of the row under the cursor, step by step, for large screens. */
export function timelineLines(row: FleetRow, width: number): readonly string[] {
	const lines = timelineOf(row).map(({name, at, lasted, usualMs, limitMs, isNow}) => {
		const began = at === undefined ? '    -   ' : localTime(at, row);
		const took = lasted === undefined ? '' : stepLength(lasted);
		const usual = usualMs === undefined ? [] : [`yours ${minutes(usualMs)}`];
		const limit = limitMs === undefined ? [] : [`limit ${Math.round(limitMs / 60_000)}m`];
		const late = isNow && row.condition === 'stuck' ? ['<- stuck'] : [];
		const parts = [...(lasted === undefined ? [] : [...usual, ...limit]), ...late];
		return fit(`  ${began}  ${fit(name, 13)}${fit(took, 7, 'right')}   ${parts.join(', ')}`, width);
	});
	const title = fit(
		`TIMELINE  ${instanceNameOf(row.instance)}  ${printable(serviceStateWord(row.instance))}`,
		width,
	);
	return [title, '', ...lines];
}

/** Possible distances between marks of the scale, in minutes. */
const paces = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440];
/** Most marks that can be distinguished. */
const MOST_MARKS = 10;
/** Longest bar that can be read at a glance. */
const WIDEST = 96;

type Boot = {
	readonly began: number;
	/** The time at which the instance ran, or else the present. */
	readonly until: number;
	readonly loading: number | undefined;
	/** The limit after which the boot counts as stuck. */
	readonly limit: number | undefined;
	readonly usual: number | undefined;
};

/** Scale, bar and marks of a boot, styled; no lines for one that was not seen. */
export function bootBar(
	row: FleetRow,
	{theme, width}: {readonly theme: Theme; readonly width: number},
): readonly string[] {
	const boot = bootOf(timelineOf(row));
	const columns = Math.min(WIDEST, width - 6);
	if (boot === undefined || columns < 20) return [];
	const span = Math.max(boot.until, boot.limit ?? 0) - boot.began;
	const length = span / MINUTE_MS;
	const pace = paces.find(one => length / one <= MOST_MARKS) ?? Math.ceil(length / MOST_MARKS);
	const perColumn = (Math.ceil(length / pace + 0.5) * pace * MINUTE_MS) / columns;
	const columnOf = (at: number) => Math.round((at - boot.began) / perColumn);
	const scale = Array.from({length: MOST_MARKS + 2}, (_, mark) => mark * pace).map(
		mark => [columnOf(boot.began + mark * MINUTE_MS), `${mark}m`] as const,
	);
	const marks = [
		...(boot.usual === undefined ? [] : [[columnOf(boot.usual), '^ your median'] as const]),
		...(boot.limit === undefined ? [] : [[columnOf(boot.limit), '^ limit'] as const]),
	];
	return [
		theme.style('quiet', `  ${placed(scale, columns)}`),
		`  ${drawn(boot, columnOf, {theme, columns})}`,
		`  ${placed(marks, columns)}`,
	];
}

function bootOf([, provisioning, loading, running]: readonly StartStep[]): Boot | undefined {
	const started = [provisioning, loading].filter(hasStarted);
	const [first, last] = [started[0], started.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	const after = (ms: number | undefined) => (ms === undefined ? undefined : last.at + ms);
	return {
		began: first.at,
		until: running?.at ?? last.at + last.lasted,
		loading: loading?.at,
		limit: after(last.limitMs),
		usual: after(last.usualMs),
	};
}

type StartedStep = StartStep & {readonly at: number; readonly lasted: number};

function hasStarted(step: StartStep | undefined): step is StartedStep {
	return step?.at !== undefined && step.lasted !== undefined;
}

/** Waiting, loading and the time beyond the limit, each in its own shade and colour. */
function drawn(
	boot: Boot,
	columnOf: (at: number) => number,
	{theme, columns}: {readonly theme: Theme; readonly columns: number},
): string {
	const {began, loading = Infinity, limit = Infinity} = boot;
	const end = Math.min(columns, Math.max(1, columnOf(boot.until)));
	const parts = [
		[began, '░', 'quiet'],
		[loading, '▒', 'booting'],
		[limit, '█', 'danger'],
	] as const;
	const bar = parts.map(([from, shade, meaning], at) => {
		const until = Math.min(...parts.slice(at + 1).map(([next]) => columnOf(next)), end);
		return theme.style(meaning, shade.repeat(Math.max(0, until - columnOf(from))));
	});
	return `${theme.style('quiet', '├')}${bar.join('')}${theme.style('quiet', '┤')}`;
}

/** Words at their columns; those that do not fit are left out. */
function placed(words: ReadonlyArray<readonly [column: number, word: string]>, columns: number) {
	let line = '';
	for (const [column, word] of words) {
		const at = column + 1;
		if (at < line.length + (line === '' ? 0 : 1) || at + word.length > columns + 2) continue;
		line = line.padEnd(at) + word;
	}
	return line;
}
