/** The boot of an instance as a bar: how long each part took, what is usual, and what is too long. */
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {timelineOf, type Step} from '../../../renter/fleet/timeline.ts';

const MINUTE_MS = 60_000;
/** Possible distances between marks of the scale, in minutes. */
const paces = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440];
/** As many marks as can be told apart. */
const MOST_MARKS = 10;
/** The bar is no longer than can be taken in at a glance. */
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

/** Scale, bar and marks; no lines for a boot that was not seen. */
export function bootBar(row: FleetRow, width: number): readonly string[] {
	const boot = bootOf(timelineOf(row));
	const columns = Math.min(WIDEST, width - 6);
	if (boot === undefined || columns < 20) return [];
	const span = Math.max(boot.until, boot.limit ?? 0) - boot.began;
	const minutes = span / MINUTE_MS;
	const pace = paces.find(one => minutes / one <= MOST_MARKS) ?? Math.ceil(minutes / MOST_MARKS);
	const perColumn = (Math.ceil(minutes / pace + 0.5) * pace * MINUTE_MS) / columns;
	const columnOf = (at: number) => Math.round((at - boot.began) / perColumn);
	const scale = Array.from({length: MOST_MARKS + 2}, (_, mark) => mark * pace).map(
		mark => [columnOf(boot.began + mark * MINUTE_MS), `${mark}m`] as const,
	);
	const marks = [
		...(boot.usual === undefined ? [] : [[columnOf(boot.usual), '^ your median'] as const]),
		...(boot.limit === undefined ? [] : [[columnOf(boot.limit), '^ limit'] as const]),
	];
	return [
		`  ${placed(scale, columns)}`,
		`  ${drawn(boot, columnOf, columns)}`,
		`  ${placed(marks, columns)}`,
	];
}

function bootOf([, provisioning, loading, running]: readonly Step[]): Boot | undefined {
	const begun = [provisioning, loading].filter(hasBegun);
	const [first, last] = [begun[0], begun.at(-1)];
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

type Begun = Step & {readonly at: number; readonly lasted: number};

function hasBegun(step: Step | undefined): step is Begun {
	return step?.at !== undefined && step.lasted !== undefined;
}

/** Points for what waits for a machine, waves for what loads, and exclamation marks for too long. */
function drawn(boot: Boot, columnOf: (at: number) => number, columns: number): string {
	const end = Math.max(1, columnOf(boot.until));
	const bar = Array.from({length: Math.min(end, columns)}, (_, column) => {
		if (boot.limit !== undefined && column >= columnOf(boot.limit)) return '!';
		return boot.loading !== undefined && column >= columnOf(boot.loading) ? '~' : '.';
	});
	return `|${bar.join('')}|`;
}

/** Words at their columns; one for which there is no room is left out. */
function placed(words: ReadonlyArray<readonly [column: number, word: string]>, columns: number) {
	let line = '';
	for (const [column, word] of words) {
		const at = column + 1;
		if (at < line.length + (line === '' ? 0 : 1) || at + word.length > columns + 2) continue;
		line = line.padEnd(at) + word;
	}
	return line;
}
