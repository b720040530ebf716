/** The pending rents of a client: those that are open, and what became of the others. */
import process from 'node:process';
import type {Instance} from '../../contract/instance-record.ts';
import {isAlive} from '../file-lock.ts';
import {outcomeOf, type RentOutcome} from './rent-outcome.ts';
import {findMarked, isOurs, settle, track, type Settling} from './settling.ts';
import {isDoubtful, isOpen, type PendingRent} from './pending-rent.ts';

/** A process that lives looks after its own pending rents, but not for ever: its number may be another's. */
const OWNED_MS = 5 * 60 * 1000;

export function pendingRentCalls(settling: Settling) {
	const {book, time, underWay} = settling;

	/** All that are remembered of this service and profile. */
	const all = async (): Promise<readonly PendingRent[]> =>
		(await book.all()).filter(pending => isOurs(settling, pending));

	/** True if a process, this one or another, is settling it. */
	function isUnderWay({token, owner, notedAt}: PendingRent): boolean {
		if (owner === process.pid) return underWay.has(token);
		return time.now() - notedAt < OWNED_MS && isAlive(owner);
	}

	/** Those of which it is not known what became of them, and at which nobody is. */
	const open = async (): Promise<readonly PendingRent[]> =>
		(await all()).filter(pending => isOpen(pending) && !isUnderWay(pending));

	return {
		all,
		open,
		/** Looks for the instance of a pending rent, half a minute at most, to know whether there is one. */
		async settle(
			pending: PendingRent,
			{signal}: {readonly signal?: AbortSignal | undefined} = {},
		): Promise<RentOutcome> {
			const already = underWay.get(pending.token);
			if (already !== undefined) return already;
			if (!isOpen(pending) && !isDoubtful(pending, time.now())) return outcomeOf(pending);
			return track(settling, pending.token, async () => settle(settling, pending, signal));
		},
		/**
		 * Looks through a list that was made anyway for pending rents that were given up: something on the way
		 * may carry out late what it held back. Answers those that came true.
		 */
		async review(instances: readonly Instance[]): Promise<readonly PendingRent[]> {
			const now = time.now();
			const late: PendingRent[] = [];
			for (const pending of await all()) {
				if (!isDoubtful(pending, now) && !(isOpen(pending) && !isUnderWay(pending))) continue;
				const found = await findMarked(settling, pending, instances);
				if (found !== undefined) late.push(found.pending);
			}
			return late;
		},
	};
}
