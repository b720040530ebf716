/** The band under the list: boot and cost of the instance under the cursor. */
import type {Condition} from '../../../renter/instance/condition.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {costSoFar, costWords} from '../../../renter/instance/cost.ts';
import {evidenceFor} from '../../../renter/fleet/sweepable.ts';
import {timelineOf, type Step} from '../../../renter/fleet/timeline.ts';
import {known, millsPerHour, timeOfDay} from '../../../renter/text/format.ts';
import {spread} from '../../ui/chrome.ts';
import {fit, printable} from '../../../renter/text/text-width.ts';
import {limitOf, statusMessage} from './trouble.ts';
import {ratePerHour} from './cells.ts';
import {ageOf, lasting, minutes, nameOf, stateWord} from './words.ts';

const HOUR_MS = 3_600_000;

/** One line for narrow screens: "8812519 loading 13:20, usual 1:55, limit 10m". */
export function narrowBand(row: FleetRow | undefined, width: number): readonly string[] {
	if (row === undefined) return [''];
	const {instance, usualMs} = row;
	const usual = usualMs === undefined ? [] : [`usual ${minutes(usualMs)}`];
	const limit = isBooting(row) ? [`limit ${Math.round(limitOf(row) / 60_000)}m`] : [];
	const parts = [`${instance.id} ${stateWord(instance.actual_status)} ${ageOf(row)}`];
	return [fit([...parts, ...(isBooting(row) ? usual : []), ...limit].join(', '), width)];
}

function isBooting({instance: {actual_status: status}}: FleetRow): boolean {
	return (status ?? null) === null || status === 'loading';
}

const number = known(String);

/** Five lines: which it is, its boot, what its service says, what it costs, what can be done. */
export function band(row: FleetRow | undefined, width: number): readonly string[] {
	if (row === undefined) return ['', '', '', '', ''];
	const {instance} = row;
	const steps = timelineOf(row);
	const made = steps[0]?.at;
	const since = made === undefined ? '' : `since ${localTime(made, row)}`;
	const place = `host ${number(instance.host_id)} / machine ${number(instance.machine_id)}`;
	return [
		spread(width, `${nameOf(instance)}   ${place}`, since),
		fit(steps.map(step => stepText(step, row)).join(' | '), width),
		fit(sentenceAbout(row), width),
		fit(costText(row), width),
		fit(advice[row.condition] ?? '', width),
	];
}

/** A moment of the service's clock, as the user's clock had it. */
function localTime(at: number, {skewMs}: FleetRow): string {
	return timeOfDay(new Date(at - skewMs));
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** As clocks have it, and without seconds where those say nothing any more. */
function stepLength(ms: number): string {
	return ms < HOUR_MS ? minutes(ms) : lasting(ms);
}

function stepText({name, at, lasted, isNow, limitMs}: Step, row: FleetRow): string {
	if (name === 'accepted') return `accepted ${at === undefined ? '-' : localTime(at, row)}`;
	const title = name === 'ssh answers' ? 'ssh' : name;
	if (lasted === undefined) return `${title} -`;
	const isLate = isNow && limitMs !== undefined && lasted >= limitMs;
	return `${title} ${stepLength(lasted)}${isLate ? ' !!!' : ''}`;
}

/** Reasons for the instance's state, the service's own words last. */
export function sentenceAbout(row: FleetRow): string {
	const {condition, instance, seen, usualMs} = row;
	const message = statusMessage(row);
	const own = message === '' ? '' : ` It says: ${message}`;
	const state = stateWord(instance.actual_status);
	if (condition === 'stuck' || condition === 'slow') {
		const usual = usualMs === undefined ? '' : `; your median for this image: ${minutes(usualMs)}`;
		return `${capital(evidenceFor(row))}${usual}.${own}`;
	}
	if (condition === 'unlisted') {
		const been = seen.phases.length === 0 ? 'Rented, and not listed yet' : 'Not in the last list';
		return `${been}: it may be charged until it is proven to be gone.`;
	}
	if (condition === 'dead')
		return `It is ${state} for ${ageOf(row)}, and will not run by itself.${own}`;
	if (condition === 'undead') return 'Its destruction was accepted, and it is still listed.';
	if (condition === 'other')
		return `State "${state}" is new to this version and shown as sent.${own}`;
	return message === '' ? '' : `It says: ${message}`;
}

function costText(row: FleetRow): string {
	const {rate} = row;
	const soFar = costWords(costSoFar(row));
	const about = soFar === undefined ? '' : ` So far ${soFar}.`;
	if (rate.now === rate.atMost) return `Costs ${ratePerHour(rate)}.${about}`;
	return `Costs ${millsPerHour(rate.now)} now, at most ${millsPerHour(rate.atMost)}.${about}`;
}

/** Advice per state, with the keys that follow it. */
const advice: Readonly<Partial<Record<Condition, string>>> = {
	undead: 'x destroys it again. It stays at the top until it is gone.',
	stuck: 'x destroys it    X sweeps all    r rents one like it    m tells when it moves',
	dead: 'x destroys it    X sweeps all that are stuck or dead    r rents one like it',
	idle: 'S stops it: its disk still costs, and its GPUs may be taken.',
	stopped: 'S starts it, if its GPUs are free    x destroys it and its disk',
	unlisted: 'R looks again    x destroys it',
	waiting: 'It goes on by itself when its GPUs are free. S gives up waiting.',
};

/** The boot of the row under the cursor, step by step, for screens with room. */
export function timelineLines(row: FleetRow, width: number): readonly string[] {
	const lines = timelineOf(row).map(({name, at, lasted, usualMs, limitMs, isNow}) => {
		const began = at === undefined ? '    -   ' : localTime(at, row);
		const took = lasted === undefined ? '' : stepLength(lasted);
		const usual = usualMs === undefined ? [] : [`yours ${minutes(usualMs)}`];
		const limit = limitMs === undefined ? [] : [`limit ${Math.round(limitMs / 60_000)}m`];
		const late = isNow && row.condition === 'stuck' ? ['<- STUCK'] : [];
		const parts = [...(lasted === undefined ? [] : [...usual, ...limit]), ...late];
		return fit(`  ${began}  ${fit(name, 13)}${fit(took, 7, 'right')}   ${parts.join(', ')}`, width);
	});
	const title = fit(
		`TIMELINE  ${nameOf(row.instance)}  ${printable(stateWord(row.instance.actual_status))}`,
		width,
	);
	return [title, '', ...lines];
}
