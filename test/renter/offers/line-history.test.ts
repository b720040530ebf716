import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createLineHistory, openLineHistory} from '../../../source/renter/offers/line-history.ts';
import {openTestConsole} from '../../helpers/console/console.ts';
import {openTestMarket} from '../../helpers/market/market.ts';

function openFolder() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-lines-'));
	return {
		file: join(folder, 'state', 'queries.txt'),
		folder,
		[Symbol.dispose]: () => rmSync(folder, {recursive: true, force: true}),
	};
}

test('a line that is asked again is the latest, and there are at most a hundred', () => {
	const history = createLineHistory();
	for (let line = 0; line < 120; line++) history.add(`price<${line}`);
	history.add('price<50');
	history.add('');
	expect(history.lines()).toHaveLength(100);
	expect(history.lines().at(-1)).toBe('price<50');
	expect(history.lines().filter(line => line === 'price<50')).toHaveLength(1);
});

test('lines are there the next time, and a file that cannot be kept is not missed', async () => {
	using place = openFolder();
	const before = openLineHistory(place.file);
	before.add('4090 x4');
	before.add('h100 eu');
	await expect.poll(() => openLineHistory(place.file).lines()).toEqual(['4090 x4', 'h100 eu']);
	writeFileSync(place.file, 'good\n\u001B[2Jbad\n\n');
	expect(openLineHistory(place.file).lines()).toEqual(['good']);
	const nowhere = openLineHistory('/dev/null/below/a-file');
	nowhere.add('4090');
	expect(nowhere.lines()).toEqual(['4090']);
	expect(readFileSync(place.file, 'utf8')).toContain('good');
});

test('Up brings back what was searched for in an earlier run', async () => {
	await using market = await openTestMarket({offers: 60});
	const queries = createLineHistory(['4090 x2']);
	await using rentty = openTestConsole({service: market, queries});
	await rentty.sees('1 of ');
	rentty.type('/\u001B[A');
	await rentty.sees('filter> 4090 x2_');
	rentty.type('\r');
	await rentty.sees('gpu=RTX_4090 qty=2');
	rentty.type('/\u001B[Feu');
	rentty.type('\r');
	await expect.poll(queries.lines).toEqual(['4090 x2', '4090 x2 eu']);
});
