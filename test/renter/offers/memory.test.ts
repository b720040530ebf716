import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {anyOffers} from '../../../source/contract/nouns/offer-search.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {openMemory} from '../../../source/renter/offers/memory.ts';
import {defaultSearch} from '../../../source/console/screens/offers/search.ts';
import {openTestConsole} from '../../helpers/console/console.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

function openFile() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-'));
	return {
		file: join(folder, 'cache', 'offers.json'),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true}),
	};
}

const offer = {id: 7, gpu_name: 'RTX 4090', dph_total: 0.3, rentable: true};

test('what a search found is recalled for the same search of the same service alone', async () => {
	using place = openFile();
	const memory = openMemory(place.file);
	expect(memory.recall('a.example', anyOffers)).toBeUndefined();
	await memory.remember('a.example', anyOffers, {offers: [offer], at: 5});
	expect(memory.recall('a.example', anyOffers)).toEqual({offers: [offer], at: 5});
	expect(memory.recall('b.example', anyOffers)).toBeUndefined();
	expect(memory.recall('a.example', {...anyOffers, diskGb: 9})).toBeUndefined();
	expect(statSync(place.file).mode & 0o777).toBe(0o600);
});

test('a file that was tampered with or cut off gives nothing, or what is still of its type', async () => {
	using place = openFile();
	const memory = openMemory(place.file);
	await memory.remember('a.example', anyOffers, {offers: [offer], at: 5});
	const text = readFileSync(place.file, 'utf8');
	writeFileSync(place.file, text.slice(0, -9));
	expect(memory.recall('a.example', anyOffers)).toBeUndefined();
	writeFileSync(
		place.file,
		text.replace('"RTX 4090"', '4090').replace('"id":7', '"id":7,"aura":1'),
	);
	expect(memory.recall('a.example', anyOffers)?.offers).toEqual([
		{id: 7, dph_total: 0.3, rentable: true},
	]);
});

test('lists that are kept at the same moment do not meet, and a failed one stops no later one', async () => {
	using place = openFile();
	const memory = openMemory(place.file);
	const folder = dirname(place.file);
	writeFileSync(folder, 'no folder');
	await expect(memory.remember('a', anyOffers, {offers: [offer], at: 1})).rejects.toThrow('EEXIST');
	rmSync(folder);
	const offers = Array.from({length: 60}, (_, id) => ({...offer, id}));
	const ats = Array.from({length: 20}, (_, at) => at + 2);
	await Promise.all(ats.map(async at => memory.remember('a', anyOffers, {offers, at})));
	expect(memory.recall('a', anyOffers)?.at).toBe(21);
	expect(readdirSync(folder)).toEqual(['offers.json']);
});

test('a start shows the list of last time with its age until the service has answered', async () => {
	using place = openFile();
	await using market = await openTestMarket({offers: 60});
	const memory = openMemory(place.file);
	{
		await using rentty = openTestConsole({service: market, memory});
		await rentty.sees('1 of ');
		await expect.poll(() => readFileSync(place.file, 'utf8')).toContain('gpu_name');
	}
	// Only one offer, found a moment before this run began.
	const search = defaultSearch(defaultSettings);
	const [first] = memory.recall('practice', search)?.offers ?? [];
	const at = performance.timeOrigin - 1;
	await memory.remember('practice', search, {offers: first === undefined ? [] : [first], at});
	await using silent = openTestConsole({memory});
	expect(await silent.sees('1 of 1')).toMatch(/offer from \d\d:\d\d:\d\d searching/);
	await using rentty = openTestConsole({service: market, memory});
	expect(await rentty.sees(/\d\d offers$/m)).not.toContain('from');
});
