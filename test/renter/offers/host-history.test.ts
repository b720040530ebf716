import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import {
	createHostHistory,
	dayOf,
	openHostHistory,
	datedPricesOf,
	unknownHost,
} from '../../../source/renter/offers/host-history.ts';

const offer: Offer = {id: 1, host_id: 7, gpu_name: 'RTX 4090', num_gpus: 2, dph_base: 0.6};
const today = new Date('2026-11-21T12:00:00Z');
const tomorrow = new Date('2026-11-22T01:00:00Z');

async function openFolder() {
	const folder = await mkdtemp(join(tmpdir(), 'rentty-hosts-'));
	return {
		file: join(folder, 'state', 'hosts.json'),
		folder,
		[Symbol.asyncDispose]: async () => rm(folder, {recursive: true}),
	};
}

test('a price is noted by host and GPU once a day, for one GPU', async () => {
	const history = createHostHistory();
	await history.sawOffers([offer, {...offer, id: 2, num_gpus: 4, dph_base: 1.6}], today);
	await history.sawOffers([{...offer, dph_base: 0.8}], today);
	await history.sawOffers(
		[
			{...offer, dph_base: 0.7},
			{...offer, gpu_name: 'H100'},
		],
		tomorrow,
	);
	expect(history.of(7)?.prices).toEqual({
		'RTX 4090': [
			[dayOf(today), 0.3],
			[dayOf(tomorrow), 0.35],
		],
		H100: [[dayOf(tomorrow), 0.3]],
	});
});

test('a price that was not sent is not noted', async () => {
	const history = createHostHistory();
	await history.sawOffers(
		[
			{...offer, dph_base: undefined},
			{...offer, num_gpus: 0},
			{...offer, gpu_name: null},
			{...offer, host_id: undefined},
		],
		today,
	);
	expect(history.of(7)).toBeUndefined();
});

test('what was seen is there again after a start', async () => {
	await using place = await openFolder();
	const before = openHostHistory(place.file);
	await before.sawOffers([offer], today);
	await before.booted(7, {at: 5, seconds: 110});
	await before.gotStuck(8, {at: 6, seconds: 600});
	const after = openHostHistory(place.file);
	expect(after.of(7)).toEqual({
		boots: [{at: 5, seconds: 110}],
		stuck: [],
		prices: {'RTX 4090': [[dayOf(today), 0.3]]},
	});
	expect(after.of(8)?.stuck).toEqual([{at: 6, seconds: 600}]);
	expect(after.of(null)).toBeUndefined();
});

test('what several windows see of hosts is kept together', async () => {
	await using place = await openFolder();
	const [one, other] = [openHostHistory(place.file), openHostHistory(place.file)];
	expect([one.of(7), other.of(7)]).toEqual([undefined, undefined]);
	await one.gotStuck(7, {at: 6, seconds: 700});
	await one.sawOffers([offer], today);
	await other.booted(7, {at: 5, seconds: 60});
	await other.sawOffers([{...offer, host_id: 9}], today);
	await one.booted(7, {at: 7, seconds: 70});
	const after = openHostHistory(place.file);
	expect(after.of(7)).toEqual({
		boots: [
			{at: 5, seconds: 60},
			{at: 7, seconds: 70},
		],
		stuck: [{at: 6, seconds: 700}],
		prices: {'RTX 4090': [[dayOf(today), 0.3]]},
	});
	expect(after.of(9)?.prices).toEqual({'RTX 4090': [[dayOf(today), 0.3]]});
	expect(one.of(9)).toEqual(after.of(9));
});

test('a file is written once for all that was seen together, and not for what is known', async () => {
	await using place = await openFolder();
	const history = openHostHistory(place.file);
	await history.sawOffers([offer, {...offer, host_id: 9}], today);
	const written = await readFile(place.file, 'utf8');
	await rm(place.file);
	await history.sawOffers([offer], today);
	expect(JSON.parse(written)).toMatchObject({hosts: {7: {}, 9: {}}});
	await expect(readFile(place.file)).rejects.toThrow('ENOENT');
});

test('a write that fails is told, and the next one keeps all that was seen', async () => {
	await using place = await openFolder();
	const history = openHostHistory(place.file);
	await writeFile(join(place.folder, 'state'), 'no folder');
	await expect(history.booted(7, {at: 5, seconds: 110})).rejects.toThrow('EEXIST');
	await rm(join(place.folder, 'state'));
	await history.booted(8, {at: 6, seconds: 120});
	const after = openHostHistory(place.file);
	expect([after.of(7)?.boots, after.of(8)?.boots]).toEqual([
		[{at: 5, seconds: 110}],
		[{at: 6, seconds: 120}],
	]);
});

test.each(['', '{', '[]', '{"hosts":[1]}', '{"hosts":{"7":3,"x":{}}}'])(
	'a broken file %j is a history without hosts',
	async text => {
		await using place = await openFolder();
		const file = join(place.folder, 'hosts.json');
		await writeFile(file, text);
		expect(openHostHistory(file).of(7)).toBeUndefined();
	},
);

test('of a broken host what can be read is kept', async () => {
	await using place = await openFolder();
	const file = join(place.folder, 'hosts.json');
	const prices = {'RTX 4090': [[1, 0.5], [2], 'x', [3, null]], H100: 7};
	const host = {boots: [{at: 1, seconds: 2}, {at: 'x'}, 3], stuck: 'none', prices};
	await writeFile(file, JSON.stringify({hosts: {7: host}}));
	expect(openHostHistory(file).of(7)).toEqual({
		boots: [{at: 1, seconds: 2}],
		stuck: [],
		prices: {'RTX 4090': [[1, 0.5]], H100: []},
	});
});

test('a GPU with the name of something else has no prices', async () => {
	const history = createHostHistory();
	await history.sawOffers(
		[
			{...offer, gpu_name: '__proto__'},
			{...offer, gpu_name: 'toString'},
		],
		today,
	);
	expect(datedPricesOf(unknownHost, 'constructor')).toEqual([]);
	expect(datedPricesOf(history.of(7) ?? unknownHost, '__proto__')).toEqual([[dayOf(today), 0.3]]);
});
