import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {keepKeysIn} from '../../../../source/renter/nouns/instance-keys.ts';
import {dropReply, type Fault} from '../../../helpers/services/faults.ts';
import {openFolder} from '../../../helpers/folder.ts';
import {openTorch} from './open-rent.ts';

/** Every price of GPUs that passes is two dollars. */
const dearer: Fault = async ({forward, response}) => {
	const {status, body} = await forward();
	const text = body.toString('utf8').replaceAll(/"dph_base":[\d.]+/g, '"dph_base":2');
	response.writeHead(status, {'content-type': 'application/json'}).end(text);
};

test('renting takes three keys where all is set: r, Enter, y', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	rentty.agree();
	await rentty.sees('its key: ');
	expect(await rentty.rentals()).toMatchObject([
		{image: 'a/torch:2.6', disk: 40, settings: {args: []}},
	]);
	await rentty.sees(/Instances > \d+/);
});

test('the key is kept in a file of its user alone where the settings ask for that', async () => {
	using folder = openFolder();
	const keepKey = keepKeysIn(folder.path, 'a/service');
	await using rentty = await openTorch({keepKey, settings: {keepInstanceKeys: true}});
	await rentty.openForm();
	await rentty.review();
	rentty.agree();
	const said = await rentty.sees('Its own key is kept in');
	const [{id} = {id: 0}] = await rentty.rentals();
	const file = join(folder.path, 'a-service', String(id));
	expect(said.replaceAll('\n', '')).toContain(file);
	const key = readFileSync(file, 'utf8').trim();
	expect(key).toMatch(/^[0-9a-f]{64}$/);
	expect(rentty.written()).not.toContain(key);
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('an image of ones own takes the place of the template, and its environment is merged by key', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g', '\t');
	await rentty.fill('b/other:1');
	expect(await rentty.sees('b/other:1')).toMatch(
		/image +b\/other:1 +YOU \(template a\/torch:2\.6\)/,
	);
	await rentty.keys('\t\t\t\t\t\t', '\r');
	await rentty.sees('ENVIRONMENT');
	await rentty.keys('\t');
	await rentty.fill('MODE=b');
	await rentty.keys('n', 'RUN=7', '\r', 'q');
	expect(await rentty.sees('1 CHANGED')).toMatch(/1 same, 1 added, 1 CHANGED +Ctrl-O lists them/);
	await rentty.keys('\u000F');
	expect(await rentty.sees('YOURS WINS')).toMatch(/! MODE +a -> b +YOURS WINS/);
	await rentty.keys('q');
	await rentty.toReview();
	await rentty.review();
	rentty.agree();
	await rentty.sees('Rented: instance');
	const [rented] = await rentty.rentals();
	expect(rented?.image).toBe('b/other:1');
	expect(rented?.settings.env.filter(([name]) => name !== 'RENTTY_WISH')).toEqual([
		['TZ', 'UTC'],
		['MODE', 'b'],
		['RUN', '7'],
	]);
});

test('a VM without a registered SSH key is refused before anything is sent', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g', '\t'.repeat(13), '\r');
	await rentty.sees('virtual machine');
	await rentty.keys('\t', '\t', ' ');
	await rentty.sees('[x]');
	await rentty.toReview();
	await rentty.keys('\r');
	await rentty.sees('Nothing was sent: a VM needs an SSH key first; there is no way in later.');
	expect(rentty.orders()).toBe(0);
});

test('an offer that was taken between review and yes makes room for the next equal one, and no two are rented', async () => {
	await using rentty = await openTorch({
		settings: {fallback: {tries: 3, ceilingPercent: 900}},
	});
	await rentty.openForm();
	const review = await rentty.review();
	const id = Number(/ (\d{8}) {2}/.exec(review)?.[1]);
	await rentty.market.rent({image: 'x', label: 'quicker'}, id);
	rentty.agree();
	const gone = await rentty.sees('NEXT EQUAL OFFERS');
	expect(gone).toMatch(/could not start offer|is gone/);
	expect(gone).toContain('Nothing was created, nothing is charged.');
	const next = Number(/next equal\s+\((\d+),/.exec(gone)?.[1]);
	await rentty.keys('r');
	expect(await rentty.sees('RENT OFFER')).toContain(String(next));
	rentty.agree();
	await rentty.sees('Rented: instance');
	expect((await rentty.rentals()).map(({askId, image}) => [askId, image])).toEqual([
		[id, 'x'],
		[next, 'a/torch:2.6'],
	]);
});

test('where an offer is gone others are searched for, and the form is as it was', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	const id = Number(/Rent > (\d{8})/.exec(await rentty.shown())?.[1]);
	await rentty.review();
	await rentty.market.rent({image: 'x', label: 'quicker'}, id);
	rentty.agree();
	await rentty.sees('NEXT EQUAL OFFERS');
	await rentty.keys('/');
	expect(await rentty.sees('filter> gpu=')).toMatch(/filter> gpu=\S+ qty=\d+ .*End keeps it/);
	await rentty.keys('\r');
	await rentty.sees(/filter> gpu=\S+ qty=\d+ +\+/);
	await rentty.keys('q');
	expect(await rentty.sees(`Rent > ${id}`)).toMatch(/image +a\/torch:2\.6/);
});

test('an answer that is lost after the service acted is looked for, and found', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.review();
	rentty.proxy.next({method: 'PUT', path: '/api/v0/asks/'}, dropReply);
	rentty.agree();
	await rentty.sees('Rented: instance');
	expect(await rentty.rentals()).toHaveLength(1);
	expect(rentty.orders()).toBe(1);
});

test('a bid below what wins is refused before anything is sent', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.keys('g', '\t\t\t\t\t', ' ');
	expect(await rentty.sees('interruptible')).toMatch(/bid \$\/h +0\.\d+ +the lowest/);
	await rentty.keys('\t');
	await rentty.fill('0.0005');
	await rentty.toReview();
	await rentty.keys('\r');
	await rentty.sees('Nothing was sent: the bid 0.0005 is outside 0.001 to 128 $/h.');
	await rentty.fill('0.01');
	await rentty.toReview();
	await rentty.keys('\r');
	await rentty.sees(/Nothing was sent: the bid 0\.01 is below 0\.\d+ \$\/h, which is what wins/);
	expect(rentty.orders()).toBe(0);
});

test('a template that is edited while the form is open is laid under it again, and said', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.market.call('/api/v0/template/', {
		method: 'PUT',
		body: JSON.stringify({hash_id: rentty.hash, tag: '2.7'}),
	});
	rentty.type('\r');
	expect(await rentty.sees('was edited meanwhile')).toContain('a/torch:2.7');
	await rentty.review();
	rentty.agree();
	await rentty.sees('Rented: instance');
	expect(await rentty.rentals()).toMatchObject([{image: 'a/torch:2.7'}]);
});

test('a price that moved since the form showed it stands in the review as old and new', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await rentty.sees('price of 12:41');
	rentty.proxy.next({method: 'POST', path: '/api/v0/bundles/'}, dearer, 10);
	rentty.pass(20_000);
	rentty.type('\r');
	expect(await rentty.sees('RENT OFFER')).toMatch(/PRICE MOVED +\$0\.\d{4}\/h > \$2\.00/);
});
