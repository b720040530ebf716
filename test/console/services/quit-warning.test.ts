import {expect, test} from 'vitest';
import {
	createQuitWarning,
	createRouter,
	holdingAt,
} from '../../../source/console/services/router.ts';
import type {Message} from '../../../source/console/ui/message.ts';
import {createStore} from '../../../source/renter/state/store.ts';

/** A router with a place that holds a draft, and a way to leave that counts. */
function openLeaving() {
	const router = createRouter({name: 'offers'});
	const message = createStore<Message | undefined>(undefined);
	const clock = {now: 0};
	const left: number[] = [];
	const leaving = createQuitWarning({router, message, now: () => new Date(clock.now)});
	const leave = () => leaving(() => left.push(clock.now));
	router.go({name: 'rent', offerId: 7});
	const place = router.stack.get().at(-1);
	if (place !== undefined) holdingAt(place).lost = () => 'a draft';
	return {router, message, clock, left, leave};
}

test('whatever tab is shown, a draft on any of them is said first, and the same key again leaves', () => {
	const {router, message, left, leave} = openLeaving();
	router.visit({name: 'instances'});
	leave();
	expect(left).toEqual([]);
	expect(message.get()?.text).toBe('Not left: a draft. Again leaves all the same.');
	leave();
	expect(left).toEqual([0]);
});

test('a warning that is long past is said again', () => {
	const {clock, left, leave} = openLeaving();
	leave();
	clock.now = 60_000;
	leave();
	expect(left).toEqual([]);
});

test('a place that was left for good holds nothing', () => {
	const {router, left, leave} = openLeaving();
	router.visit({name: 'instances'});
	router.visit({name: 'offers'});
	router.back();
	leave();
	expect(left).toEqual([0]);
});
