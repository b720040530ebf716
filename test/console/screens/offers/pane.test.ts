import {expect, test} from 'vitest';
import type {Offer} from '../../../../source/contract/nouns/offers.ts';
import {unknownHost} from '../../../../source/renter/offers/host-history.ts';
import {offerPaneLines, type PaneContent} from '../../../../source/console/screens/offers/pane.ts';
import {pricesIn} from '../../../../source/renter/offers/prices.ts';
import {widthOf} from '../../../../source/renter/text/text-width.ts';
import {createTheme} from '../../../../source/console/ui/theme.ts';
import {swedish} from './some-offers.ts';

const prices = [0.293, 0.2964, 0.3011, 0.3102, 0.3104, 0.3155, 0.3199, 0.3388, 0.36, 0.45, 1.2];

function drawn(content: Partial<PaneContent>): readonly string[] {
	const lines = offerPaneLines({
		pane: 'summary',
		offer: swedish,
		prices: pricesIn(prices, 8),
		kind: undefined,
		job: {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 0},
		host: undefined,
		theme: createTheme({LANG: 'C'}),
		width: 50,
		height: 28,
		...content,
	});
	// oxlint-disable-next-line no-control-regex -- the looks are not compared, only what is written
	return lines.map(line => line.replaceAll(/\u001B\[[\d;]*m/g, '').trimEnd());
}

test('the summary shows where prices are, where this one is, and what it is made of', () => {
	const host = {...unknownHost, boots: [{at: 0, seconds: 110}]};
	const job = {diskGb: 40, hours: 24, inGbPerHour: 25, outGbPerHour: 0};
	expect(drawn({host, job, kind: 'RTX 4090'}).join('\n')).toMatchInlineSnapshot(`
		"│ PRICE OF 11 RTX 4090 (all-in $/GPU-h, 40G)
		│
		│  .25-.30    ████████                     2
		│  .30-.35    ████████████████████████     6
		│  .35-.40    ████                         1 <
		│  .40-.45                                 0
		│  .45-.50    ████                         1
		│  .50-.55                                 0
		│  .55-.60                                 0
		│  .60 +      ████                         1
		│
		│  median .3155   p10 .2964   you: cheapest 73%
		│
		│ SELECTED  7311203
		│  1x RTX 4090 24G  Sweden, SE  verified
		│  GPU           .2955 /h
		│  disk 40G      .0056 /h   stopped: .0056 /h
		│  net           .0040 /GB up  .0020 /GB down
		│  25 GB/h in    .0500 /h
		│  ALL-IN        .3511 /h   = $8.43 /day
		│  24 h cost     $8.43
		│
		│  reliability 98.7%   max rental 61d
		│  CUDA 12.8   ports 12
		│  boots here: 1 ok: 1:50
		│
		│
		│  i: summary > prices > raw JSON > off"
	`);
});

test('the prices have finer ranges and what a hundred cost', () => {
	expect(drawn({pane: 'prices', prices: pricesIn(prices, 16)}).join('\n')).toMatchInlineSnapshot(`
		"│ PRICE OF 11 MATCHES (all-in $/GPU-h, 40G)
		│
		│  .28-.30    █████████▋                   2
		│  .30-.32    ████████████████████████     5 <
		│  .32-.34    ████▊                        1
		│  .34-.36                                 0
		│  .36-.38    ████▊                        1
		│  .38-.40                                 0
		│  .40-.42                                 0
		│  .42-.44                                 0
		│  .44-.46    ████▊                        1
		│  .46-.48                                 0
		│  .48-.50                                 0
		│  .50-.52                                 0
		│  .52-.54                                 0
		│  .54-.56                                 0
		│  .56-.58                                 0
		│  .58 +      ████▊                        1
		│
		│  median .3155   p10 .2964   you: cheapest 28%
		│
		│ OF A HUNDRED
		│    5% of all cost at most .2930
		│   10% of all cost at most .2964
		│   25% of all cost at most .3011
		│   50% of all cost at most .3155
		│   75% of all cost at most .3600
		│  i: summary > prices > raw JSON > off"
	`);
});

test('what the server sent is shown as it was', () => {
	const offer: Offer = {id: 3, gpu_name: 'RTX\u001B[2J 4090', unknown: {deep: [1, 'x\u009B']}};
	expect(drawn({pane: 'raw', offer, height: 12}).join('\n')).toMatchInlineSnapshot(`
		"│ WHAT THE SERVER SENT
		│  {
		│   "id": 3,
		│   "gpu_name": "RTX\\u001b[2J 4090",
		│   "unknown": {
		│    "deep": [
		│     1,
		│     "x�"
		│    ]
		│   }
		│  }
		│  i: summary > prices > raw JSON > off"
	`);
});

test('a server without prices is said to be one, but not before it has sent an offer', () => {
	const none = pricesIn([], 8);
	expect(drawn({prices: none}).join('\n')).toContain('This server sends no prices.');
	expect(drawn({prices: none, offer: undefined}).join('\n')).not.toMatch(/prices\.|PRICE OF/);
});

test('there are as many lines as there is room for, none wider than that', () => {
	const long = 'x'.repeat(200);
	const offer = {...swedish, gpu_name: long, geolocation: `日本${long}`};
	for (const pane of ['summary', 'prices', 'raw'] as const) {
		for (const height of [3, 10, 40]) {
			const lines = drawn({pane, offer, height, kind: long});
			expect(lines).toHaveLength(height);
			expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(50);
		}
	}
});
