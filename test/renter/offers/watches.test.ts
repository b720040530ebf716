import {expect, test} from 'vitest';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import {
	dueAt,
	hitSentence,
	look,
	searchOfWatch,
	unwatched,
} from '../../../source/renter/offers/watches.ts';

const job = {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 0};
const now = new Date(2026, 10, 21, 12, 41);

function offer(id: number, dollars: number, rest: Partial<Offer> = {}): Offer {
	const price = {dph_base: dollars - 0.01, dph_total: dollars, storage_total_cost: 0.01};
	return {id, gpu_name: 'RTX 4090', num_gpus: 1, ...price, ...rest};
}

const watch = {words: '4090', below: 0.28};

test('each offer below the price is a hit once, and what has no price is none', () => {
	const offers = [offer(1, 0.3), offer(2, 0.27), {id: 3}, offer(4, 0.25)];
	const first = look(watch, unwatched, {offers, job, now});
	expect(first.hits.map(({offer: {id}}) => id)).toEqual([4, 2]);
	const again = look(watch, first.state, {offers: [...offers, offer(5, 0.2)], job, now});
	expect(again.hits.map(({offer: {id}}) => id)).toEqual([5]);
	const none = look(watch, again.state, {offers, job, now: new Date(2027, 1)});
	expect(none.hits).toEqual([]);
	expect(none.state).toMatchObject({cheapest: 0.25, lastHitAt: now, queryAt: new Date(2027, 1)});
});

test('the price is that of the whole job: expected traffic makes a cheap offer miss', () => {
	const offers = [offer(1, 0.27, {inet_down_cost: 0.01})];
	const expected = (inGbPerHour: number) =>
		look(watch, unwatched, {offers, job: {...job, inGbPerHour}, now}).hits.length;
	expect([expected(0), expected(1)]).toEqual([1, 0]);
});

test('a watch is asked at once, and then every two minutes', () => {
	expect(dueAt(unwatched)).toBe(0);
	const asked = {...unwatched, queryAt: now};
	expect(dueAt(asked)).toBe(now.getTime() + 120_000);
});

test('what is said about hits names the cheapest, and nothing in it commands the terminal', () => {
	const {hits} = look(watch, unwatched, {
		offers: [offer(2, 0.27, {gpu_name: '\u001B[2JRTX'}), offer(4, 0.28), offer(3, 0.275)],
		job,
		now,
	});
	const sentence = hitSentence(watch, hits);
	expect(sentence).toMatch(
		/^Offer 2, 1x .*RTX, is \$0\.2700\/h all-in and 1 more, below \$0\.2800\/h \(4090\)\.$/,
	);
	expect(sentence).not.toContain('\u001B');
});

test('words that cannot be understood are not asked', () => {
	expect(searchOfWatch({words: 'price<abc', below: 1}, job)).toBeUndefined();
	expect(searchOfWatch({words: 'id=7', below: 1}, job)?.filter).toContainEqual({
		field: 'id',
		operator: 'eq',
		value: 7,
	});
});
