import type {Offer} from '../../../contract/offers.ts';
import {count, timeOfDay} from '../../format.ts';
import {isFromLastTime} from '../../live.ts';
import type {Ordering} from './order.ts';

type Result = {
	readonly data: readonly Offer[] | undefined;
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
	const age = isFromLastTime(dataUpdatedAt) ? [`from ${timeOfDay(new Date(dataUpdatedAt))}`] : [];
	const isStale = error !== null && data !== undefined;
	const state = isFetching ? ['searching'] : isStale ? ['stale'] : [];
	return [...amount, ...age, ...(isPaused ? ['paused'] : []), ...state].join(' ');
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
