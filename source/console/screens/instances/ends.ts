/** Ends of instances by lease, and their enforcers, in the words of the screens. */
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {
	leaseEndText,
	isUnkept,
	lateMs,
	leaseOf,
	nextEnd,
	waitingOf,
	type NextEnd,
	confirmation,
} from '../../../renter/leases/held.ts';
import {hasEnd, type Lease} from '../../../renter/words/lease.ts';
import {writeLength} from '../../../renter/leases/lease-terms.ts';
import type {Meaning} from '../../ui/theme.ts';
import {lasting, roughly} from './words.ts';
import {useState} from 'react';
import {duration, MISSING, timeOfDay} from '../../../renter/text/format.ts';
import type {Instance} from '../../../contract/nouns/instance-record.ts';
import {endsAt} from '../../../renter/instance/times.ts';
import type {Enforcer} from '../../../renter/leases/enforcers.ts';
import {usePoll, useRenting, useTime} from '../../services/services.tsx';
import {reasonOf} from '../../../renter/actions/instance-actions.ts';

export type EnforcerAnswers =
	| {readonly enforcers: readonly Enforcer[]; readonly at: Date}
	| {readonly problem: string};

/** Interval of polls of the enforcers, which enter the instance. */
const EVERY_MS = 60_000;

/** Asks the enforcers of an instance's lease for as long as they are shown; undefined until they answer. */
export function useEnforcers(
	row: FleetRow | undefined,
	isShown = true,
): EnforcerAnswers | undefined {
	const {leases} = useRenting();
	const {now} = useTime();
	const [heard, setHeard] = useState<{readonly about: string; readonly answers: EnforcerAnswers}>();
	const {instance} = row ?? {};
	const about = instance === undefined ? '' : `${instance.id} ${instance.label ?? ''}`;
	const ask = async () => {
		if (instance === undefined) return;
		const told = await leases.enforcers(instance).then(
			(enforcers): EnforcerAnswers => ({enforcers, at: now()}),
			(error: unknown): EnforcerAnswers => ({problem: reasonOf(error)}),
		);
		setHeard({about, answers: told});
	};
	usePoll(ask, {everyMs: EVERY_MS, isPaused: !isShown || instance === undefined, about});
	return heard?.about === about ? heard.answers : undefined;
}

/** Width for an enforcer in one line; with less, its limits go on a second one. */
const ONE_LINE = 100;

export function enforcerLines(
	answers: EnforcerAnswers | undefined,
	width: number,
): readonly string[] {
	if (answers === undefined) return ['Asking who enforces it.'];
	if ('problem' in answers) return [`Who enforces it is not known: ${answers.problem}`];
	return answers.enforcers.flatMap(({cannot, ...one}) => {
		const first = confirmation(one);
		return width >= ONE_LINE ? [`${first}; ${cannot}`] : [first, `          ${cannot}`];
	});
}

/** Time of the enforcers' answers, and the keys that change the lease. */
export function enforcersNote(answers: EnforcerAnswers | undefined): string {
	const at = answers !== undefined && 'at' in answers ? `As of ${timeOfDay(answers.at)}. ` : '';
	return `${at}L changes it, + puts a deadline off by an hour, K keeps it.`;
}

type Ending = Pick<FleetRow, 'instance' | 'now' | 'lostLease' | 'keepers'> &
	Partial<Pick<FleetRow, 'condition'>>;

/** Shown for a lease that cannot be read, which ends nothing here. */
const UNKNOWN = '?';
/** Shown where the label has lost the lease that was agreed here. */
const LOST = 'lost';

/**
 * Cell of the column ENDS: "5h58", "idle 30m", "at $20", "keep 5h", with a plus where another rule may end
 * the instance earlier; "late 12m" where its end was due twelve minutes ago, and "idle 15m ?" where nobody
 * has confirmed to keep it; "done 5h58" where it ends before that once its work is done, and "done ? 5h58"
 * where that waits for a guard that none has confirmed.
 */
export function endsText(
	{instance, now, lostLease, condition, keepers}: Ending,
	width = 12,
): string {
	if (condition === 'gone') return MISSING;
	if (lostLease !== undefined) return LOST;
	const late = lateMs(instance, now);
	if (late !== undefined) return `late ${oneUnit(lasting(late))}`;
	const text = comingText({instance, now});
	const {isWaiting, isGuarded} = waitingOf(leaseOf(instance), keepers);
	if (isWaiting) {
		const done = isGuarded ? 'done' : 'done ?';
		const all = `${done} ${text}`;
		return all.length <= width ? all : `${done}+`;
	}
	if (!isUnkept(keepers)) return text;
	const asked = `${text} ?`;
	return asked.length > width ? asked.replaceAll(' ', '') : asked;
}

/** First unit of a duration: more does not fit beside a word. */
function oneUnit(length: string): string {
	return /^\d+[a-z]|^\D+/.exec(length)?.[0] ?? length;
}

const keeperNames: ReadonlyArray<readonly [letter: string, name: string]> = [
	['M', 'market'],
	['G', 'guard'],
	['W', 'watchdog'],
];

type Kept = Pick<FleetRow, 'keepers' | 'condition'>;

/** Cell of the column KEPT BY: who confirmed the lease, the surest of them with how many more. */
export function whoText({keepers, condition}: Kept): string {
	if (condition === 'gone' || keepers === undefined) return MISSING;
	const [first, ...others] = keeperNames.filter(([letter]) => keepers.includes(letter));
	if (first === undefined) return isUnkept(keepers) ? 'nobody' : 'not asked';
	return others.length === 0 ? first[1] : `${first[1]}+${others.length}`;
}

/** Style of that cell: a lease without an enforcer stands out. */
export function whoMeaning({keepers, condition}: Kept): Meaning {
	return condition !== 'gone' && isUnkept(keepers) ? 'warning' : 'quiet';
}

function comingText({instance, now}: Ending): string {
	const {lease, isUnknown} = leaseOf(instance);
	if (isUnknown) return UNKNOWN;
	if (lease === undefined || !hasEnd(lease)) return lease?.isKept === true ? 'keep' : 'no end';
	const next = nextEnd(instance, now);
	if (next?.action === 'none' && next.leftMs <= 0) return 'stopped';
	return rulesText(lease, next);
}

function rulesText(lease: Lease, next: NextEnd | undefined): string {
	const deadline = next === undefined ? [] : [roughly(next.leftMs)];
	const [first = '', ...others] = [...deadline, ...otherRules(lease)];
	if (lease.isKept) return `keep ${oneUnit(first)}`;
	return others.length === 0 ? first : `${first}+`;
}

function otherRules({idleSeconds, maxCost, isKept}: Lease): readonly string[] {
	if (isKept) return [];
	return [
		...(idleSeconds === undefined ? [] : [`idle ${writeLength(idleSeconds)}`]),
		...(maxCost === undefined ? [] : [`at $${maxCost}`]),
	];
}

const FAR = 1e12;

/** The order of ends: deadlines, then ends by idleness or cost; undefined without an end. */
export function endsAtOf({instance, condition}: Ending): number | undefined {
	const {lease} = leaseOf(instance);
	if (condition === 'gone' || lease === undefined || !hasEnd(lease)) return undefined;
	return lease.endsAt ?? FAR + (lease.idleSeconds ?? FAR);
}

const SOON_MS = 600_000;

/** Colour of an end: an instance without one stands out, and so does one that ends soon, or whose lease has no enforcer. */
export function endsMeaning({
	instance,
	now,
	condition,
	lostLease,
	keepers,
}: Ending & Pick<FleetRow, 'condition'>): Meaning {
	if (condition === 'gone') return 'quiet';
	if (lostLease !== undefined) return 'danger';
	const {lease} = leaseOf(instance);
	if (lease === undefined || !hasEnd(lease)) return 'warning';
	const {action = 'none', leftMs = Infinity} = nextEnd(instance, now) ?? {};
	if (action !== 'none' && leftMs <= SOON_MS) return 'danger';
	return isUnkept(keepers) || isUnseen(lease, keepers) ? 'warning' : 'quiet';
}

/** True if a lease waits for work that no guard has confirmed to watch. */
function isUnseen(lease: Lease, keepers: Ending['keepers']): boolean {
	const {isWaiting, isGuarded} = waitingOf({lease}, keepers);
	return isWaiting && !isGuarded;
}

/** True if an end is late, or its lease is lost. */
export function isEndMissed({instance, now, lostLease}: Ending): boolean {
	return lostLease !== undefined || lateMs(instance, now) !== undefined;
}

/** Lease with its rest: "for 5h58m then destroy", or "late 12m then destroy". */
export function endsSentence({instance, now, lostLease}: Ending): string {
	if (lostLease !== undefined)
		return 'its label has lost its lease: L restores it, or lets go of it';
	const {lease, isUnknown} = leaseOf(instance);
	if (isUnknown) return 'a lease that cannot be read: nothing is ended by it here';
	const words = leaseEndText(instance, now);
	return words ?? (lease?.isKept === true ? 'no end, and no budget stops it' : 'no end');
}

export function rentalEnd(instance: Instance, now: number): string {
	const at = endsAt(instance, now);
	if (at === undefined) return MISSING;
	const left = at - now;
	const day = new Date(at).toISOString().slice(0, 10);
	return left > 0 ? `${day}, in ${duration(left / 1000)}` : `${day}: it has ended`;
}
