/** Evidence for what is said of an instance: its age, and the looks that showed its state. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {madeAt} from './times.ts';
import {lengthOf} from './use-spans.ts';
import type {Observation} from './observations.ts';

export type Evidence = {
	/** Time of creation on the service's clock; undefined where the service does not say. */
	readonly madeAt: number | undefined;
	/** For how long it is known to exist: since it was made, else since rentty first saw it. */
	readonly ageMs: number;
	/** The service's word for its state. */
	readonly state: string | null;
	/** For how long looks showed that state without a break. */
	readonly stateMs: number;
	/** Count of looks. */
	readonly looks: number;
	/** For how long looks showed its present boot, which may have begun again. */
	readonly bootMs: number;
	readonly setbacks: number;
};

type Seen = {readonly instance: Instance; readonly seen: Observation; readonly now: number};

export function evidenceOf({instance, seen, now}: Seen): Evidence {
	const made = madeAt(instance, now);
	return {
		madeAt: made,
		ageMs: Math.max(0, now - (made ?? seen.firstSeenAt)),
		state: instance.actual_status ?? null,
		stateMs: lengthOf(seen.state),
		looks: seen.state?.looks ?? 0,
		bootMs: lengthOf(seen.boot),
		setbacks: seen.setbacks,
	};
}

/** "made 14 min ago, loading for 13 min (26 looks)". */
export function evidenceText({madeAt: made, ageMs, state, stateMs, looks, setbacks}: Evidence) {
	const since = made === undefined ? 'first seen' : 'made';
	const again =
		setbacks === 0 ? '' : `, begun again ${setbacks === 1 ? 'once' : `${setbacks} times`}`;
	const count = looks === 1 ? '1 look' : `${looks} looks`;
	const word = state ?? 'provisioning';
	return `${since} ${spokenTime(ageMs)} ago, ${word} for ${spokenTime(stateMs)} (${count})${again}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A length of time as people say it: 40 s, 13 min, 3 h 5 min, 10 d. */
export function spokenTime(ms: number): string {
	if (ms < MINUTE_MS) return `${Math.floor(ms / 1000)} s`;
	if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
	if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} d`;
	const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
	const hours = `${Math.floor(ms / HOUR_MS)} h`;
	return minutes === 0 ? hours : `${hours} ${minutes} min`;
}
