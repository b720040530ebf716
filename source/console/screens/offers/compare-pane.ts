/** Pane beside a wide comparison: the job, its cost with each offer, and their speeds. */
import {spread} from '../../ui/chrome.ts';
import {count, money, plainNumber} from '../../../renter/text/format.ts';
import {fit} from '../../../renter/text/text-width.ts';
import type {Compared} from './compared.ts';
import type {Job} from '../../../contract/nouns/offer-cost.ts';
import type {Theme} from '../../ui/theme.ts';

/** Longer bars tell no more. */
const LONGEST_BAR = 12;

type Shown = {readonly offers: readonly Compared[]; readonly job: Job; readonly theme: Theme};

/** The lines of the pane, none longer than its width. */
export function comparePane(
	{offers, job, theme}: Shown,
	width: number,
	height: number,
): readonly string[] {
	const ranked = offers.toSorted((a, b) => costOf(a) - costOf(b));
	const heading = (title: string) => theme.style('heading', fit(title, width));
	const lines = [
		heading('COST FOR YOUR JOB'),
		fit(` hours   ${plainNumber(job.hours)}     (Tab edits)`, width),
		fit(` disk    ${plainNumber(job.diskGb)} GB`, width),
		fit(` in      ${job.inGbPerHour} GB/h`, width),
		fit(` out     ${job.outGbPerHour} GB/h`, width),
		'',
		...ranked.map((compared, at) => costLine(compared, at === 0, width)),
		'',
		heading('RELATIVE SPEED (DLP)'),
		...speedLines(offers, width),
		'',
		heading('FALLBACK ORDER'),
		...turnLines(offers, width),
	];
	return lines.slice(0, height);
}

function costOf({cost}: Compared): number {
	return cost.job ?? Number.POSITIVE_INFINITY;
}

function costLine({offer, cost}: Compared, isCheapest: boolean, width: number): string {
	const sign = isCheapest && cost.job !== undefined ? ' <' : '  ';
	return spread(width - 4, ` ${offer.id}`, `${money(cost.job)}${sign}`);
}

/** Fallback order, two offers on a line; those that are left out come last. */
function turnLines(offers: readonly Compared[], width: number): readonly string[] {
	const words = offers
		.toSorted((a, b) => (a.turn ?? Infinity) - (b.turn ?? Infinity))
		.map(({offer, turn}) => `${turn ?? '-'} ${offer.id}`);
	return Array.from({length: Math.ceil(words.length / 2)}, (_, at) =>
		fit(` ${words.slice(at * 2, at * 2 + 2).join('  ')}`, width),
	);
}

/** A bar for each offer whose speed is known, the fastest first; the fastest bar is the longest. */
function speedLines(offers: readonly Compared[], width: number): readonly string[] {
	const speeds = offers
		.flatMap(({offer: {id, dlperf}}) => (typeof dlperf === 'number' ? [{id, dlperf}] : []))
		.toSorted((a, b) => b.dlperf - a.dlperf);
	const fastest = speeds[0]?.dlperf ?? 0;
	if (fastest <= 0) return [fit(' not sent by this server', width)];
	const names = Math.max(...speeds.map(({id}) => String(id).length));
	return speeds.map(({id, dlperf}) => {
		const bar = '#'.repeat(Math.max(1, Math.round((Math.max(0, dlperf) / fastest) * LONGEST_BAR)));
		const left = ` ${String(id).padStart(names)} ${bar.padEnd(LONGEST_BAR)}`;
		return fit(`${left} ${count(dlperf).padStart(5)}`, width);
	});
}
