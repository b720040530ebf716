import type {Offer} from '../../../contract/offers.ts';
import type {Unreadable} from '../../../contract/unreadable.ts';
import {unreadableWords} from '../../../renter/unreadable.ts';
import {count, timeOfDay} from '../../../renter/format.ts';
import {isFromLastTime} from '../../queries/offers.ts';
import type {Ordering} from './order.ts';

type Result = {
	readonly data: readonly Offer[] | undefined;
	readonly unreadable: Unreadable;
	readonly dataUpdatedAt: number;
	readonly error: Error | null;
	readonly isFetching: boolean;
	readonly ordering: Ordering;
	readonly isPaused: boolean;
};

/** How many offers there are, and how far that can be trusted. */
export function describeResult(result: Result): string {
	const {data, dataUpdatedAt, error, isFetching, ordering, isPaused} = result;
	const amount = data === undefined ? [] : [describeAmount(data.length, ordering)];
	// Where there are rows, the rule under them says it.
	const unread = data?.length === 0 ? (unreadableWords(result.unreadable) ?? []) : [];
	const age = isFromLastTime(dataUpdatedAt) ? [`from ${timeOfDay(new Date(dataUpdatedAt))}`] : [];
	const isStale = error !== null && data !== undefined;
	const state = isFetching ? ['searching'] : isStale ? ['stale'] : [];
	const counts = [amount, unread].flat().join(', ');
	return [counts, age, isPaused ? 'paused' : [], state].flat().filter(Boolean).join(' ');
}

/** A part of the offers is called one, so that nobody takes its best for the best there is. */
function describeAmount(amount: number, ordering: Ordering): string {
	switch (ordering) {
		case 'whole':
			return amount === 1 ? '1 offer' : `${count(amount)} offers`;
		case 'part':
			return `${count(amount)} of many`;
		case 'byService':
			return `${count(amount)} of many, server sort`;
		case 'partHere':
			return `${count(amount)} of many, sorted here`;
	}
}
