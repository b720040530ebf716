/** Words and signs for instances. Texts of a service are never written raw. */
import {shownLabel} from '../../../renter/words/lease.ts';
import {
	countedFrom,
	isAtLeast,
	isTrouble,
	type InstanceCondition,
} from '../../../renter/instance/condition.ts';
import {reportedState} from '../../../client/nouns/instance-list.ts';
import {stateSigns} from '../../../renter/instance/state-signs.ts';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import type {HourlyRate} from '../../../renter/instance/burn.ts';
import {atMost, millsPerHour, MISSING, priceTag} from '../../../renter/text/format.ts';
import {gpuNameWithin} from '../../../renter/words/gpu-match.ts';
import {printable} from '../../../renter/text/text-width.ts';
import type {Meaning} from '../../ui/theme.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../../contract/rules/durations.ts';

type Instance = FleetRow['instance'];

type Sign = {
	readonly glyph: string;
	/** The word before the service's own; empty if that is enough. */
	readonly word: string;
	/** The word for narrow places. */
	readonly short: string;
	readonly meaning: Meaning;
};

const shortWords: Readonly<Partial<Record<InstanceCondition, string>>> = {
	provisioning: 'prov',
	loading: 'load',
	destroying: 'destr',
	running: 'run',
	waiting: 'wait',
	stopped: 'stop',
	unlisted: 'unlisted',
};

/** Conditions that are shown in the service's word alone. */
const asSent = new Set<InstanceCondition>(['failing', 'other']);

const meanings: Readonly<Record<InstanceCondition, Meaning>> = {
	undead: 'danger',
	stuck: 'danger',
	dead: 'danger',
	noSsh: 'warning',
	failing: 'warning',
	failed: 'warning',
	slow: 'warning',
	provisioning: 'booting',
	loading: 'booting',
	destroying: 'quiet',
	other: 'warning',
	running: 'good',
	idle: 'warning',
	waiting: 'warning',
	stopped: 'quiet',
	unlisted: 'warning',
	gone: 'quiet',
};

export function meaningOfCondition(condition: InstanceCondition): Meaning {
	return meanings[condition];
}

function plainSign(condition: InstanceCondition): Sign {
	const {sign: glyph, word} = stateSigns[condition];
	const shown = asSent.has(condition) ? '' : word;
	const short = shown === '' ? '' : (shortWords[condition] ?? shown);
	return {glyph, word: shown, short, meaning: meanings[condition]};
}

/** States whose word is followed by the service's own. */
const says = new Set<InstanceCondition>(['stuck', 'dead', 'slow', 'failing', 'other']);

/** The service's word for a state; ours if it sends none. */
export function serviceStateWord(instance: Instance): string {
	return printable(reportedState(instance) ?? 'provisioning');
}

type Shown = Pick<FleetRow, 'condition' | 'instance'> & Partial<Pick<FleetRow, 'isLastKnown'>>;

/** Sign of a row: its condition, in the past tense if that is only the last known one. */
function signOf({condition, isLastKnown = false}: Omit<Shown, 'instance'>): Sign {
	const sign = plainSign(condition);
	if (!isLastKnown || ownWords.has(condition)) return sign;
	const meaning = isTrouble(condition) ? 'warning' : 'quiet';
	return {
		glyph: sign.glyph,
		word: `was ${sign.word}`.trim(),
		short: `was${sign.short === '' ? '' : ` ${sign.short}`}`,
		meaning,
	};
}

/** Conditions that rentty infers itself, and not from a poll. */
const ownWords = new Set<InstanceCondition>(['destroying', 'unlisted', 'gone']);

/** A state as sign and words: "✖ stuck loading", and "● was running" where it is the last known one. */
export function conditionText(row: Shown): string {
	const {glyph, word} = signOf(row);
	const own = says.has(row.condition) ? serviceStateWord(row.instance) : '';
	return [glyph, word, own].filter(part => part !== '').join(' ');
}

/** The same in one word: "✖ stuck". */
export function shortState(row: Shown): string {
	const {glyph, short} = signOf(row);
	return `${glyph} ${short === '' ? serviceStateWord(row.instance) : short}`;
}

export function labelOf({label}: Instance): string {
	return printable(shownLabel(label)).trim();
}

/** Number and name: "8812519 train-c". */
export function instanceNameOf(instance: Instance): string {
	return `${instance.id} ${labelOf(instance)}`.trim();
}

/** GPUs of an instance in so many columns: "4× RTX 4090", "4×4090". */
export function gpusWithin(width: number, {num_gpus: gpus, gpu_name: name}: Instance): string {
	if ((gpus ?? name ?? undefined) === undefined) return MISSING;
	return gpuNameWithin(name ?? '?', width, `${gpus ?? '?'}×`);
}

const SECOND = 1000;

const two = (value: number) => String(Math.floor(value)).padStart(2, '0');

/** A duration: 3d04, 6h12, 14m02, 41s. */
export function lasting(ms: number): string {
	if (!Number.isFinite(ms)) return MISSING;
	const passed = Math.max(0, ms);
	if (passed >= DAY_MS) return `${Math.floor(passed / DAY_MS)}d${two((passed % DAY_MS) / HOUR_MS)}`;
	if (passed >= HOUR_MS)
		return `${Math.floor(passed / HOUR_MS)}h${two((passed % HOUR_MS) / MINUTE_MS)}`;
	if (passed >= MINUTE_MS)
		return `${Math.floor(passed / MINUTE_MS)}m${two((passed % MINUTE_MS) / SECOND)}`;
	return `${Math.floor(passed / SECOND)}s`;
}

/** A duration without seconds, which would change at every poll: 41m. */
export function roughly(ms: number): string {
	return Number.isFinite(ms) && ms < HOUR_MS
		? `${Math.max(0, Math.floor(ms / MINUTE_MS))}m`
		: lasting(ms);
}

/** Minutes and seconds as clocks have them: 13:20. */
export function minutes(ms: number): string {
	if (!Number.isFinite(ms)) return MISSING;
	const seconds = Math.max(0, Math.round(ms / SECOND));
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Colour of an instance's state: for its first minute, trouble is an alarm. */
export function meaningOf(row: FleetRow): Meaning {
	const {condition, becameAt, now, skewMs, isLastKnown} = row;
	const isFresh = becameAt !== undefined && now - skewMs - becameAt < MINUTE_MS && !isLastKnown;
	return isFresh && isTrouble(condition) ? 'alarm' : signOf(row).meaning;
}

const steady = new Set<InstanceCondition>([
	'running',
	'idle',
	'stopped',
	'failed',
	'other',
	'waiting',
	'noSsh',
]);

/** Age of an instance's state: >5m10 where it may be older. */
export function ageOf({condition, observation, now}: FleetRow): string {
	const age = now - countedFrom(observation);
	const written = steady.has(condition) ? roughly(age) : lasting(age);
	return isAtLeast(observation) ? `>${written}` : written;
}

/** A price in five columns: 1.660, .210, <2.10. */
export function rateText({now, atMost: most}: HourlyRate): string {
	if (most === undefined) return priceTag(now);
	return now === most ? priceTag(most) : atMost(most);
}

/** A price as a person says it: $1.620/h, at most $2.100/h. */
export function ratePerHour({now, atMost: most}: HourlyRate): string {
	if (most === undefined) return now === undefined ? `${MISSING}/h` : millsPerHour(now);
	return `${now === most ? '' : 'at most '}${millsPerHour(most)}`;
}

/** Usage of a running instance is green; of an ended one it is past. */
export function meaningOfUse({condition}: FleetRow): Meaning {
	return condition === 'running' || condition === 'noSsh' ? 'good' : 'quiet';
}
