import {expect, test} from 'vitest';
import {openUseHistory} from '../../../../../source/renter/history/use-history.ts';
import {openTestConsole} from '../../../../helpers/console/console.ts';
import {openFleetMarket} from '../../../../helpers/fleet/fleet.ts';
import {drawnBytes} from '../../../../helpers/console/terminal-bytes.ts';

const NOW = new Date(2026, 10, 21, 12, 41, 7).getTime();
const MINUTE = 60_000;
const sizes = [
	[60, 15],
	[80, 24],
	[140, 40],
] as const;

/** A console whose instance has eight GPUs, measured for an hour before now. */
async function openUsage(columns = 80, rows = 24) {
	const market = await openFleetMarket();
	const {id} = market.running;
	const use = openUseHistory(undefined);
	const rentty = openTestConsole({service: market, columns, rows, use});
	rentty.type('2');
	await rentty.sees('1 of 4');
	rentty.type('jj');
	await rentty.sees('3 of 4');
	rentty.type('%');
	await rentty.sees('[Usage]');
	for (let ago = 60; ago > 0; ago--) {
		const gpus = Array.from({length: 8}, (_, at) => ({
			util: 90 + at,
			heat: 60,
			power: 600,
			powerLimit: 700,
		}));
		use.noteGpus(id, gpus, NOW - ago * MINUTE);
	}
	return {
		...rentty,
		use,
		id,
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await market[Symbol.asyncDispose]();
		},
	};
}

test.each(sizes)('at %dx%d a percent sign opens the use of an instance', async (columns, rows) => {
	await using usage = await openUsage(columns, rows);
	await usage.sees(/3 +93%/);
	usage.type('<<');
	await usage.sees(/at 12:\d\d {2}(?:util|nothing)/);
	usage.type('\t\t');
	await usage.sees(/3 +60 /);
	usage.type('z');
	await usage.sees(/gpu0 (?:heat|util)/);
	usage.type('#');
	await usage.sees('FROM');
});

test('spans are longer and shorter, and the cursor follows the present again', async () => {
	await using usage = await openUsage();
	await usage.sees(' 1h ');
	usage.type(',');
	await usage.sees(' 6h ');
	usage.type('..');
	await usage.sees(' 10m ');
	usage.type('<<<');
	await usage.sees(/at 12:\d\d/);
	usage.type('G');
	await usage.sees(/each GPU: not heard over SSH/);
	await expect.poll(usage.shown).not.toMatch(/at 12:\d\d/);
});

test('the cursor costs few bytes, and a page that rests costs none', async () => {
	await using usage = await openUsage();
	await usage.sees(/93%/);
	usage.type('<<<');
	await usage.sees(/at 12:3/);
	const before = drawnBytes(usage.written());
	for (let step = 0; step < 10; step++) {
		usage.type('<');
		await new Promise(resolve => void setImmediate(() => setImmediate(resolve)));
	}
	await usage.sees(/at 12:2/);
	const each = (drawnBytes(usage.written()) - before) / 10;
	expect(each).toBeLessThan(114);
	const after = usage.written().length;
	usage.use.noteList([], NOW);
	await new Promise(resolve => void setImmediate(() => setImmediate(resolve)));
	expect(usage.written().length).toBe(after);
});

test('a look at the GPUs draws their last column, and not the page', async () => {
	await using usage = await openUsage();
	await usage.sees(/93%/);
	const before = drawnBytes(usage.written());
	const gpus = Array.from({length: 8}, (_, at) => ({
		util: 50 + at,
		heat: 61,
		power: 610,
		powerLimit: 700,
	}));
	usage.use.noteGpus(usage.id, gpus, NOW);
	await usage.sees(/53%/);
	expect(drawnBytes(usage.written()) - before).toBeLessThan(440);
});
