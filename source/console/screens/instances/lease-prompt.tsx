import {useEffect, useState} from 'react';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {
	leaseOf,
	orderedCommand,
	termsLeft,
	leaseEndText,
	waitSentence,
} from '../../../renter/leases/held.ts';
import {endlessLease, hasEnd, type Lease, writeLabel} from '../../../renter/words/lease.ts';
import {
	leaseFrom,
	LeaseTermsError,
	readTerms,
	writeTerms,
	whenDoneLimitsText,
} from '../../../renter/leases/lease-terms.ts';
import {endsAt as rentalEndOf} from '../../../renter/instance/times.ts';
import type {Enforcer} from '../../../renter/leases/enforcers.ts';
import {maySpentText, withoutSpentBudget} from '../../../renter/leases/spent-budget.ts';
import type {LeaseChange} from '../../../renter/leases/send-lease.ts';
import type {Instance} from '../../../contract/nouns/instance-record.ts';
import {sentence, timeOfDay} from '../../../renter/text/format.ts';
import {useRenting, useServices, useTime} from '../../services/services.tsx';
import type {ScreenProps} from '../../services/router.ts';
import {Prompt} from '../dialogs.tsx';
import {reasonOf} from '../../../renter/actions/instance-actions.ts';
import {WHEN_HINT} from '../../../renter/words/when-done.ts';
import {enforcerLines, useEnforcers} from './ends.ts';
import {instanceNameOf} from './words.ts';
import {HOUR} from '../../../contract/rules/durations.ts';

type Proposal = {
	/** The row with the lease that is proposed. */
	readonly row: FleetRow;
	/** Terms of the lease, as they can be sent. */
	readonly text: string;
	/** The deadline has passed, and is not proposed again. */
	readonly isPast: boolean;
};

/** @param lost the lease that was agreed here, where the label has lost it */
export function proposalOf(row: FleetRow, lost: Lease | undefined): Proposal {
	const lease = lost ?? leaseOf(row.instance).lease;
	const isPast = lease?.endsAt !== undefined && lease.endsAt * 1000 - row.now < LEAST_LEFT_MS;
	const proposed = lost === undefined && !isPast ? row : withLease(row, lease, isPast);
	return {row: proposed, text: termsText(proposed), isPast};
}

const PASSED = 'its deadline has passed: say for how long, another rule, or none';

/** Least rest of a deadline that can be written. */
const LEAST_LEFT_MS = 1000;

/** Row with another lease in its label, and without the service's own. */
function withLease(row: FleetRow, lease: Lease | undefined, isPast: boolean): FleetRow {
	const proposed = lease && (isPast ? {...lease, endsAt: undefined} : lease);
	const label = writeLabel('', proposed) ?? null;
	return {...row, instance: {...row.instance, label, lease: null}};
}

function termsText({instance, now}: FleetRow): string {
	const terms = termsLeft(instance, now);
	if (terms !== undefined) return writeTerms(terms);
	return leaseOf(instance).lease?.isKept === true ? 'keep' : '';
}

/** @throws LeaseTermsError @param now the service's time in milliseconds */
export function nextLease(text: string, proposal: Proposal, now: number): Lease | undefined {
	const {row, isPast} = proposal;
	const {lease: held} = leaseOf(row.instance);
	if (isPast && text.trim() === '') throw new LeaseTermsError(PASSED);
	const terms = readTerms(text);
	const next = {...leaseFrom(terms, now / 1000), before: commandFilled(terms.before, row)};
	if (!hasEnd(next)) return next.isKept ? {...endlessLease, isKept: true} : undefined;
	// An unchanged end keeps its seconds, so that the lease stays equal.
	const isSame = readTerms(proposal.text).forSeconds === terms.forSeconds;
	return isSame && held?.endsAt !== undefined ? {...next, endsAt: held.endsAt} : next;
}

/** Limits without a command keep the command, even one that the service does not show. */
function commandFilled(before: Lease['before'], {instance}: FleetRow): Lease['before'] {
	if (before === undefined || before.command !== undefined) return before;
	const held = leaseOf(instance).lease?.before;
	const command = held?.command ?? orderedCommand(instance);
	if (held === undefined && command === undefined) {
		throw new LeaseTermsError('expected a command after before');
	}
	return {...before, command};
}

type Props = Pick<ScreenProps, 'size' | 'say'> & {
	readonly row: FleetRow;
	readonly onClose: () => void;
};

/** Asks for the lease of an instance, and shows its enforcers. */
export function LeasePrompt({row, size, say, onClose}: Props) {
	const send = useSend(say);
	const {instance} = row;
	const {isUnknown} = leaseOf(instance);
	const {leases} = useRenting();
	const [lost] = useState(() => leases.lost(instance));
	const [proposal] = useState(() => proposalOf(row, lost));
	const who = enforcerLines(useEnforcers(row), size.columns);
	const {now} = useTime();
	// Terms count from the moment of sending.
	const next = (text: string) =>
		withoutSpentBudget(row, nextLease(text, proposal, now().getTime() + row.skewMs));
	return (
		<Prompt
			title={`When ${instanceNameOf(instance)} ends by itself`}
			name="ends"
			initial={proposal.text}
			lines={[
				'for 6h  idle 30m  until $20  then stop, destroy or stop-destroy  keep  none',
				WHEN_HINT,
				...(isUnknown ? ['It has a lease that cannot be read, which this one replaces.'] : []),
				...(lost === undefined ? [] : [LOST]),
				...(proposal.isPast ? [PASSED_NOTE] : []),
				'what runs first, last: before COMMAND, before 5m/10m COMMAND (limit/grace)',
				' ',
				...who,
			]}
			size={size}
			refuse={text => problemOf(() => next(text))}
			preview={text => previewLines(() => next(text), row)}
			onSend={text => {
				const lease = next(text);
				void send(row, () => lease);
			}}
			onClose={onClose}
		/>
	);
}

const LOST = 'Its label has lost what was agreed: Enter restores it, none lets go of it.';
const PASSED_NOTE = 'Its deadline has passed, and is left out here: say another, or none.';

type ChangeProps = Omit<Props, 'size'> & {
	/** The lease that replaces the present one; undefined for none. */
	readonly change: (row: Pick<FleetRow, 'instance' | 'now'>) => Lease | undefined;
};

/** Changes a lease by one key, at once. */
export function ChangeLease({row, change, say, onClose}: ChangeProps) {
	const send = useSend(say);
	useEffect(() => {
		onClose();
		void send(row, instance => change({instance, now: row.now}));
		// oxlint-disable-next-line react/exhaustive-deps -- it is sent once, when the key is pressed
	}, []);
	return null;
}

/** Lease with its deadline put off by an hour. */
export function extended({instance, now}: Pick<FleetRow, 'instance' | 'now'>): Lease | undefined {
	const {lease} = leaseOf(instance);
	if (lease?.endsAt === undefined) return lease;
	return {...lease, endsAt: Math.max(lease.endsAt, Math.ceil(now / 1000)) + HOUR};
}

/** Reason why a deadline cannot be put off; undefined if it can. */
export function notExtendable({instance}: FleetRow): string | undefined {
	const isThere = leaseOf(instance).lease?.endsAt !== undefined;
	return isThere ? undefined : 'it has no deadline; L sets one';
}

/** Lease with its other rules switched off, or on again. */
export function keptOrNot(instance: Instance, isKept: boolean): Lease | undefined {
	const {lease = endlessLease} = leaseOf(instance);
	const next = {...lease, isKept};
	return isKept || hasEnd(next) ? next : undefined;
}

/** Reason why the instance cannot be kept; undefined if it can. */
export function notKeepable({instance}: FleetRow): string | undefined {
	return leaseOf(instance).isUnknown
		? 'it has a lease that cannot be read; L replaces it'
		: undefined;
}

function problemOf(next: () => Lease | undefined): string | undefined {
	try {
		next();
		return undefined;
	} catch (error) {
		if (error instanceof LeaseTermsError) return sentence(error.message);
		throw error;
	}
}

function previewLines(next: () => Lease | undefined, row: FleetRow): readonly string[] {
	if (problemOf(next) !== undefined) return [];
	const lease = next();
	if (lease === undefined || !hasEnd(lease))
		return [' ', 'Nothing ends it: it costs until you do.'];
	const {before, whenDone} = lease;
	const wait = waitSentence(lease);
	const spent = maySpentText(row, lease);
	const lines = [
		...(spent === undefined ? [] : [spent]),
		...momentLines(lease, row),
		...(before === undefined ? [] : [`The command runs first, ${whenDoneLimitsText(before)}.`]),
		...(wait === undefined ? [] : [wait]),
		...(whenDone === undefined ? [] : [WATCHED]),
	];
	return lines.length === 0 ? [] : [' ', ...lines];
}

/** The deadline as a moment, with a warning where the rental ends before. */
function momentLines({endsAt}: Lease, row: FleetRow): readonly string[] {
	if (endsAt === undefined) return [];
	const at = new Date(endsAt * 1000 - row.skewMs);
	const rentalEnd = rentalEndOf(row.instance, row.now);
	return [
		`That is ${at.toDateString()} ${timeOfDay(at)}.`,
		...(rentalEnd !== undefined && rentalEnd < endsAt * 1000
			? ['The rental itself ends before that: its machine is offered for no longer.']
			: []),
	];
}

const WATCHED = 'A guard ends it before that, once its work is done.';

const KEPT = 'nothing but its own deadline ends it';

const NOT_SET =
	'Your lease was not set: the service has another label, or it was changed elsewhere at the same time.';

/** Sends a lease, and names the enforcers that have confirmed it. */
export function useSend(say: Props['say']) {
	const {fleet} = useServices();
	const {leases} = useRenting();
	return async ({instance, now}: FleetRow, change: LeaseChange): Promise<void> => {
		say({text: `${instance.id}: its new end goes to all that enforce it.`, isError: false});
		try {
			const sent = await leases.send(instance, change);
			await fleet.refresh().catch(() => undefined);
			const isKept = leaseOf(sent.instance).lease?.isKept === true;
			const words = leaseEndText(sent.instance, now) ?? (isKept ? KEPT : 'no end');
			const problems = [
				...(sent.isOwn ? [] : [NOT_SET]),
				...sent.problems.slice(0, 1).map(sentence),
			];
			const all = [`${instance.id}: ${words}.`, ...problems, confirmedWords(sent.enforcers)];
			say({text: all.join(' '), isError: problems.length > 0});
		} catch (error) {
			await fleet.refresh().catch(() => undefined);
			say({text: `Whether its end was changed is not known: ${reasonOf(error)}`, isError: true});
		}
	};
}

function confirmedWords(enforcers: readonly Enforcer[]): string {
	const keepers = enforcers.filter(({who}) => who !== 'job');
	const names = (wanted: boolean) =>
		keepers.filter(({isConfirmed}) => isConfirmed === wanted).map(({who}) => who);
	const [yes, no] = [names(true), names(false)];
	return [
		...(yes.length === 0 ? [] : [`Confirmed: ${yes.join(', ')}.`]),
		...(no.length === 0 ? [] : [`Not confirmed: ${no.join(', ')}.`]),
		...(keepers.length === enforcers.length ? [] : ['A scheduled job may end it, too.']),
	].join(' ');
}
