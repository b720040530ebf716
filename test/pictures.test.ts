/** The pictures of the README and the docs, drawn from real frames: `npm run docs` draws them again. */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openTorch} from './console/screens/rent/open-rent.ts';
import {openTestConsole} from './helpers/console/console.ts';
import {openFleetMarket} from './helpers/fleet/fleet.ts';
import {openLargeFleet} from './helpers/fleet/large-fleet.ts';
import {frameOf, pictureOf} from './helpers/console/frame-picture.ts';
import type {Frame} from './helpers/console/frame-picture.ts';
import {openTestMarket} from './helpers/market/market.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');

const environment = {LANG: 'C.UTF-8', TERM: 'xterm-256color'};

const sizes = [
	{columns: 80, rows: 24},
	{columns: 140, rows: 40},
] as const;

/**
 * Compares a picture with what is drawn now, and reads in it what it is to show; with `npm run
 * docs` it is drawn anew.
 */
function expectFresh(name: string, picture: string, ...shown: readonly RegExp[]): void {
	const words = picture.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
	for (const one of shown) expect(words, `${name}.svg`).toMatch(one);
	const file = join(folder, `${name}.svg`);
	if (process.env['UPDATE_DOCS'] !== undefined) {
		mkdirSync(folder, {recursive: true});
		writeFileSync(file, picture);
	}
	expect(readFileSync(file, 'utf8') === picture, `${name}.svg is stale: npm run docs`).toBe(true);
	expect(picture.length).toBeLessThan(300_000);
}

test.each(sizes)(
	'the picture of offers is what the console shows at $columns columns',
	async size => {
		await using market = await openTestMarket({offers: 2000, searchLimit: 10_000});
		await using rentty = openTestConsole({service: market, environment, ...size});
		const pane = size.columns === 140 ? [/PRICE OF [1-9]\d* RTX 5090/, /cheapest \d+%/] : [];
		for (const shown of [/1 of 1,019/, ...pane]) await rentty.sees(shown);
		const title = 'Offers, the best for their price first';
		const picture = pictureOf(title, [{frame: frameOf(rentty.emulator), seconds: 1}]);
		expectFresh(`offers-${size.columns}x${size.rows}`, picture, /1,019 offers/, ...pane);
	},
);

test.each(sizes)(
	'the picture of a review is what the console shows at $columns columns',
	async size => {
		await using rentty = await openTorch({environment, ...size});
		await rentty.openForm();
		await rentty.sees('no SSH key is registered');
		await rentty.review();
		const title = 'The review of a rent: what is ordered, what it costs, and what was checked';
		const picture = pictureOf(title, [{frame: frameOf(rentty.emulator), seconds: 1}]);
		expectFresh(
			`review-${size.columns}x${size.rows}`,
			picture,
			/Costs \$\d.* all-in/,
			/no SSH key is registered/,
			/Request PUT asks/,
		);
	},
);

test.each(sizes)(
	'the pictures of a fleet and of a sweep are what is shown at $columns columns',
	async size => {
		await using market = await openFleetMarket();
		await using rentty = openTestConsole({service: market, environment, ...size});
		rentty.type('2');
		await rentty.sees(/stuck.*1 of 4/s);
		if (size.columns === 140) await rentty.sees(/today .*WASTE/s);
		const name = `${size.columns}x${size.rows}`;
		const fleet = [{frame: frameOf(rentty.emulator), seconds: 1}];
		expectFresh(
			`fleet-${name}`,
			pictureOf('Instances, trouble first, and how a boot got stuck', fleet),
			/▌ *train-c .*stuck loading/,
			/loading for 11 min/,
		);
		rentty.type('X');
		await rentty.sees('SWEEP');
		const sweep = [{frame: frameOf(rentty.emulator), seconds: 1}];
		expectFresh(
			`sweep-${name}`,
			pictureOf('What a sweep destroys, and the proof that it is stuck', sweep),
			/\[x\] \d+ train-c/,
			/Evidence train-c: made 16 min ago/,
		);
	},
);

test('the picture of a whole fleet shows its use, its costs, its ends, and what is wrong', async () => {
	const now = new Date(2026, 10, 21, 12, 41, 7);
	await using market = await openLargeFleet(now.getTime());
	const looks = {environment, use: market.use, now: () => now, columns: 140, rows: 40};
	await using rentty = openTestConsole({service: market, ...looks});
	rentty.type('2');
	const shown = [/1 of 17/, /WASTE.*X sweeps all 2/s, /24h +12h +now/];
	for (const one of shown) await rentty.sees(one);
	rentty.type('jjj');
	await rentty.sees(/30 min ago +now/);
	const title = 'A fleet: use, costs, ends, and what costs for nothing';
	const picture = pictureOf(title, [{frame: frameOf(rentty.emulator), seconds: 1}]);
	expectFresh(
		'whole-fleet-140x40',
		picture,
		/✖ stuck loading/,
		/llama-8b-sft .*RTX 5090 ● running/,
		/BURN/,
		/WASTE up to \$\d/,
		/ENDS next/,
	);
});

test('the picture of a boot shows its steps, and where it got stuck', async () => {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market, environment});
	rentty.type('2');
	await rentty.sees(/stuck.*1 of 4/s);
	rentty.type('\r');
	await rentty.sees(/\[Timeline\].*limit/s);
	const frame = frameOf(rentty.emulator);
	const title = 'How a boot went, step by step, and the limit that it passed';
	expectFresh(
		'boot-80x24',
		pictureOf(title, [{frame, seconds: 1}]),
		/train-c ✖ stuck loading/,
		/limit 10m, .*stuck/,
		/pulling layer 7\/19/,
	);
});

/** Frames of a recording, each with the seconds for which it stands. */
function openReel() {
	const frames: Array<{frame: Frame; seconds: number}> = [];
	return {
		frames,
		seconds: () => frames.reduce((sum, {seconds}) => sum + seconds, 0),
		keeps:
			(rentty: Pick<ReturnType<typeof openTestConsole>, 'emulator'>) =>
			(seconds: number): void =>
				void frames.push({frame: frameOf(rentty.emulator), seconds}),
	};
}

type Reel = ReturnType<typeof openReel>;

/** A search in words, the form, and the review of a rent. */
async function recordRent(reel: Reel): Promise<void> {
	await using rentty = await openTorch({environment});
	const keep = reel.keeps(rentty);
	await rentty.sees('1 of ');
	keep(3);
	for (const [at, letter] of ['/', '5', '0', '9', '0'].entries()) {
		rentty.type(letter);
		await rentty.sees(`filter> ${'5090'.slice(0, at)}`);
		keep(0.3);
	}
	rentty.type('\r');
	await rentty.sees(/filter> gpu=RTX_5090.*1 of /s);
	keep(3);
	await rentty.openForm();
	await rentty.sees('no SSH key is registered');
	keep(4);
	await rentty.review();
	keep(6);
}

/** A fleet with something stuck, how its boot went, and the sweep that ends it. */
async function recordSweep(reel: Reel): Promise<void> {
	await using market = await openFleetMarket();
	await using rentty = openTestConsole({service: market, environment});
	const keep = reel.keeps(rentty);
	rentty.type('2');
	await rentty.sees(/stuck.*1 of 4/s);
	keep(5);
	rentty.type('\r');
	await rentty.sees(/\[Timeline\].*limit/s);
	keep(5);
	rentty.type('\u001B');
	await rentty.sees(/stuck.*1 of 4/s);
	keep(1);
	rentty.type('X');
	await rentty.sees('SWEEP');
	keep(11.5);
}

test('the recording plays a search, the review of a rent, a stuck boot and its sweep in 40 seconds', async () => {
	const reel = openReel();
	await recordRent(reel);
	await recordSweep(reel);
	expect(reel.seconds()).toBeCloseTo(40);
	const picture = pictureOf(
		'A search, the review of a rent, an instance that is stuck, and the sweep that ends it',
		reel.frames,
	);
	expectFresh(
		'recording',
		picture,
		/1 of /,
		/gpu=RTX_5090/,
		/Costs \$\d.* all-in/,
		/stuck loading/,
		/limit 10m/,
		/Evidence train-c/,
	);
});

test('the README shows the recording and seven pictures, each with words about what it shows', () => {
	const readme = readFileSync(join(folder, '..', '..', 'README.md'), 'utf8');
	const shown = [...readme.matchAll(/!\[([^\]]+)\]\(docs\/pictures\/([\w-]+)\.svg\)/g)];
	const names = shown.map(([, , name = '']) => name);
	expect(names.toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
		'boot-80x24',
		'fleet-140x40',
		'offers-140x40',
		'offers-80x24',
		'recording',
		'review-80x24',
		'sweep-80x24',
		'whole-fleet-140x40',
	]);
	for (const [, words = ''] of shown) expect(words.length).toBeGreaterThan(20);
});
