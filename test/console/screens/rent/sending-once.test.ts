import {expect, test} from 'vitest';
import {
	answered,
	createGate,
	delayed,
	dropReply,
	passOn,
	silent,
} from '../../../helpers/services/faults.ts';
import {openTorch} from './open-rent.ts';

const ORDER = {method: 'PUT', path: '/api/v0/asks/'};
const LIST = {method: 'GET', path: /^\/api\/v[01]\/instances/};
const forbidden = answered({status: 403, body: {success: false, error: 'not_authorized'}});

test('yes that is pressed again and again sends one order', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	const answer = createGate();
	rentty.proxy.next(ORDER, delayed(answer.opened));
	rentty.agree();
	await rentty.keys('y', '\r', 'y', 'y', 'r', '\r');
	await rentty.sees('It was sent once, and is not sent again.');
	answer.open();
	await rentty.sees('Rented: instance');
	await rentty.keys('y', '\u001B', '\r');
	expect(rentty.orders()).toBe(1);
	expect(await rentty.rentals()).toHaveLength(1);
});

test('yes that a held key sends in one burst sends one order, and behind another key none', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	rentty.pass(1000);
	rentty.type('\ty');
	await rentty.sees('other keys came with it: yes');
	expect(rentty.orders()).toBe(0);
	rentty.type('yyyy');
	await rentty.sees('Rented: instance');
	expect(rentty.orders()).toBe(1);
});

test('yes that was typed before the review could be read sends nothing', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	await rentty.keys('y', 'y');
	expect(await rentty.sees('RENT OFFER')).toContain('Enter press it');
	expect(rentty.orders()).toBe(0);
});

test('a connection that breaks after yes is made anew to look for the instance, not to order it again', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	const broken = createGate();
	rentty.proxy.next(ORDER, silent(broken.opened, true));
	rentty.agree();
	await rentty.sees('It was sent once');
	broken.open();
	rentty.proxy.closeSockets();
	await rentty.sees('Rented: instance');
	expect(rentty.orders()).toBe(1);
	expect(await rentty.rentals()).toHaveLength(1);
});

test('a rental of which nobody can tell is said to be so, is looked for again, and is not sent twice', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	rentty.proxy.next(LIST, forbidden, 100);
	rentty.proxy.next(ORDER, dropReply);
	rentty.agree();
	const unknown = await rentty.sees('It may be charged. Do not rent again yet.');
	expect(unknown).toMatch(/We do not know if \d+ was rented\./);
	await rentty.keys('R');
	await rentty.sees('It is still not known.');
	rentty.proxy.calm();
	await rentty.keys('R');
	await rentty.sees('Rented: instance');
	expect(rentty.orders()).toBe(1);
	expect(await rentty.rentals()).toHaveLength(1);
});

test('whoever rents again although the last order is in doubt is warned in the form and in the review', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	rentty.proxy.next(LIST, forbidden, 100);
	rentty.proxy.next(ORDER, answered({status: 502, body: 'bad gateway'}));
	rentty.agree();
	await rentty.sees('Do not rent again yet.');
	await rentty.keys('e');
	await rentty.sees('warn: it is not known what became of the order before');
	expect(await rentty.review()).toMatch(/! it is not known what became of the order before/);
	expect(rentty.orders()).toBe(1);
});

test('leaving while the answer is awaited asks once, and takes nothing back', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	const answer = createGate();
	rentty.proxy.next(ORDER, delayed(answer.opened));
	rentty.agree();
	await rentty.sees('It was sent once');
	await rentty.keys('q');
	await rentty.sees('It was sent: leaving takes nothing back.');
	await rentty.keys('2');
	await rentty.sees('[2 Instances');
	rentty.type('\u0003');
	await rentty.sees(/Not left: renting \d+ was sent, and is not answered yet\./);
	answer.open();
	await rentty.sees('Rented: instance');
	expect(rentty.orders()).toBe(1);
});

test('a price that is asked for before the order and read after it does not take the rented offer for gone', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.sees(/price of \d/);
	const [read, answer] = [createGate(), createGate()];
	rentty.proxy.next({method: 'POST', path: '/api/v0/bundles/'}, async exchange => {
		await read.opened;
		await passOn(exchange);
		answer.open();
	});
	await rentty.keys('\u0012');
	await rentty.review();
	rentty.proxy.next(ORDER, async exchange => {
		const reply = await exchange.forward();
		read.open();
		await delayed(answer.opened)({...exchange, forward: async () => reply});
	});
	const searches = () => rentty.proxy.requests.filter(({path}) => path.includes('/bundles')).length;
	const before = searches();
	rentty.agree();
	await rentty.sees('Rented: instance');
	expect(searches()).toBe(before);
	expect(await rentty.rentals()).toHaveLength(1);
});

test('the next offer is not taken for gone by an answer about the one before', async () => {
	await using rentty = await openTorch({settings: {fallback: {tries: 3, ceilingPercent: 900}}});
	await rentty.openForm();
	await rentty.sees(/price of \d/);
	const read = createGate();
	rentty.proxy.next({method: 'POST', path: '/api/v0/bundles/'}, delayed(read.opened));
	await rentty.keys('\u0012');
	const review = await rentty.review();
	const id = Number(/ (\d{8}) {2}/.exec(review)?.[1]);
	await rentty.market.rent({image: 'x', label: 'quicker'}, id);
	rentty.agree();
	const gone = await rentty.sees('NEXT EQUAL OFFERS');
	const next = Number(/next equal\s+\((\d+),/.exec(gone)?.[1]);
	await rentty.keys('r');
	expect(await rentty.sees('RENT OFFER')).toContain(String(next));
	read.open();
});
