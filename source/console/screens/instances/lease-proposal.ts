/** The lease that the prompt proposes, and the one that a text makes of it. */
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {leaseOf, orderedCommand, termsLeft} from '../../../renter/leases/held.ts';
import {endlessLease, hasEnd, type Lease, writeLabel} from '../../../renter/words/lease.ts';
import {
	leaseFrom,
	LeaseTermsError,
	readTerms,
	writeTerms,
} from '../../../renter/leases/lease-terms.ts';

export type Proposal = {
	/** The row with the lease that is proposed. */
	readonly row: FleetRow;
	/** Its terms, as they can be sent. */
	readonly text: string;
	/** Its deadline has passed, and is not proposed again. */
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

/** Less of a deadline than that cannot be written. */
const LEAST_LEFT_MS = 1000;

/** Row with another lease in its label, and none of the service's beside it. */
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
	// What stays keeps its very second, so that it stays the same lease.
	const isSame = readTerms(proposal.text).forSeconds === terms.forSeconds;
	return isSame && held?.endsAt !== undefined ? {...next, endsAt: held.endsAt} : next;
}

/** Limits alone leave the command as it is, also where the service does not show it. */
function commandFilled(before: Lease['before'], {instance}: FleetRow): Lease['before'] {
	if (before === undefined || before.command !== undefined) return before;
	const held = leaseOf(instance).lease?.before;
	const command = held?.command ?? orderedCommand(instance);
	if (held === undefined && command === undefined) {
		throw new LeaseTermsError('expected a command after before');
	}
	return {...before, command};
}
