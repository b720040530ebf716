/** The user's own limits on spending: above them renting asks for a sentence to be typed. */
import type {SpendGuard} from '../../default-settings.ts';
import {price} from '../../format.ts';

export type Guard = {
	/** Which limit it would pass. */
	readonly why: string;
	/** What has to be typed to rent all the same. */
	readonly sentence: string;
};

export type Spending = {
	/** Dollars an hour of this rental; undefined where the service does not say. */
	readonly perHour: number | undefined;
	/** What all that is rented already may cost at most. */
	readonly fleetAtMost: number;
};

/** Which limit a rental would pass; undefined where it passes none. */
export function guardOf(
	{askOverPerHour: each, fleetMaxPerHour: all}: SpendGuard,
	{perHour, fleetAtMost}: Spending,
): Guard | undefined {
	if (each === null && all === null) return undefined;
	if (perHour === undefined) {
		return {
			why: 'Your spend guard cannot be kept: the service does not say what this costs.',
			sentence: 'rent at any price',
		};
	}
	const sentence = `spend $${price(perHour)}/h`;
	if (all !== null && fleetAtMost + perHour > all) {
		const total = `$${price(fleetAtMost + perHour)}/h`;
		return {
			why: `With this all that is rented may cost ${total}, over your guard of $${price(all)}/h for the fleet.`,
			sentence,
		};
	}
	if (each === null || perHour <= each) return undefined;
	return {
		why: `This costs $${price(perHour)}/h, over your guard of $${price(each)}/h for one rental.`,
		sentence,
	};
}
