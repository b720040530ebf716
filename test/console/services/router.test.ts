import {expect, test} from 'vitest';
import {
	createRouter,
	holdingAt,
	keptByStackEntry,
	showTab,
} from '../../../source/console/services/router.ts';

const names = (router: ReturnType<typeof createRouter>) =>
	router.stack.get().map(({destination}) => destination.name);

test('going adds a place, going back takes it away, and the first place stays', () => {
	const router = createRouter({name: 'offers'});
	router.go({name: 'offer', id: 1});
	expect(names(router)).toEqual(['offers', 'offer']);
	expect(router.back()).toBe(true);
	expect(router.back()).toBe(false);
	expect(names(router)).toEqual(['offers']);
});

test('replacing takes the place of the one shown, so that back skips it', () => {
	const router = createRouter({name: 'offers'});
	router.go({name: 'offer', id: 1});
	router.replace({name: 'offer', id: 2});
	expect(router.stack.get().at(-1)?.destination).toEqual({name: 'offer', id: 2});
	router.back();
	expect(names(router)).toEqual(['offers']);
});

test('what is kept with a place is there on coming back, and anew in another place', () => {
	const router = createRouter({name: 'offers'});
	const cursorAt = keptByStackEntry(() => ({line: 0}));
	const [first] = router.stack.get();
	if (first === undefined) throw new Error('no place');
	cursorAt(first).line = 7;
	router.go({name: 'offers'});
	const second = router.stack.get().at(-1);
	expect(second && cursorAt(second).line).toBe(0);
	router.back();
	expect(cursorAt(router.stack.get()[0] ?? first).line).toBe(7);
});

test('each tab is found as it was left, and its own key leads to its first place', () => {
	const router = createRouter({name: 'offers'});
	router.go({name: 'offer', id: 1});
	const place = router.stack.get().at(-1);
	router.visit({name: 'instances'});
	expect(names(router)).toEqual(['instances']);
	router.visit({name: 'offers'});
	expect(router.stack.get().at(-1)).toBe(place);
	router.visit({name: 'offers'});
	expect(names(router)).toEqual(['offers']);
});

test('the last tab is the one that was shown before, again and again', () => {
	const router = createRouter({name: 'offers'});
	expect(router.last()).toBe(false);
	router.visit({name: 'instances'});
	router.go({name: 'instance', id: 7});
	expect(router.last()).toBe(true);
	expect(names(router)).toEqual(['offers']);
	router.last();
	expect(names(router)).toEqual(['instances', 'instance']);
});

test('the key of the tab that is shown takes no draft off, and lays its first place over it once', () => {
	const router = createRouter({name: 'offers'});
	router.go({name: 'rent', offerId: 1});
	const draft = router.stack.get().at(-1);
	if (draft === undefined) throw new Error('no place');
	holdingAt(draft).lost = () => 'a draft';
	showTab(router, {name: 'offers'});
	showTab(router, {name: 'offers'});
	expect(names(router)).toEqual(['offers', 'rent', 'offers']);
	router.back();
	expect(router.stack.get().at(-1)).toBe(draft);
	holdingAt(draft).lost = () => undefined;
	showTab(router, {name: 'offers'});
	expect(names(router)).toEqual(['offers']);
});
