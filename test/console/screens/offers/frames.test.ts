import {expect, test} from 'vitest';
import {openTestConsole} from '../../../helpers/console.ts';
import {openTestMarket} from '../../../helpers/market.ts';

test('while it waits for the first answer the list says so', async () => {
	await using rentty = openTestConsole();
	expect(await rentty.sees('Searching')).toMatchInlineSnapshot(`
		"PRACTICE no money
		[1 Offers]
		verified=yes rentable=yes | price incl. 40G disk | on-demand           searching
		--------------------------------------------------------------------------------

		 Searching offers

















		Enter detail  > column  o order  R refresh  ? help  a actions  q quit"
	`);
});

test('a market without a matching offer is said to be empty', async () => {
	await using market = await openTestMarket({offers: 0});
	await using rentty = openTestConsole({service: market});
	expect(await rentty.sees('No offer')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		[1 Offers]
		verified=yes rentable=yes | price incl. 40G disk | on-demand            0 offers
		--------------------------------------------------------------------------------

		 No offer matches at present.

		 The words above say what was asked for.
		 R searches again.














		Enter detail  > column  o order  R refresh  ? help  a actions  q quit"
	`);
});

test('a search that failed says what happened, why, and what to do', async () => {
	await using market = await openTestMarket({offers: 1});
	await using rentty = openTestConsole({service: {url: market.url, key: 'f'.repeat(64)}});
	expect(await rentty.sees('not accepted')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		[1 Offers]
		verified=yes rentable=yes | price incl. 40G disk | on-demand
		--------------------------------------------------------------------------------

		 Could not search the offers that can be rented: the key is not accepted (401
		Invalid user key).

		 Nothing was changed, and nothing is charged for searching.
		 R tries again.













		Enter detail  > column  o order  R refresh  ? help  a actions  q quit"
	`);
});

test('offers are listed with their prices at 80x24', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	expect(await rentty.sees(' of ')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		[1 Offers]
		verified=yes rentable=yes | price incl. 40G disk | on-demand           43 offers
		--------------------------------------------------------------------------------
		        ID GPU         QTY VRAM     $/H   ALL-IN DLP/$  REL%  DOWN LOC DAYS TIER
		> 20002550 RTX 5090     1x  32G  0.3839   0.3906   385  99.9   814 GB  433d ver
		  20001583 RTX 4090     1x  24G  0.2993   0.3132   279  97.8   950 US   58d ver
		  20001625 RTX 4090     2x  24G  0.5986   0.6125   286  97.8   950 US   58d ver
		  20001119 RTX 3090     1x  24G  0.1465   0.1509   245 100.0 5,822 US  106d dc
		  20000397 RTX 3080     1x  10G  0.0987   0.1098   230  98.8   574 FI  256d ver
		  20000581 RTX 3080     8x  10G  0.7896   0.8007   253  98.8   574 FI  256d ver
		  20000455 RTX 3080     2x  10G  0.1974   0.2085   243  98.8   574 FI  256d ver
		  20000498 RTX 3080     4x  10G  0.3948   0.4059   249  98.8   574 FI  256d ver
		  20002003 RTX 5080     8x  16G  1.9072   1.9211   284  92.7   186 DE    4d ver
		  20001022 RTX 2080 Ti  1x  11G  0.0890   0.0957   180 100.0 4,431 US    8d dc
		  20002502 RTX 3090     1x  24G  0.1617   0.1700   219  93.5   162 US  388d ver
		  20001079 RTX 5090     1x  32G  0.7809   0.7976   186  99.6 3,667 SE  311d dc
		  20001096 RTX 5090     2x  32G  1.5618   1.5785   188  99.6 3,667 SE  311d dc
		  20000582 GH200 SXM    1x  96G  1.3759   1.3842   179  99.5 8,595 CA   29d dc
		  20001147 RTX 4070 Ti  1x  12G  0.1724   0.1780   197  93.0   633 CA   47d ver
		  20001181 RTX 4070 Ti  2x  12G  0.3448   0.3504   200  93.0   633 CA   47d ver
		----------------------------------------------------------------------- 1 of 43

		Enter detail  > column  o order  R refresh  ? help  a actions  q quit"
	`);
});

test('a wider terminal shows more columns', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, columns: 140, rows: 40});
	expect(await rentty.sees(' of ')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                                                                                        12:41:07
		[1 Offers]
		verified=yes rentable=yes | price incl. 40G disk | on-demand                                                                       43 offers
		--------------------------------------------------------------------------------------------------------------------------------------------
		        ID GPU         QTY VRAM     $/H   ALL-IN DLP/$  REL%  DOWN LOC DAYS TIER CUDA PORTS   DISK  VCPU   RAM    UP
		> 20002550 RTX 5090     1x  32G  0.3839   0.3906   385  99.9   814 GB  433d ver  12.8     2   787G    12   63G   527
		  20001583 RTX 4090     1x  24G  0.2993   0.3132   279  97.8   950 US   58d ver  12.9   249   657G    16   63G   802
		  20001625 RTX 4090     2x  24G  0.5986   0.6125   286  97.8   950 US   58d ver  12.9   499  1314G    32   63G   802
		  20001119 RTX 3090     1x  24G  0.1465   0.1509   245 100.0 5,822 US  106d dc   12.4   500  4533G    12   31G 4,667
		  20000397 RTX 3080     1x  10G  0.0987   0.1098   230  98.8   574 FI  256d ver  13.0    12   116G     2  126G   463
		  20000581 RTX 3080     8x  10G  0.7896   0.8007   253  98.8   574 FI  256d ver  13.0   100   933G    12  126G   463
		  20000455 RTX 3080     2x  10G  0.1974   0.2085   243  98.8   574 FI  256d ver  13.0    25   233G     3  126G   463
		  20000498 RTX 3080     4x  10G  0.3948   0.4059   249  98.8   574 FI  256d ver  13.0    50   466G     6  126G   463
		  20002003 RTX 5080     8x  16G  1.9072   1.9211   284  92.7   186 DE    4d ver  13.0   100  1297G    28   94G   115
		  20001022 RTX 2080 Ti  1x  11G  0.0890   0.0957   180 100.0 4,431 US    8d dc   12.8   499 10034G    32   31G 4,359
		  20002502 RTX 3090     1x  24G  0.1617   0.1700   219  93.5   162 US  388d ver  12.4   100  2703G    16   31G    60
		  20001079 RTX 5090     1x  32G  0.7809   0.7976   186  99.6 3,667 SE  311d dc   12.8 1,999  2928G    16   63G 3,527
		  20001096 RTX 5090     2x  32G  1.5618   1.5785   188  99.6 3,667 SE  311d dc   12.8 3,999  5857G    32   63G 3,527
		  20000582 GH200 SXM    1x  96G  1.3759   1.3842   179  99.5 8,595 CA   29d dc   12.0    99  6517G    72  126G 6,797
		  20001147 RTX 4070 Ti  1x  12G  0.1724   0.1780   197  93.0   633 CA   47d ver  12.8    16   385G    11   63G   213
		  20001181 RTX 4070 Ti  2x  12G  0.3448   0.3504   200  93.0   633 CA   47d ver  12.8    33   770G    21   63G   213
		  20001183 RTX 4070 Ti  3x  12G  0.5172   0.5228   201  93.0   633 CA   47d ver  12.8    50  1155G    32   63G   213
		  20000872 RTX 3090     1x  24G  0.1998   0.2042   144  99.6   675 BE   30d ver  12.2    12    91G     2  188G   594
		  20000873 RTX 3090     2x  24G  0.3996   0.4040   146  99.6   675 BE   30d ver  12.2    24   183G     3  188G   594
		  20000961 RTX 3090     4x  24G  0.7992   0.8036   147  99.6   675 BE   30d ver  12.2    49   367G     6  188G   594
		  20001011 RTX 3090     8x  24G  1.5984   1.6028   147  99.6   675 BE   30d ver  12.2    99   733G    12  188G   594
		  20001444 RTX PRO 60…  1x  96G  1.1347   1.1391   135 100.0 6,464 US  410d dc   12.8    62  2040G     8  751G 4,858
		  20001455 RTX PRO 60…  2x  96G  2.2694   2.2738   135 100.0 6,464 US  410d dc   12.8   125  4080G    16  751G 4,858
		  20001509 RTX PRO 60…  4x  96G  4.5388   4.5432   135 100.0 6,464 US  410d dc   12.8   250  8161G    32  751G 4,858
		  20001553 RTX PRO 60…  8x  96G  9.0776   9.0820   136 100.0 6,464 US  410d dc   12.8   500 16322G    64  751G 4,858
		  20000191 RTX A5000    1x  24G  0.2353   0.2520   115  99.8 2,017 US  249d dc   13.0   249  1179G    16  188G 1,855
		  20000248 RTX A5000    2x  24G  0.4706   0.4873   119  99.8 2,017 US  249d dc   13.0   499  2358G    32  188G 1,855
		  20000306 RTX A5000    4x  24G  0.9412   0.9579   121  99.8 2,017 US  249d dc   13.0   999  4717G    64  188G 1,855
		  20002074 H100 SXM     1x  80G  2.1503   2.1614   119 100.0 3,430 KR   28d dc   12.4    62   313G    28 1003G 2,464
		  20002083 H100 SXM     2x  80G  4.3006   4.3117   119 100.0 3,430 KR   28d dc   12.4   124   627G    56 1003G 2,464
		  20002091 H100 SXM     4x  80G  8.6012   8.6123   119 100.0 3,430 KR   28d dc   12.4   249  1254G   112 1003G 2,464
		  20002143 H100 SXM     8x  80G   17.20    17.21   119 100.0 3,430 KR   28d dc   12.4   499  2508G   224 1003G 2,464
		----------------------------------------------------------------------------------------------------------------------------------- 1 of 43

		Enter detail  > column  o order  R refresh  ? help  a actions  q quit"
	`);
});

test('a narrow terminal keeps the columns that decide', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market, columns: 48, rows: 14});
	expect(await rentty.sees(' of ')).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms            12:41:07
		[1 Offers]
		verified=yes rentable=yes | price inc… 43 offers
		------------------------------------------------
		        ID GPU         QTY   ALL-IN  REL% LOC
		> 20002550 RTX 5090     1x   0.3906  99.9 GB
		  20001583 RTX 4090     1x   0.3132  97.8 US
		  20001625 RTX 4090     2x   0.6125  97.8 US
		  20001119 RTX 3090     1x   0.1509 100.0 US
		  20000397 RTX 3080     1x   0.1098  98.8 FI
		  20000581 RTX 3080     8x   0.8007  98.8 FI
		--------------------------------------- 1 of 43

		Enter detail  > column  o order  R refresh"
	`);
});

test('the detail of an offer shows what it costs and what it is', async () => {
	await using market = await openTestMarket({offers: 60});
	await using rentty = openTestConsole({service: market});
	await rentty.sees(' of ');
	rentty.type('\r');
	expect(await rentty.sees(/disk +[A-Z]/)).toMatchInlineSnapshot(`
		"PRACTICE no money | api 12ms                                            12:41:07
		[1 Offers]
		Offers > 20002550  1x RTX 5090                                           1 of 43
		--------------------------------------------------------------------------------
		WHAT YOU PAY                            WHAT YOU GET
		 GPU           $0.3839 /h                GPU           1x RTX 5090
		 disk 40 GB    $0.0067 /h                VRAM          32 GB  (32,607 MB)
		 ALL-IN        $0.3906 /h  $9.37/day     vCPU / RAM    12 / 63 GB
		 when stopped  $0.0067 /h (disk only)    disk free     787 GB
		 traffic in    $0.0058 /GB               net           814 down / 527 up Mb/s
		 traffic out   $0.0058 /GB               CUDA max      12.8
		 lowest bid    -                         direct ports  2
		                                         PCIe          4.0  lanes 16
		RISK                                    MACHINE
		 reliability     99.9%                   where           United Kingdom, GB
		 tier            verified                machine / host  10459 / 51379
		 datacenter      no                      CPU             AMD Ryzen 5 3600 6-Co…
		 rental ends in  433d                    disk            Samsung SSD 870 EVO 1…
		 static IP       no                      driver          570.86.15
		                                         system          24.04

		--------------------------------------------------------------------------------

		] next  [ previous  R refresh  ? help  a actions  q quit"
	`);
});
