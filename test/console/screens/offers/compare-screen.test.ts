import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {openRentable} from '../../../helpers/market/rentable.ts';
import {openList} from './open-list.ts';

test('marked offers are compared, columns dropped, and coming back finds the comparison', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = await openList(market);
	rentty.type('=');
	await rentty.sees('mark the offers to compare');
	for (let times = 0; times < 3; times++) rentty.type(' ');
	rentty.type('=');
	expect(await rentty.sees('162 / 70')).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		Offers > compare 3                                     * differs   <best in row>
		--------------------------------------------------------------------------------
		                       >20002566 1st     20002626 2nd     20002636 3rd
		                        1x RTX 5090      2x RTX 5090      4x RTX 5090
		* ALL-IN 40G $/h       <.4948>           .9840            1.9624
		*  per GPU $/h          .4948            .4920           <.4906>
		  stopped $/h           .0056            .0056            .0056
		* speed per $           297             <299>            <299>
		  VRAM GB               32               32               32
		  net down / up Mb/s    162 / 70         162 / 70         162 / 70
		  reliability %         97.4             97.4             97.4
		  max rental days       76               76               76
		  tier                  verified         verified         verified
		  your boots here       -                -                -
		*  GPU $/h             <.4892>           .9784            1.9568

		* 24 h cost            <$11.87>          $23.61           $47.10
		* 7 d cost             <$83.12>          $165.30          $329.68
		-------------------------------------------- 11 of 18 rows . prices of 12:41:07
		cheapest job: 20002566, $11.87 in 24 h. Dearest: 20002636, $47.10.

		r rent  Right pick  x drop column  ! only differences  Tab job  ? help"
	`);
	rentty.type('x');
	await rentty.sees('compare 2');
	rentty.type('\r');
	await rentty.sees('WHAT YOU PAY');
	rentty.type('q');
	await rentty.sees('compare 2');
	rentty.type('q');
	await rentty.sees('4 of 35');
});

test('the job is edited with the prices following, and kept for every price only with Enter', async () => {
	await using market = await openTestMarket({offers: 60});
	const settings = createSettingsStore(defaultSettings);
	await using rentty = await openList(market, {settings});
	rentty.type('\r');
	await rentty.sees('EQUAL OFFERS');
	rentty.type(' ');
	await rentty.sees('marked');
	rentty.type(']');
	await rentty.sees('2 of 35');
	rentty.type('=');
	await rentty.sees('compare 2');
	rentty.type('\t');
	await rentty.sees('hours [24');
	rentty.type('0');
	await rentty.sees('240 h cost');
	expect(settings.get().hours).toBe(24);
	rentty.type('\u001B');
	await rentty.sees('24 h cost');
	rentty.type('\t');
	await rentty.sees('hours [24');
	rentty.type('x');
	await rentty.sees('expected a number');
	rentty.type('\r');
	await rentty.sees('Not now');
	rentty.type('\u007F');
	rentty.type('8');
	await rentty.sees('248 h cost');
	rentty.type('\r');
	await rentty.sees('only differences');
	expect(settings.get().hours).toBe(248);
});

test('a comparison says of an offer that was taken that it is gone', async () => {
	await using market = await openRentable();
	await using rentty = await openList(market);
	rentty.type(' ');
	rentty.type('j');
	rentty.type(' ');
	const list = await rentty.sees('2 marked');
	const first = /\+(\d{8})/.exec(list)?.[1] ?? '';
	expect(await market.rent({image: 'pytorch', disk: 10}, first)).toMatchObject({status: 200});
	rentty.type('=');
	await rentty.sees(/ GONE /);
	rentty.type('\r');
	await rentty.sees(/Offers > .* GONE/);
});

test('offers of a search for bids are shown and compared at the price of a bid', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = await openList(market);
	rentty.type('/');
	await rentty.sees('Enter');
	for (const key of 'bid') rentty.type(key);
	await rentty.sees('filter> bid');
	rentty.type('\r');
	const list = await rentty.sees(/\. bid/);
	const price = /^> *\d+ .*? \d+G +(\d+\.\d{4}) /m.exec(list)?.[1] ?? 'no price';
	rentty.type('\r');
	await rentty.sees(`ALL-IN        $${price}/h`);
	rentty.type('=');
	await rentty.sees(price.replace(/^0/, ''));
});
