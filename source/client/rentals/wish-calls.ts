/** The wishes of a client: those that are open, and what became of the others. */
import process from 'node:process';
import type {Instance} from '../../contract/instance-record.ts';
import {isAlive} from '../file-lock.ts';
import {outcomeOf} from './rent-outcome.ts';
import type {RentOutcome} from './rent-outcome.ts';
import {findMarked, isOurs, settle, track} from './settling.ts';
import type {Settling} from './settling.ts';
import {isDoubtful, isOpen} from './wishes.ts';
import type {Wish} from './wishes.ts';

/** A process that lives looks after its own wishes, but not for ever: its number may be another's. */
const OWNED_MS = 5 * 60 * 1000;

export function wishCalls(settling: Settling) {
	const {book, time, underWay} = settling;

	/** All that are remembered of this service and profile. */
	const all = async (): Promise<readonly Wish[]> =>
		(await book.all()).filter(wish => isOurs(settling, wish));

	/** Whether somebody is at it: this process, or another. */
	function isUnderWay({token, owner, notedAt}: Wish): boolean {
		if (owner === process.pid) return underWay.has(token);
		return time.now() - notedAt < OWNED_MS && isAlive(owner);
	}

	/** Those of which it is not known what became of them, and at which nobody is. */
	const open = async (): Promise<readonly Wish[]> =>
		(await all()).filter(wish => isOpen(wish) && !isUnderWay(wish));

	return {
		all,
		open,
		/** Looks for the instance of a wish, half a minute at most, to know whether there is one. */
		async settle(
			wish: Wish,
			{signal}: {readonly signal?: AbortSignal | undefined} = {},
		): Promise<RentOutcome> {
			const already = underWay.get(wish.token);
			if (already !== undefined) return already;
			if (!isOpen(wish) && !isDoubtful(wish, time.now())) return outcomeOf(wish);
			return track(settling, wish.token, async () => settle(settling, wish, signal));
		},
		/**
		 * Looks through a list that was made anyway for wishes that were given up: something on the way
		 * may carry out late what it held back. Answers those that came true.
		 */
		async review(instances: readonly Instance[]): Promise<readonly Wish[]> {
			const now = time.now();
			const late: Wish[] = [];
			for (const wish of await all()) {
				if (!isDoubtful(wish, now) && !(isOpen(wish) && !isUnderWay(wish))) continue;
				const found = await findMarked(settling, wish, instances);
				if (found !== undefined) late.push(found.wish);
			}
			return late;
		},
	};
}
