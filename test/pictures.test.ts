/** The pictures of the README and the docs, drawn from real frames: `npm run docs` draws them again. */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openTorch} from './console/screens/rent/open-rent.ts';
import {openTestConsole} from './helpers/console.ts';
import {openFleetMarket} from './helpers/fleet.ts';
import {frameOf, pictureOf} from './helpers/frame-picture.ts';
import type {Frame} from './helpers/frame-picture.ts';
import {openTestMarket} from './helpers/market.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');

const environment = {LANG: 'C.UTF-8', TERM: 'xterm-256color'};

const sizes = [
	{columns: 80, rows: 24},
	{columns: 140, rows: 40},
] as const;

/** Compares a picture with what is drawn now; with `npm run docs` it is drawn anew. */
function expectFresh(name: string, picture: string): void {
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
		await rentty.sees('1 of ');
		const title = 'Offers, the best for their price first';
		const picture = pictureOf(title, [{frame: frameOf(rentty.emulator), seconds: 1}]);
		expectFresh(`offers-${size.columns}x${size.rows}`, picture);
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
		expectFresh(`review-${size.columns}x${size.rows}`, picture);
	},
);

test.each(sizes)(
	'the pictures of a fleet and of a sweep are what is shown at $columns columns',
	async size => {
		await using market = await openFleetMarket();
		await using rentty = openTestConsole({service: market, environment, ...size});
		rentty.type('2');
		await rentty.sees(/STUCK.*1 of 4/s);
		if (size.columns === 140) await rentty.sees(/today .*WASTE/s);
		const name = `${size.columns}x${size.rows}`;
		const fleet = [{frame: frameOf(rentty.emulator), seconds: 1}];
		expectFresh(
			`fleet-${name}`,
			pictureOf('Instances, trouble first, and how a boot got stuck', fleet),
		);
		rentty.type('X');
		await rentty.sees('SWEEP');
		const sweep = [{frame: frameOf(rentty.emulator), seconds: 1}];
		expectFresh(
			`sweep-${name}`,
			pictureOf('What a sweep destroys, and the proof that it is stuck', sweep),
		);
	},
);

test('the recording plays a search and the review of a rent, as the console shows them', async () => {
	await using rentty = await openTorch({environment});
	const frames: Array<{frame: Frame; seconds: number}> = [];
	const keep = (seconds: number) => frames.push({frame: frameOf(rentty.emulator), seconds});
	await rentty.sees('1 of ');
	keep(2);
	for (const [at, letter] of ['/', '5', '0', '9', '0'].entries()) {
		rentty.type(letter);
		await rentty.sees(`filter> ${'5090'.slice(0, at)}`);
		keep(0.3);
	}
	rentty.type('\r');
	await rentty.sees(/filter> gpu=RTX_5090.*1 of /s);
	keep(2);
	await rentty.openForm();
	await rentty.sees('no SSH key is registered');
	keep(3);
	await rentty.review();
	keep(6);
	expectFresh('recording', pictureOf('A search, the form, and the review of a rent', frames));
});
