import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {createHostHistory, dayOf} from '../../../../source/renter/offers/host-history.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';
import {openTestMarket} from '../../../helpers/market.ts';
import {openList} from './open-list.ts';

test('the detail of an offer shows what it costs and what it is at 80x24', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = await openList(market);
	rentty.type('\r');
	expect(await rentty.sees(/disk +[A-Z]/)).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		0 Overview [1 Offers] 2 Instances 3 Templates 4 Keys 5 Activity 6 Profiles
		Offers > 20002566  1x RTX 5090 32G  Iceland, IS  verified                1 of 35
		--------------------------------------------------------------------------------
		WHAT YOU PAY                            WHAT YOU GET
		 GPU           $0.4892/h                 VRAM          32 GB  (32,607 MB)
		 disk 40 GB    $0.0056/h                 vCPU / RAM    2 / 63 of 376 GB
		 ALL-IN        $0.4948/h  $11.87/day     disk free     282 GB
		 24 h cost     $11.87  a week $83.12     net           162 down / 70 up Mb/s
		 when stopped  $0.0056/h (disk only)     CUDA max      12.9
		 traffic       .0053 in  .0053 out /GB   direct ports  1 (direct SSH ok)
		 lowest bid    $0.2021/h                 PCIe          4.0  lanes 8

		RISK                                    MACHINE
		 reliability  97.4%                      where           Iceland, IS
		 tier         verified, not datacenter   machine / host  10475 / 50889
		 rental ends  in 76d (2027-02-05)        CPU             AMD Ryzen 5 3600 6-Co~
		 static IP    no                         disk            KINGSTON SNV2S2000G
		                                         driver          575.57.08
		                                         system          22.04
		EQUAL OFFERS   20000927 .7095  (= compares)
		--------------------------------------------------------------------------------

		r rent  = compare  Space mark  m watch  ] next  [ previous  y copy  ? help"
	`);
});

test('a wider detail has room for three columns, and knows its host from before', async () => {
	await using market = await openTestMarket({offers: 60});
	const day = dayOf(new Date(2026, 10, 21));
	const hosts = createHostHistory(
		new Map([
			[
				50_889,
				{
					boots: [110, 125].map(seconds => ({at: Date.UTC(2026, 10, 1), seconds})),
					stuck: [{at: Date.UTC(2026, 10, 2), seconds: 900}],
					prices: {'RTX 5090': [4, 3, 2].map(days => [day - days, 0.48 + days / 100] as const)},
				},
			],
		]),
	);
	const settings = createSettingsStore({...defaultSettings, inGbPerHour: 25, hours: 72});
	await using rentty = await openList(market, {columns: 140, rows: 40, hosts, settings});
	rentty.type('\r');
	expect(await rentty.sees(/disk +[A-Z]/)).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                                                                                        12:41:07
		 0 Overview   [1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		Offers > 20002566  1x RTX 5090 32G  Iceland, IS  verified                                                                            1 of 35
		--------------------------------------------------------------------------------------------------------------------------------------------
		WHAT YOU PAY                                   WHAT YOU GET                                   RISK
		 GPU           $0.4892/h                        VRAM          32 GB  (32,607 MB)               reliability  97.4%
		 disk 40 GB    $0.0056/h                        vCPU / RAM    2 / 63 of 376 GB                 tier         verified, not datacenter
		 25 GB/h in    $0.1320/h                        disk free     282 GB                           rental ends  in 76d (2027-02-05)
		 ALL-IN        $0.6267/h  $15.04/day            net           162 down / 70 up Mb/s            static IP    no
		 72 h cost     $45.12  a week $105.29           CUDA max      12.9
		 when stopped  $0.0056/h (disk only)            direct ports  1 (direct SSH ok)               YOUR HISTORY HERE
		 traffic       .0053 in  .0053 out /GB          PCIe          4.0  lanes 8                     STUCK           1, last 2026-11-02
		 lowest bid    $0.2021/h                                                                       boots           2 ok: 1:50, 2:05
		                                               MACHINE                                         last GPU price  .5000 (2 days ago)
		                                                where           Iceland, IS                    seen            ^-. _ .4892 per GPU
		                                                machine / host  10475 / 50889
		                                                CPU             AMD Ryzen 5 3600 6-Core Proc~
		                                                disk            KINGSTON SNV2S2000G
		                                                driver          575.57.08
		                                                system          22.04
















		EQUAL OFFERS   20000927 .7563  (= compares)
		--------------------------------------------------------------------------------------------------------------------------------------------

		r rent  = compare  Space mark  m watch  ] next  [ previous  y copy  R refresh  ? help  a actions  q quit"
	`);
});

test('a wide terminal shows more columns and what is beside the list, which follows the cursor; i changes it', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = await openList(market, {columns: 140, rows: 40});
	expect(await rentty.sees('SELECTED')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                                                                                        12:41:07
		 0 Overview   [1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		filter>                                                                                                        + defaults: verified rentable
		price incl. 40G disk | on-demand                                                                                                   35 offers
		--------------------------------------------------------------------------------------------------------------------------------------------
		        ID GPU              QTY VRAM    $/H  ALL-IN SPEED/$  REL%  DOWN LOC DAYS TIER CUDA| PRICE OF 7 RTX 5090 (all-in $/GPU-h, 40G)
		> 20002566 RTX 5090          1x  32G 0.4892  0.4948     297  97.4   162 IS   76d ver  12.9|
		  20002626 RTX 5090          2x  32G 0.9784  0.9840     299  97.4   162 IS   76d ver  12.9|  .45-.50    ########################     4 <
		  20002636 RTX 5090          4x  32G 1.9568  1.9624     299  97.4   162 IS   76d ver  12.9|  .50-.55                                 0
		  20002692 RTX 5090          6x  32G 2.9352  2.9408     300  97.4   162 IS   76d ver  12.9|  .55-.60                                 0
		  20000430 RTX 4080          1x  16G 0.1897  0.1980     270  98.9   400 UA   33d ver  12.3|  .60-.65                                 0
		  20002373 RTX 4090          1x  24G 0.3162  0.3273     276  97.2   151 DE   28d ver  12.8|  .65-.70                                 0
		  20000339 RTX 3080 Ti       1x  12G 0.1556  0.1612     201  99.9   830 US    4d ver  12.2|  .70-.75    ##################           3
		  20000758 RTX 3080 Ti       1x  12G 0.1547  0.1630     189  99.1 4,926 US  478d dc   12.4|
		  20000792 RTX 3080 Ti       4x  12G 0.6188  0.6271     197  99.1 4,926 US  478d dc   12.4|  median .4948   p10 .4901   you: cheapest 58%
		  20000842 RTX 3080 Ti       8x  12G 1.2376  1.2459     198  99.1 4,926 US  478d dc   12.4|
		  20000771 RTX 3080 Ti       2x  12G 0.3094  0.3177     194  99.1 4,926 US  478d dc   12.4| SELECTED  20002566
		  20002487 RTX 4080          1x  16G 0.2700  0.2839     185  99.6 7,667 PL  181d dc   12.4|  1x RTX 5090 32G  Iceland, IS  verified
		  20001004 RTX 5090          2x  32G 1.4056  1.4123     184  99.5 3,034 SE   12d dc   12.8|  GPU           .4892 /h
		  20001071 RTX 5090          3x  32G 2.1084  2.1151     184  99.5 3,034 SE   12d dc   12.8|  disk 40G      .0056 /h   stopped: .0056 /h
		  20000927 RTX 5090          1x  32G 0.7028  0.7095     183  99.5 3,034 SE   12d dc   12.8|  net           .0053 /GB up  .0053 /GB down
		  20002564 RTX 4080S         1x  16G 0.2967  0.3106     159  99.9   891 US   40d ver  12.4|  ALL-IN        .4948 /h   = $11.87 /day
		  20000568 RTX 4090          6x  24G 2.2404  2.2487     224  88.5   688 CA   50d ver  12.9|  24 h cost     $11.87
		  20001572 L40S              1x  45G 0.6463  0.6519     138  99.6 4,427 MD    4d dc   12.2|
		  20001732 L40S              8x  45G 5.1704  5.1760     139  99.6 4,427 MD    4d dc   12.2|  reliability 97.4%   max rental 76d
		  20001643 L40S              2x  45G 1.2926  1.2982     138  99.6 4,427 MD    4d dc   12.2|  CUDA 12.9   ports 1
		  20001664 L40S              4x  45G 2.5852  2.5908     139  99.6 4,427 MD    4d dc   12.2|
		  20001851 RTX 3090          1x  24G 0.2163  0.2274     155  91.8   564 US  149d ver  12.8|
		  20001928 A40               1x  45G 0.2943  0.2987     122  98.8 6,916 US  317d dc   13.0|
		  20001451 H200              1x 140G 2.2210  2.2277     128  97.4 8,403 AE   36d dc   12.9|
		  20001482 H200              2x 140G 4.4420  4.4487     128  97.4 8,403 AE   36d dc   12.9|
		  20001518 H200              4x 140G 8.8840  8.8907     128  97.4 8,403 AE   36d dc   12.9|
		  20001557 H200              8x 140G  17.77   17.77     128  97.4 8,403 AE   36d dc   12.9|
		  20000682 RTX PRO 6000 S    1x  96G 1.3758  1.3825     117  99.8   826 US  119d dc   12.8|
		  20000078 RTX A5000         1x  24G 0.2248  0.2359     131  94.4   329 BG    3d ver  12.4|
		  20002423 RTX 6000Ada       1x  48G 0.6921  0.7032     117  95.4   777 US  189d ver  12.4|
		  20002438 RTX 6000Ada       2x  48G 1.3842  1.3953     118  95.4   777 US  189d ver  12.4|  i: summary > prices > raw JSON > off
		----------------------------------------------------------------------------------------------------------------------------------- 1 of 35

		/ filter  Enter detail  r rent  > column  o order  b saved  m watch  w columns  Space mark  = compare  R refresh  ? help  a actions  q quit"
	`);
	rentty.type('j');
	await rentty.sees('SELECTED  20002626');
	rentty.type('i');
	await rentty.sees('OF A HUNDRED');
	rentty.type('i');
	await rentty.sees('"id": 20002626');
	rentty.type('i');
	expect(await rentty.sees(/VCPU|DISK/)).not.toContain('raw JSON');
	rentty.resize(80, 24);
	await rentty.sees('TIER');
	rentty.type('i');
	await rentty.sees('it needs 140 columns');
});
