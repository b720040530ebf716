import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {createHostHistory, dayOf} from '../../../../source/renter/offers/host-history.ts';
import {createSettingsStore} from '../../../helpers/settings-store.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {openList} from './open-list.ts';

test('the detail of an offer shows what it costs and what it is at 80x24', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = await openList(market);
	rentty.type('\r');
	expect(await rentty.sees(/disk +[A-Z]/)).toMatchInlineSnapshot(`
		" rentty   practice market . no money                                    12:41:07
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
		" rentty   practice market . no money                                                                                                12:41:07
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
		 traffic       .0053 in  .0053 out /GB          PCIe          4.0  lanes 8                     stuck           1, last 2026-11-02
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
		" rentty   practice market . no money                                                                                                12:41:07
		 0 Overview   [1 Offers]   2 Instances    3 Templates    4 Keys    5 Activity    6 Profiles
		filter> what do you need? 4090 x2 <0.80 us,ca                                                                  + defaults: verified rentable
		price incl. 40G disk . on-demand                                                                                                   35 offers
		------------------------------------------------------------------------------------------+-------------------------------------------------
		        ID GPU              VRAM $/H ALL-IN AGAINST ALL OF ITS KIND  REL%  DOWN WHERE DAYS| PRICE OF 7 RTX 5090 (all-in $/GPU-h, 40G)
		> 20002566 1x RTX 5090       32G     0.4948 --------*-------    0 %  97.4   162 IS     76d|
		  20002626 2x RTX 5090       32G     0.9840 --------*-------   -1 %  97.4   162 IS     76d|  .45-.50    ########################     4 <
		  20002636 4x RTX 5090       32G     1.9624 --------*-------   -1 %  97.4   162 IS     76d|  .50-.55                                 0
		  20002692 6x RTX 5090       32G     2.9408 --------*-------   -1 %  97.4   162 IS     76d|  .55-.60                                 0
		  20000430 1x RTX 4080       16G     0.1980                          98.9   400 UA     33d|  .60-.65                                 0
		  20002373 1x RTX 4090       24G     0.3273                          97.2   151 DE     28d|  .65-.70                                 0
		  20000339 1x RTX 3080 Ti    12G     0.1612 --------*-------   +1 %  99.9   830 US      4d|  .70-.75    ##################           3
		  20000758 1x RTX 3080 Ti    12G     0.1630 --------+*------   +3 %  99.1 4,926 US    478d|
		  20000792 4x RTX 3080 Ti    12G     0.6271 --------*-------   -1 %  99.1 4,926 US    478d|  median .4948   p10 .4901   you: cheapest 58%
		  20000842 8x RTX 3080 Ti    12G     1.2459 -------*+-------   -2 %  99.1 4,926 US    478d|
		  20000771 2x RTX 3080 Ti    12G     0.3177 --------*-------    0 %  99.1 4,926 US    478d| SELECTED  20002566
		  20002487 1x RTX 4080       16G     0.2839                          99.6 7,667 PL    181d|  1x RTX 5090 32G  Iceland, IS  -
		  20001004 2x RTX 5090       32G     1.4123 --------+------*  +43 %  99.5 3,034 SE     12d|  GPU           .4892 /h
		  20001071 3x RTX 5090       32G     2.1151 --------+------*  +42 %  99.5 3,034 SE     12d|  disk 40G      .0056 /h   stopped: .0056 /h
		  20000927 1x RTX 5090       32G     0.7095 --------+------*  +43 %  99.5 3,034 SE     12d|  net           .0053 /GB up  .0053 /GB down
		  20002564 1x RTX 4080S      16G     0.3106                          99.9   891 US     40d|  ALL-IN        .4948 /h   = $11.87 /day
		  20000568 6x RTX 4090       24G     2.2487                          88.5   688 CA     50d|  24 h cost     $11.87
		  20001572 1x L40S           45G     0.6519 --------*-------   +1 %  99.6 4,427 MD      4d|
		  20001732 8x L40S           45G     5.1760 --------*-------    0 %  99.6 4,427 MD      4d|  reliability 97.4%   max rental 76d
		  20001643 2x L40S           45G     1.2982 --------*-------    0 %  99.6 4,427 MD      4d|  CUDA 12.9   ports 1
		  20001664 4x L40S           45G     2.5908 --------*-------    0 %  99.6 4,427 MD      4d|
		  20001851 1x RTX 3090       24G     0.2274                          91.8   564 US    149d|
		  20001928 1x A40            45G     0.2987                          98.8 6,916 US    317d|
		  20001451 1x H200          140G     2.2277 --------*-------    0 %  97.4 8,403 AE     36d|
		  20001482 2x H200          140G     4.4487 --------*-------    0 %  97.4 8,403 AE     36d|
		  20001518 4x H200          140G     8.8907 --------*-------    0 %  97.4 8,403 AE     36d|
		  20001557 8x H200          140G      17.77 --------*-------    0 %  97.4 8,403 AE     36d|
		  20000682 1x PRO 6000 S     96G     1.3825                          99.8   826 US    119d|
		  20000078 1x RTX A5000      24G     0.2359                          94.4   329 BG      3d|
		  20002423 1x RTX 6000Ada    48G     0.7032                          95.4   777 US    189d|
		  20002438 2x RTX 6000Ada    48G     1.3953                          95.4   777 US    189d|  i: summary > prices > raw JSON > off
		------------------------------------------------------------------------------------------+---------------------------------------- 1 of 35

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
	await rentty.sees(/REL% WHERE$/m);
	rentty.type('i');
	await rentty.sees('it needs 140 columns');
});
