import {expect, test} from 'vitest';
import type {Job} from '../../../../source/contract/nouns/offer-cost.ts';
import type {Offer} from '../../../../source/contract/nouns/offers.ts';
import {unknownHost} from '../../../../source/renter/offers/host-history.ts';
import {comparedOffer} from '../../../../source/console/screens/offers/compare.ts';
import {withTurns} from '../../../../source/console/screens/offers/compare-state.ts';
import {
	verdict,
	comparisonWarnings,
} from '../../../../source/console/screens/offers/compare-verdict.ts';
import {datacenter, newer, plain, swedish} from './some-offers.ts';

const quiet: Job = {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 0};

const compared = (offers: readonly Offer[], job: Job) =>
	withTurns(
		offers.map(offer => comparedOffer(offer, {job, pricedGb: 40, host: undefined, isGone: false})),
		[],
	);

test.each<readonly [why: string, offers: readonly Offer[], job: Partial<Job>, said: string]>([
	[
		'without traffic the cheapest is the cheapest',
		[swedish, plain, datacenter],
		{},
		'cheapest job: 7310442, $7.03 in 24 h. Dearest: 7310998, $7.45.',
	],
	[
		'traffic makes another offer win',
		[plain, swedish, datacenter],
		{inGbPerHour: 25, outGbPerHour: 2},
		'no traffic: 7310442 wins. 25 GB/h in, 2 GB/h out: 7310998 wins.',
	],
	[
		'the cheapest GPU is the dearest job',
		[plain, datacenter],
		{outGbPerHour: 10},
		'The cheapest GPU is the dearest job: 7310442 $8.95, 7310998 $7.45 (24 h).',
	],
	[
		'a large disk makes another offer win',
		[plain, swedish, newer],
		{diskGb: 400},
		'cheapest GPU: 7310442. With its disk the cheapest job: 7311203, $8.44 in 24 h.',
	],
	[
		'an offer without a price of traffic is left out and said to be',
		[plain, {...datacenter, inet_down_cost: undefined}],
		{inGbPerHour: 25},
		'cheapest job: 7310442, $8.23 in 24 h. 7310998 left out: a price was not sent.',
	],
	[
		'no price at all',
		[{id: 1}, {id: 2}],
		{},
		'No cost is known: the service did not send what it is made from.',
	],
	['every column was dropped', [], {}, 'Every column was dropped. Esc goes back.'],
])('%s', (_, offers, wanted, said) => {
	const job = {...quiet, ...wanted};
	expect(verdict(compared(offers, job), job)).toBe(said);
});

test('what is easily overlooked is said of the offer that it is about', () => {
	const job = {...quiet, hours: 400};
	const stuck = {at: 0, seconds: 600};
	const host = {...unknownHost, stuck: [stuck, stuck]};
	const taken = comparedOffer(plain, {job, pricedGb: 40, host, isGone: true});
	const gone = withTurns([taken], []);
	expect(comparisonWarnings([...compared([plain, newer], job), ...gone], job)).toEqual([
		'7307734 has no direct ports: SSH goes through a proxy, which is slower.',
		'7307734 ends in 288 h, before a job of 400 h is done.',
		'7310442 is gone: someone else took it, or it was unlisted.',
		'7310442: 2 of your boots on its host never ended; Space says whether it is tried.',
	]);
});
