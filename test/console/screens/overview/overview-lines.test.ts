import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {
	overviewLines,
	cursorLines,
} from '../../../../source/console/screens/overview/overview-lines.ts';
import {sharedRows} from '../../../../source/console/screens/overview/page.ts';
import {
	movedIn,
	type OverviewState,
} from '../../../../source/console/screens/overview/overview-state.ts';
import {withGlyphs} from '../../../../source/console/ui/glyphs.ts';
import {createTheme} from '../../../../source/console/ui/theme.ts';
import {burnOf} from '../../../../source/renter/instance/burn.ts';
import {widthOf} from '../../../../source/renter/text/text-width.ts';
import {fleetRows, MINUTE, NOW, seen} from './some-fleet.ts';

const plain = createTheme({LANG: 'C.UTF-8', NO_COLOR: '1'});
const state: OverviewState = {cursor: undefined, span: 1, isTable: false};
const sizes = {
	'60x15': {columns: 60, rows: 11},
	'80x24': {columns: 80, rows: 20},
	'140x40': {columns: 140, rows: 36},
	'200x60': {columns: 200, rows: 56},
};

function drawn(
	size: keyof typeof sizes,
	part: Partial<OverviewState> = {},
	{of = seen, theme = plain} = {},
): string {
	const lines = overviewLines({...state, ...part}, of, {theme, size: sizes[size]});
	return `\n${lines.map(line => withGlyphs(theme, line).trimEnd()).join('\n')}\n`;
}

test('at 60x15 the cost, the trouble and the next end can be read from across a room', () => {
	expect(drawn('60x15')).toMatchInlineSnapshot(`
		"

		   ██      ██    ██████      ██████  ██████      ██  ██
		 ██████  ████    ██  ██          ██  ██          ██  ██
		 ████      ██    ██████          ██  ██████    ██    ██████
		   ████    ██    ██  ██          ██  ██  ██  ██      ██  ██
		 ██████  ██████  ██████  ██      ██  ██████  ██      ██  ██

		 max 22.87   4 run 1 boot   2 no end

		[1;7m▌ 5 IN TROUBLE   train-c ✖ stuck   infer-3 LATE             [0m
		  next end: train-b in 1h02   LATE: infer-3 12m
		"
	`);
});

test('at 80x24 there are trouble, ends with who keeps them, use, and a line of money', () => {
	expect(drawn('80x24')).toMatchInlineSnapshot(`
		"
		[2m── TROUBLE  5 ────────────────────────────────────────────── ! next   A alerts ─[0m
		[1m>✖ stuck train-c         4× RTX 4090  >14m00  limit 10m                    <1.66[0m
		 [1;7m  LATE [0m infer-3         1× RTX 4090  its end passed 12m ago               <0.39
		 [1m  gpu6 [0m llama-8b-sft-a  8× H100 SXM  84 C: it slows down
		 [1m  gpu5 [0m llama-8b-sft-a  8× H100 SXM  61%, the others 97%: 16 min
		 [1m  IDLE [0m scrape          1× RTX 3090  IDLE 2h00                             .210
		[2m── ENDS  8, 6 shown, next 24 h ────────── who confirmed: Watchdog Guard Market ─[0m
		 infer-3                                                [1;7mLATE 12m  [0m not confirmed
		 train-b         █▋                                     [2m1h02      [0m           WG-
		 train-c         ▒▒▒▒▒▒▒▒▒                              [1m5h46      [0m not confirmed
		 vllm-2          ▒▒▒▒▒▒▒▒▒                              [1m5h58      [0m not confirmed
		 llama-8b-sft-a  ██████████████████████████████▌        [2m19h18     [0m           WG-
		 eval-1          ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ [2midle 30m  [0m           WG-
		[2m                 now     18:00     00:00    06:00[0m
		[2m── USE, 60 min ─────────────────────────────────────────────────────────────────[0m
		 [1mllama-8b-sft-a [0m [2m8× H100 SXM [0m  97%  ████████████████    LEARNING 76%  loss 3.01…
		 [1mtrain-b        [0m [2m4× RTX 4090 [0m  91%  ████████████████    [1mLEARNING 37%  loss 3.41…[0m
		 [1meval-1         [0m [2m1× A100 80G [0m  12%  ▁▁▅▃▁▁▁▁▁▇▁▁▁▁▁▁    [2mno run found            [0m
		 [1mscrape         [0m [2m1× RTX 3090 [0m   0%  [2m▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁  [0m  [1mIDLE 2h00               [0m
		 today $217.70  month $1,418.76  credit $412.80  to 30 Nov +353 to +620
		"
	`);
});

test('at 140x40 the cost of the day, its days and its changes stand beside them', () => {
	expect(drawn('140x40')).toMatchInlineSnapshot(`
		"
		[2m── BURN, today, UTC ───────────────────────── $18.76/h now, max 22.87 ─[0m   [2m── TROUBLE  5 ──────────────────────────────── ! next   A alerts ─[0m
		[2m  $30┤[0m                                                                    [1m>✖ stuck train-c         >14m00  limit 10m                   <1.66[0m
		[2m     │[0m                                                                     [1;7m  LATE [0m infer-3         its end passed 12m ago              <0.39
		[2m     │[0m               [2m⠄⠐[0m [2m⠂⠐[0m [2m⠂⠐[0m [2m⠂⠐[0m [2m⠂⠐[0m [2m⠂⠐[0m [2m⠁⠠[0m [2m⠄⠠[0m [2m⠄⠠[0m [2m⠄⠠[0m [2m⠄[0m                       [1m  gpu6 [0m llama-8b-sft-a  84 C: it slows down
		[2m  $20┤[0m               ⡶⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲              [2m⠠[0m [2m⡀⢀[0m [2m⡀⢀[0m [2m⡀⢀[0m [2m⡀⢀[0m          [1m  gpu5 [0m llama-8b-sft-a  61%, the others 97%: 16 min
		[2m     │[0m  ⠨⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪                                     [1m  IDLE [0m scrape          IDLE 2h00                            .210
		[2m  $10┤[0m  ⠨⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪                                     What is stuck or dead wastes up to $1.66/h: X sweeps it.
		[2m     │[0m  ⠨⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪
		[2m     │[0m  ⠨⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪
		[2m   $0┤[0m  ⠨⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪                                    [2m── MONEY ─────────────────────────────────────────────────────────[0m
		[2m     └┴──────────────┴───────────────┴─────────────┴─────────────┴[0m         today $217.70   month $1,418.76   credit $412.80
		[2m    00:00          06:00            now          18:00       24:00[0m         to 30 Nov: by leases +353 to +620, if nothing ends +3,364
		[2m── ENDS  8, next 24 h ─────────────────────────────────────────────────────────────────────────────── who confirmed: Watchdog Guard Market ─[0m
		 infer-3                                                                                                            [1;7mLATE 12m  [0m not confirmed
		 train-b         ████▎                                                                                              [2m1h02      [0m           WG-
		 train-c         ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒                                                                           [1m5h46      [0m not confirmed
		 vllm-2          ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒                                                                           [1m5h58      [0m not confirmed
		 llama-8b-sft-a  ██████████████████████████████████████████████████████████████████████████████▊                    [2m19h18     [0m           WG-
		 eval-1          ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ [2midle 30m  [0m           WG-
		 old-run         [1m─────────────────────────────────────────────────────────────────────────────────────────────────>[0m [1mno end    [0m
		 scrape          [1m─────────────────────────────────────────────────────────────────────────────────────────────────>[0m [1mno end    [0m
		[2m                 now                   18:00                   00:00                    06:00[0m
		[2m── USE, 60 min ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────[0m
		 [1mllama-8b-sft-a [0m [2m8× H100 SXM [0m  97%  ███████████████████████████████           LEARNING 76%  loss 3.01  ETA 0m
		 [1mtrain-b        [0m [2m4× RTX 4090 [0m  91%  ███████████████████████████████           [1mLEARNING 37%  loss 3.41  ETA 1m > END 1h02                    [0m
		 [1meval-1         [0m [2m1× A100 80G [0m  12%  ▇▇▁▁▁▁▁▁▁▁▄▇▁▁▁▁▁▁▁▁▄▇▁▁▁▁▁▁▁▁▁           [2mno run found                                                  [0m
		 [1mscrape         [0m [2m1× RTX 3090 [0m   0%  [2m▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁         [0m  [1mIDLE 2h00                                                     [0m
		[2m── LAST DAYS, $ a day ───────────────────────── 10 Nov to 23 Nov, UTC ─[0m   [2m── LAST CHANGES ───────────────────────────────────── 5 activity ─[0m
		[2m  $400.00 ┤[0m                       █ ▂                                      12:40:07 vllm-2         provisioning
		[2m          ┤[0m                       █ █ ▁                                    12:37:07 train-c        loading > stuck
		[2m          ┤[0m                       █ █ █
		[2m        0 ┤[0m ▁ ▁ ▁ ▁ ▁ ▁ ▁ ▁   ▁ ▅ █ █ █
		[2m            10        15        20                                     [0m

		[2m────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────[0m
		5 in trouble: ! goes to the newest. What is stuck or dead wastes up to $1.66/h: X sweeps it.
		"
	`);
});

test('at 200x60 cost and trouble are in large signs above it all', () => {
	expect(stripVTControlCharacters(drawn('200x60'))).toMatchInlineSnapshot(`
		"

		    ███        ███     █████████       █████████  █████████        ███  ███                           █████████                     ███   ███
		 █████████  ██████     ███   ███             ███  ███              ███  ███                           ███                           ███   ███
		 ██████        ███     █████████             ███  █████████     ███     █████████                     █████████                     █████████
		    ██████     ███     ███   ███             ███  ███   ███  ███        ███   ███                           ███                           ███
		 █████████  █████████  █████████  ███        ███  █████████  ███        ███   ███                     █████████                           ███
		                                                                                                      IN TROUBLE                    RUNNING of 8
		 today $217.70   month $1,418.76   credit $412.80
		 to 30 Nov: by leases +353 to +620, if nothing ends +3,364

		── TROUBLE  5 ──────────────────────────────────────────────────────────────── ! next   A alerts ─   ── BURN, today, UTC ───────────────────────────────────────────────────── $18.76/h now, max 22.87 ─
		>✖ stuck train-c         4× RTX 4090  >14m00  limit 10m                                      <1.66     $30┤
		   LATE  infer-3         1× RTX 4090  its end passed 12m ago                                 <0.39        │
		   gpu6  llama-8b-sft-a  8× H100 SXM  84 C: it slows down                                                 │                      ⠠ ⠂⠐ ⠂⠐ ⠂⠐ ⠂⠐ ⠂⠐ ⠂⠐ ⠂⠐ ⠂⠐ ⠁⠈ ⠁⠠ ⠄⠠ ⠄⠠ ⠄⠠ ⠄⠠ ⠄⠠ ⡀
		   gpu5  llama-8b-sft-a  8× H100 SXM  61%, the others 97%: 16 min                                      $20┤                      ⢠⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲⡲                      ⢀ ⡀⢀ ⡀⢀ ⡀⢀ ⡀⢀ ⡀⢀ ⡀⢀
		   IDLE  scrape          1× RTX 3090  IDLE 2h00                                               .210        │   ⠨⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡫⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪
		 What is stuck or dead wastes up to $1.66/h: X sweeps it.                                              $10┤   ⠨⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪
		                                                                                                          │   ⠨⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪
		                                                                                                          │   ⠨⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪
		                                                                                                        $0┤   ⠨⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪⡪
		                                                                                                          └┴─────────────────────┴────────────────────────┴───────────────────┴─────────────────────┴
		                                                                                                         00:00                 06:00                     now                18:00               24:00
		── ENDS  8, next 24 h ───────────────────────────────────── who confirmed: Watchdog Guard Market ─   ── USE, 60 min ────────────────────────────────────────────────────────────────────────────────────
		 infer-3                                                                  LATE 12m   not confirmed    llama-8b-sft-a  8× H100 SXM   97%  ████████████████    LEARNING 76%  loss 3.01  ETA 0m
		 train-b         ██▍                                                      1h02                 WG-    train-b         4× RTX 4090   91%  ████████████████    LEARNING 37%  loss 3.41  ETA 1m > END 1h02 
		 train-c         ▒▒▒▒▒▒▒▒▒▒▒▒▒                                            5h46       not confirmed    eval-1          1× A100 80G   12%  ▁▁▅▃▁▁▁▁▁▇▁▁▁▁▁▁    no run found                               
		 vllm-2          ▒▒▒▒▒▒▒▒▒▒▒▒▒▒                                           5h58       not confirmed    scrape          1× RTX 3090    0%  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁    IDLE 2h00                                  
		 llama-8b-sft-a  █████████████████████████████████████████████            19h18                WG-
		 eval-1          ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ idle 30m             WG-
		 old-run         ───────────────────────────────────────────────────────> no end    
		 scrape          ───────────────────────────────────────────────────────> no end    
		                 now         18:00         00:00         06:00



		── llama-8b-sft-a, loss ─────────────────────────────────────────────── 3.01 at step 100, ETA 0m ─   ── train-b, loss ──────────────────────────────────────────────────────── 3.41 at step 60, ETA 1m ─
		       │                                                                                                    │
		    4.0┤⢀⣀⣀                                                                                                 │
		       │   ⠉⠙⠉⠋⠩⠒⠖⢒⠒⠒⠤⠤⠤⣀⣀⡀                                                                             4.00┤⠐⠲⠢⡤⠤⣀⣀⡀
		       │            ⠁⠈ ⠂⠐ ⠌⢉⠉⡒⠒⠤⠤⢄⣀⣀                                                                        │    ⠈ ⠂⠨⠉⡉⠑⠒⠤⢄⡀
		       │                      ⠈ ⠂⠐ ⠄⠩⠉⡑⠒⠒⠢⠤⢄⣀⣀                                                              │          ⠐ ⠄⢀⠈⠉⠒⠤⢄⣀
		    3.5┤                               ⠈ ⠁⠐ ⠄⠠⠉⡉⢑⠒⠒⠤⠤⣀⣀⣀                                                    │               ⠁⠐ ⠄ ⠉⠒⠢⢄⣀
		       │                                          ⠁⠈ ⠂⠠ ⠍⢉⠑⠒⠒⠤⠤⢄⣀⡀                                          │                   ⠈ ⠂⠠ ⡀⠉⠑⠢⠤⣀
		       │                                                   ⠁⠈ ⠂⠐ ⠌⢉⠉⡒⠒⠢⠤⠤⣀⣀⡀                            3.50┤                         ⠈ ⠂⢀ ⠉⠑⠢⠤
		    3.0┤                                                             ⠈ ⠁⠐ ⠄⠨⠉                               │                              ⠁⠐ ⠄
		       └┴────────────────┴────────────────┴────────────────┴────────────────┴────────────────┴────          └┴───────────────────────────┴───────────────────────────┴───────────────────────────┴──────
		        0               25               50               75               100              125              0                          50                          100                         150
		── LAST CHANGES ───────────────────────────────────────────────────────────────────── 5 activity ─   ── PRICES WATCHED ─────────────────────────────────────────────────────────── all-in, by the hour ─
		 12:40:07 vllm-2         provisioning                                                                 4x4090            <1.400  cheapest 1.460   5 % too dear                                     ▂▅█▅▂▁
		 12:37:07 train-c        loading > stuck                                                              h100 sxm          <1.700  cheapest 1.629   CHEAP ENOUGH, 3 offers                           █▆▃▃▁▁
		                                                                                                      a100              <.800   cheapest -       not asked yet              



		────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
		5 in trouble: ! goes to the newest. What is stuck or dead wastes up to $1.66/h: X sweeps it.
		"
	`);
});

test('a fleet without trouble says that all is well', () => {
	const history = {...seen.history, gpus: new Map()};
	const calm = {...seen, history, runs: new Map()};
	for (const size of ['60x15', '80x24', '140x40'] as const) {
		const rows = fleetRows.filter(({instance}) => instance.gpu_util === 97);
		const of = {...calm, fleet: {...calm.fleet, rows, burn: burnOf(rows)}};
		expect(drawn(size, {}, {of})).toContain(' all well');
	}
});

test('every line fits, and there are as many as there is room for, at every size', () => {
	const many = Array.from({length: 5}, () => fleetRows).flat();
	const large = {...seen, fleet: {...seen.fleet, rows: many, burn: burnOf(many)}};
	for (const of of [
		seen,
		large,
		{...seen, days: undefined, history: {use: new Map(), burn: [], gpus: new Map()}},
	])
		for (const columns of [48, 60, 72, 80, 119, 120, 140, 200])
			for (const rows of [10, 11, 16, 20, 32, 36, 56]) {
				const lines = overviewLines(state, of, {theme: plain, size: {columns, rows}});
				expect(lines.length).toBe(rows);
				const long = lines
					.map(line => stripVTControlCharacters(line).trimEnd())
					.filter(line => widthOf(line) > columns);
				expect([columns, rows, long]).toEqual([columns, rows, []]);
			}
});

test('Tab leads from part to part and around, and the cursor stays with its instance', () => {
	const size = sizes['140x40'];
	const lines = cursorLines(seen, state, size);
	let cursor: string | undefined;
	const keys = Array.from({length: 6}, () => (cursor = movedIn(lines, {cursor}, 'next part')));
	expect(keys).toEqual([
		'ends 8812111',
		'use 8812045',
		'money 0',
		`change ${NOW - MINUTE} 8812526`,
		'trouble ✖ stuck 8812519',
		'ends 8812111',
	]);
	expect(movedIn(lines, {cursor: undefined}, 'part before')).toBe(keys[3]);
	expect(movedIn(lines, {cursor: 'ends 8812111'}, 1)).toBe('ends 8812051');
	expect(movedIn(lines, {cursor: undefined}, -1)).toBe(lines[0]?.key);
	const moved = stripVTControlCharacters(drawn('80x24', {cursor: 'use 8812402'}));
	expect(moved).toMatch(/^>scrape +1× RTX 3090/m);
});

test('rows are shared so that no part starves', () => {
	expect(sharedRows([3, 8, 4], 15)).toEqual([3, 8, 4]);
	expect(sharedRows([3, 8, 4], 10)).toEqual([3, 4, 3]);
	expect(sharedRows([40, 0, 2], 5)).toEqual([3, 0, 2]);
});

test('use can be read as numbers, and over another span', () => {
	expect(drawn('80x24', {isTable: true})).toMatch(/eval-1 .* 12% +\d+% +\d+% +85%/);
	expect(drawn('80x24', {span: 2})).toContain('USE, 6 h');
});

test('with ASCII alone all of it is there', () => {
	const theme = createTheme({LANG: 'C', NO_COLOR: '1'});
	for (const size of ['60x15', '80x24', '140x40'] as const) {
		// oxlint-disable-next-line no-control-regex -- all but ASCII
		expect(drawn(size, {}, {theme})).not.toMatch(/[^\n\x20-\x7E\x1B]/);
	}
	expect(drawn('80x24', {}, {theme})).toMatchInlineSnapshot(`
		"
		[2m-- TROUBLE  5 ---------------------------------------------- ! next   A alerts -[0m
		[1m>x stuck train-c         4x RTX 4090  >14m00  limit 10m                    <1.66[0m
		 [1;7m  LATE [0m infer-3         1x RTX 4090  its end passed 12m ago               <0.39
		 [1m  gpu6 [0m llama-8b-sft-a  8x H100 SXM  84 C: it slows down
		 [1m  gpu5 [0m llama-8b-sft-a  8x H100 SXM  61%, the others 97%: 16 min
		 [1m  IDLE [0m scrape          1x RTX 3090  IDLE 2h00                             .210
		[2m-- ENDS  8, 6 shown, next 24 h ---------- who confirmed: Watchdog Guard Market -[0m
		 infer-3                                                [1;7mLATE 12m  [0m not confirmed
		 train-b         ##                                     [2m1h02      [0m           WG-
		 train-c         =========                              [1m5h46      [0m not confirmed
		 vllm-2          =========                              [1m5h58      [0m not confirmed
		 llama-8b-sft-a  ##############################.        [2m19h18     [0m           WG-
		 eval-1          ...................................... [2midle 30m  [0m           WG-
		[2m                 now     18:00     00:00    06:00[0m
		[2m-- USE, 60 min -----------------------------------------------------------------[0m
		 [1mllama-8b-sft-a [0m [2m8x H100 SXM [0m  97%  ################    LEARNING 76%  loss 3.01~
		 [1mtrain-b        [0m [2m4x RTX 4090 [0m  91%  ################    [1mLEARNING 37%  loss 3.41~[0m
		 [1meval-1         [0m [2m1x A100 80G [0m  12%  __=:_____*______    [2mno run found            [0m
		 [1mscrape         [0m [2m1x RTX 3090 [0m   0%  [2m________________  [0m  [1mIDLE 2h00               [0m
		 today $217.70  month $1,418.76  credit $412.80  to 30 Nov +353 to +620
		"
	`);
});

test('a GPU that is slower than the others, hot, or sick by its last examination is in trouble', () => {
	const rows = fleetRows.map(row =>
		row.instance.id === 8_812_051
			? {
					...row,
					examined: {
						at: NOW - MINUTE,
						grade: 'bad' as const,
						gpus: [
							{index: 2, health: 'lost' as const, evidence: 'does not answer\u001B[2J'},
							{index: 3, health: 'watch' as const, evidence: 'is slowed down'},
						],
					},
				}
			: row,
	);
	const of = {...seen, fleet: {...seen.fleet, rows}};
	const gpus = drawn('80x24', {}, {of})
		.split('\n')
		.filter(line => /^ .*gpu\d/.test(line));
	expect(gpus.map(line => stripVTControlCharacters(line).trimEnd())).toMatchInlineSnapshot(`
		[
		  "   gpu6  llama-8b-sft-a  8× H100 SXM  84 C: it slows down",
		  "   gpu5  llama-8b-sft-a  8× H100 SXM  61%, the others 97%: 16 min",
		  "   gpu2  train-b         4× RTX 4090  does not answer�[2J",
		]
	`);
	expect(gpus.join('')).not.toContain('\u001B[2J');
	// What was seen long ago, and what was examined another day, is of then.
	const later = {...of, now: NOW + 2 * 86_400_000};
	expect(drawn('80x24', {}, {of: later})).not.toMatch(/gpu\d/);
});

test('on the largest screens a fleet without runs and watches has its days in their place', () => {
	const of = {...seen, runs: new Map(), watched: []};
	const text = stripVTControlCharacters(drawn('200x60', {}, {of}));
	expect(text).toContain('LAST DAYS, $ a day');
	expect(text).toContain('none: m watches a price in 1 Offers');
});
