import {expect, test} from 'vitest';
import type {Job} from '../../../../source/contract/nouns/offer-cost.ts';
import type {Offer} from '../../../../source/contract/nouns/offers.ts';
import {unknownHost, type HostRecord} from '../../../../source/renter/offers/host-history.ts';
import {comparedOffer} from '../../../../source/console/screens/offers/compare.ts';
import {withTurns} from '../../../../source/console/screens/offers/compare-state.ts';
import {compareLines} from '../../../../source/console/screens/offers/compare-lines.ts';
import {
	wholeComparison,
	type CompareState,
	editJob,
	typeInJob,
	type JobEdit,
} from '../../../../source/console/screens/offers/compare-state.ts';
import {widthOf} from '../../../../source/renter/text/text-width.ts';
import {createTheme} from '../../../../source/console/ui/theme.ts';
import {datacenter, newer, plain, swedish} from './some-offers.ts';

const job: Job = {diskGb: 40, hours: 24, inGbPerHour: 25, outGbPerHour: 2};

const hosts: ReadonlyMap<unknown, HostRecord> = new Map([
	[
		402,
		{
			...unknownHost,
			boots: [
				{at: 0, seconds: 110},
				{at: 1, seconds: 125},
			],
		},
	],
	[403, {...unknownHost, stuck: [{at: Date.UTC(2026, 10, 2), seconds: 1320}]}],
]);

type Wanted = {
	readonly offers: readonly Offer[];
	readonly columns?: number;
	readonly rows?: number;
	readonly state?: Partial<CompareState>;
	readonly wanted?: Job;
};

function drawn({offers, columns = 80, rows = 20, state, wanted = job}: Wanted): string {
	const compared = offers.map(offer =>
		comparedOffer(offer, {
			job: wanted,
			pricedGb: 40,
			firstRead: state?.firstRead?.get(offer.id),
			host: hosts.get(offer.host_id),
			isGone: false,
		}),
	);
	const lines = compareLines({
		offers: withTurns(compared, state?.reversed ?? []),
		job: wanted,
		readAt: undefined,
		state: {...wholeComparison, ...state},
		theme: createTheme({LANG: 'C'}),
		size: {columns, rows},
	});
	// oxlint-disable-next-line no-control-regex -- the looks are not compared, only what is written
	return lines.map(line => line.replaceAll(/\u001B\[[\d;]*m/g, '').trimEnd()).join('\n');
}

test('three offers are compared at 80x24', () => {
	expect(drawn({offers: [plain, swedish, datacenter]})).toMatchInlineSnapshot(`
		"Offers > compare 3                                     * differs   <best in row>
		--------------------------------------------------------------------------------
		                       >7310442 1st      7311203 2nd      7310998 out
		                        1x RTX 4090      1x RTX 4090      1x RTX 4090
		* ALL-IN 40G $/h        .3590            .3591           <.3104>
		*  without traffic $/h <.2930>           .3011            .3104
		*  traffic $/h          .0660            .0580           <free>
		* stopped $/h           .0089           <.0056>           .0094
		* speed per $          <312>             301              298
		  VRAM GB               24               24               24
		* net down / up Mb/s    812 / 400        940 / 610        880 / 870
		* reliability %        <99.6>            98.7             99.3
		* max rental days       30              <61>              44
		* tier                  verified         verified         datacenter
		* your boots here       -                2 ok, 2:05       1 stuck 11-02

		* 24 h cost             $8.62            $8.62           <$7.45>
		* 7 d cost              $60.31           $60.33          <$52.15>
		----------------------------------------------------------------- 11 of 19 rows
		no traffic: 7310442 wins. 25 GB/h in, 2 GB/h out: 7310998 wins."
	`);
});

test('four offers are compared at 140x40, with the job beside them', () => {
	const offers = [plain, swedish, datacenter, newer];
	expect(drawn({offers, columns: 140, rows: 36})).toMatchInlineSnapshot(`
		"Offers > compare 4                                                                                                 * differs   <best in row>
		-------------------------------------------------------------------------------------------------------------┬------------------------------
		                            >7310442 1st        7311203 2nd        7310998 out        7307734 3rd            │ COST FOR YOUR JOB
		                             1x RTX 4090        1x RTX 4090        1x RTX 4090        1x RTX 5090            │  hours   24     (Tab edits)
		MONEY                                                                                                        │  disk    40 GB
		* ALL-IN 40G $/h             .3590              .3591             <.3104>             .4910                  │  in      25 GB/h
		*  without traffic $/h      <.2930>             .3011              .3104              .4210                  │  out     2 GB/h
		*  traffic $/h               .0660              .0580             <free>              .0700                  │
		*  GPU $/h                  <.2841>             .2955              .3010              .4120                  │  7310998          $7.45 <
		*  disk 40G $/h              .0089             <.0056>             .0094              .0090                  │  7310442          $8.62
		* stopped $/h                .0089             <.0056>             .0094              .0090                  │  7311203          $8.62
		* speed per $                312                301                298               <344>                   │  7307734         $11.78
		MACHINE                                                                                                      │
		* VRAM GB                    24                 24                 24                <32>                    │ RELATIVE SPEED
		* vCPU / RAM GB              12 / 48            16 / 64           <24 / 96>           16 / 64                │  7307734 ████████████   145
		* disk free GB              <880>               410                600                220                    │  7310998 ███████▋        92
		* CUDA max                   12.6               12.8               12.6              <13.0>                  │  7310442 ███████▌        91
		* net down / up Mb/s         812 / 400          940 / 610          880 / 870          700 / 300              │  7311203 ███████▌        91
		* PCIe                       4.0 x16            4.0 x16            4.0 x16           <5.0 x16>               │
		RISK                                                                                                         │ FALLBACK ORDER
		* reliability %             <99.6>              98.7               99.3               97.4                   │  1 7310442  2 7311203
		* max rental days            30                <61>                44                 12                     │  3 7307734  - 7310998
		* direct ports               8                  12                <64>                0                      │
		* tier                       verified           verified           datacenter         verified               │
		* where                      Texas, US          Sweden, SE         Hesse, DE          Texas, US              │
		* your boots here            -                  2 ok, 2:05         1 stuck 11-02      -                      │
		                                                                                                             │
		WHAT IS EASILY OVERLOOKED                                                                                    │
		 7310998: 1 of your boots on its host never ended; Space says whether it is tried.                           │
		 7307734 has no direct ports: SSH goes through a proxy, which is slower.                                     │
		                                                                                                             │
		                                                                                                             │
		* 24 h cost                  $8.62              $8.62             <$7.45>             $11.78                 │
		* 7 d cost                   $60.31             $60.33            <$52.15>            $82.49                 │
		-------------------------------------------------------------------------------------------------------------┴------------------------------
		no traffic: 7310442 wins. 25 GB/h in, 2 GB/h out: 7310998 wins."
	`);
});

test('rows that do not fit are scrolled to, and the cost of the job stays in view', () => {
	const frame = drawn({offers: [plain, swedish, datacenter], state: {top: 9}});
	expect(frame).toMatch(/CUDA max/);
	expect(frame).toMatch(/24 h cost/);
	expect(frame).not.toMatch(/ALL-IN/);
});

test('only differences leaves out what is the same', () => {
	const state = {isOnlyDifferences: true};
	expect(drawn({offers: [plain, {...plain, id: 2}], columns: 140, rows: 36, state})).not.toMatch(
		/VRAM|reliability|ALL-IN/,
	);
});

test('who is tried after whom is for the user to say, and a price that moved shows what it was', () => {
	const firstRead = new Map([[plain.id, {...plain, dph_base: (plain.dph_base ?? 0) + 0.01}]]);
	const frame = drawn({
		offers: [plain, datacenter],
		state: {reversed: [plain.id, datacenter.id], firstRead},
	});
	expect(frame).toContain('>7310442 out');
	expect(frame).toContain(' 7310998 1st');
	expect(frame).toMatch(/ALL-IN 40G \$\/h +\.3690>\.3590 /);
});

test('on a narrow screen the picked column is in view', () => {
	const offers = [plain, swedish, datacenter, newer];
	expect(drawn({offers, columns: 48, rows: 12, state: {pickedId: newer.id}}))
		.toMatchInlineSnapshot(`
			"Offers > compare 4, 3… * differs   <best in row>
			------------------------------------------------
			                   7310998 out   >7307734 3rd
			                   1x RTX 4090    1x RTX 5090
			* ALL-IN 40G $/h  <.3104>         .4910
			*  without traffi… .3104          .4210
			*  traffic $/h    <free>          .0700

			* 24 h cost       <$7.45>         $11.78
			* 7 d cost        <$52.15>        $82.49
			---------------------------------- 3 of 19 rows
			no traffic: 7310442 wins. 25 GB/h in, 2 GB/h ou…"
		`);
});

test('while the job is edited its numbers stand at the foot, and what is wrong above them', () => {
	const typed = ['Backspace', 'Backspace'].reduce<JobEdit>(
		(edit, key) => typeInJob(edit, key) ?? edit,
		editJob(job),
	);
	const lines = drawn({offers: [plain, swedish], state: {edit: typed}}).split('\n');
	expect(lines.slice(-2)).toMatchInlineSnapshot(`
		[
		  "------------------------------------------ hours: expected a number, at least 1",
		  "hours [_      ]  disk [40     ] GB  in [25     ] GB/h  out [2      ] GB/h",
		]
	`);
});

test('what was not sent is a sign and never the best', () => {
	const bare = {id: 9, gpu_name: 'RTX 4090', num_gpus: 1};
	const frame = drawn({offers: [plain, bare], columns: 140, rows: 36});
	expect(frame.split('\n').filter(line => line.includes('ALL-IN'))).toMatchInlineSnapshot(`
		[
		  "* ALL-IN 40G $/h             .3590              -                                                            │  in      25 GB/h",
		]
	`);
	expect(frame).not.toMatch(/<-/);
});

test('control characters of a hostile service reach no line', () => {
	const hostile: Offer = {
		...plain,
		id: 5,
		gpu_name: '\u001B[2J\u0007RTX\u009B31m',
		geolocation: 'a\nb\r\u001B]0;x\u0007',
		verification: '\u001B[31mverified',
		hosting_type: null,
	};
	const frame = drawn({offers: [hostile, plain], columns: 140, rows: 36});
	// oxlint-disable-next-line no-control-regex -- these must not be there
	expect(frame).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
	expect(frame.split('\n')).toHaveLength(36);
});

test('no line is wider than the screen, and there are as many as it has', () => {
	for (const columns of [48, 66, 80, 119, 120, 200]) {
		for (const rows of [10, 20, 50]) {
			for (const edit of [undefined, editJob(job)]) {
				const lines = drawn({offers: [plain, swedish, newer], columns, rows, state: {edit}}).split(
					'\n',
				);
				expect(lines).toHaveLength(rows);
				expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
			}
		}
	}
});
