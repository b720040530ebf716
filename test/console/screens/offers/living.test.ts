import {expect, test} from 'vitest';
import {settingsWithIds} from '../../../helpers/settings-store.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {createHandScheduler} from '../../../helpers/hand-scheduler.ts';
import {openOfferAnswers} from '../../../helpers/services/offer-answers.ts';
import type {OfferAnswer} from '../../../helpers/services/offer-answers.ts';

const offersOf = (...ids: readonly number[]): OfferAnswer =>
	ids.map(id => ({id, dph_base: id / 100}));
const idsIn = (frame: string) =>
	[...frame.matchAll(/^[> ][+ ] +(\d+) GPU/gm)].map(([, id]) => Number(id));

/** A console whose polls wait for time that is moved by hand; its clock stands still. */
function openLiving(service: Awaited<ReturnType<typeof openOfferAnswers>>['service']) {
	const {after, pass} = createHandScheduler();
	const waitForRefresh = async () => pass(30_000);
	return {...openTestConsole({service, after, settings: settingsWithIds()}), waitForRefresh};
}

test('the list is refreshed by itself, and shows what is gone until it is gone for good', async () => {
	await using market = await openOfferAnswers(offersOf(1, 2, 3));
	await using rentty = openLiving(market.service);
	await rentty.sees('1 of 3');
	market.change(offersOf(4, 1, 3));
	await rentty.waitForRefresh();
	const frame = await rentty.sees('2 of 4');
	expect(idsIn(frame)).toEqual([4, 1, 2, 3]);
	expect(frame).toMatch(/^ +2 GPU.* gone$/m);
	await rentty.waitForRefresh();
	expect(idsIn(await rentty.sees('2 of 3'))).toEqual([4, 1, 3]);
});

test('rows do not move under a cursor that was just moved; R lets them', async () => {
	await using market = await openOfferAnswers(offersOf(1, 2, 3));
	await using rentty = openLiving(market.service);
	await rentty.sees('1 of 3');
	rentty.type('j');
	await rentty.sees('2 of 3');
	market.change([{id: 9}, {id: 3}, {id: 2, dph_base: 0.7}, {id: 1}]);
	await rentty.waitForRefresh();
	const held = await rentty.sees('R applies');
	expect(held).toContain('new 1, moved 2 - R applies');
	expect(idsIn(held)).toEqual([1, 2, 3]);
	rentty.type('R');
	const applied = await rentty.sees('3 of 4');
	expect(idsIn(applied)).toEqual([9, 3, 2, 1]);
	expect(applied).toMatch(/^> +2 GPU/m);
	expect(applied).not.toContain('R applies');
});

test('a paused list is not refreshed, and says so', async () => {
	await using market = await openOfferAnswers(offersOf(1));
	await using rentty = openLiving(market.service);
	await rentty.sees('1 of 1');
	rentty.type('p');
	await rentty.sees('1 offer paused');
	const before = market.asked.length;
	await rentty.waitForRefresh();
	rentty.type('?');
	await rentty.sees('HELP');
	rentty.type('\u001B');
	await rentty.sees('1 of 1');
	rentty.type('p');
	await rentty.sees('Refreshing again');
	expect(market.asked.length).toBe(before);
	await rentty.waitForRefresh();
	await expect.poll(() => market.asked.length).toBe(before + 1);
});

test('marks are seen, summed up, kept through a refresh, and taken away by Esc before it leads back', async () => {
	await using market = await openOfferAnswers(offersOf(31, 32, 33));
	await using rentty = openTestConsole({service: market.service, settings: settingsWithIds()});
	await rentty.sees('1 of 3');
	rentty.type(' jj ');
	expect(await rentty.sees('2 marked')).toMatch(/^ \+ +31 GPU.*\n +32 GPU.*\n>\+ +33 GPU/m);
	market.change(offersOf(33, 31));
	rentty.type('R');
	expect(await rentty.sees('gone')).toMatch(/^>\+ +33 GPU.*\n \+ +31 GPU/m);
	rentty.type('\u001B');
	await rentty.sees(/^-+ \d of 3, 1 gone *$/m);
	rentty.type('\u001B');
	await rentty.sees('this is the first screen');
	rentty.type('*');
	await rentty.sees('2 marked');
	rentty.type('U');
	await rentty.sees(/^-+ \d of 3, 1 gone *$/m);
});

test('a list that was cut off is ordered by the service, and says so', async () => {
	const many = Array.from({length: 100}, (_, index) => index + 1);
	await using market = await openOfferAnswers(offersOf(...many));
	await using rentty = openTestConsole({service: market.service, settings: settingsWithIds()});
	expect(await rentty.sees('1 of 100')).toContain('100 of many');
	market.change(offersOf(...many.map(id => id + 500)));
	rentty.type('>o');
	const frame = await rentty.sees('server sort');
	expect(await rentty.sees(/^> +501 GPU/m)).toContain('1 of 100');
	expect(frame).toContain('100 of many, server sort');
	expect(market.asked.at(-1)).toMatchObject({order: [['id', 'asc']]});
});

test('what the service cannot order by is ordered here, and called a part', async () => {
	const many = Array.from({length: 100}, (_, index) => index + 1);
	await using market = await openOfferAnswers(
		many.map(id => ({id, geolocation: id === 7 ? 'Austria, AT' : 'Norway, NO'})),
	);
	await using rentty = openTestConsole({service: market.service, settings: settingsWithIds()});
	await rentty.sees('1 of 100');
	rentty.type('>>>o');
	expect(await rentty.sees('sorted here')).toMatch(/^> +7 GPU/m);
});

test('a key that moves the cursor draws a few hundred bytes, whatever is beside the list', async () => {
	await using market = await openOfferAnswers(
		Array.from({length: 300}, (_, index) => ({id: index + 1, dph_base: 0.3})),
	);
	await using rentty = openTestConsole({service: market.service, columns: 140, rows: 40});
	await rentty.sees('1 of 300');
	const before = rentty.written().length;
	rentty.type('j');
	await rentty.sees('2 of 300');
	expect(rentty.written().length - before).toBeLessThan(400);
});
