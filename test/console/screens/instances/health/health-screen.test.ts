import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {
	healthLines,
	type HealthState,
} from '../../../../../source/console/screens/instances/health/health.ts';
import {createTheme} from '../../../../../source/console/ui/theme.ts';
import type {ExaminationFinding} from '../../../../../source/renter/health/finding.ts';
import {findingLines, examinationSummary} from '../../../../../source/renter/health/report.ts';
import {widthOf} from '../../../../../source/renter/text/text-width.ts';
import {openFleetMarket} from '../../../../helpers/fleet/fleet.ts';
import {openExaminedBook} from '../../../../../source/renter/instance/examined.ts';
import {openFleetConsole} from '../../../../helpers/console/fleet-console.ts';
import {openRunning} from '../open-running.ts';

const finding = (
	check: string,
	verdict: ExaminationFinding['verdict'],
	says: string,
): ExaminationFinding => ({
	check,
	verdict,
	says,
	ordered: undefined,
	found: undefined,
});

const state: HealthState = {
	found: new Map([
		[
			7,
			{
				whole: 'FAILING',
				sick: [],
				findings: [
					finding('GPUs', 'ok', '8x H100 SXM, as ordered'),
					finding('ECC', 'fail', 'GPU 3 has no spare rows left for a broken place of its memory'),
					finding(
						'disk speed',
						'warn',
						'1,107 MB/s written, 1,096 MB/s read: 1,107 MB/s, 70 % of the 1,590 MB/s that it was rented with',
					),
					finding('Xid', 'unknown', 'the kernel’s log may not be read in it'),
				],
				gpus: ['GPU-1'],
				problem: undefined,
			},
		],
	]),
	open: new Set([8]),
	last: undefined,
	top: 0,
};

const rows = [
	{instance: {id: 7, label: 'train-c'}},
	{instance: {id: 8, label: 'vllm-2'}},
	{instance: {id: 9, label: 'old'}},
];
const writing = {
	lines: (found: Parameters<typeof examinationSummary>[0]) => findingLines(found, 'signs'),
	whole: examinationSummary,
};

test('examinations are sentences that fit, the gravest in words and in colour', () => {
	const paper = {
		theme: createTheme({LANG: 'C.UTF-8', NO_COLOR: '1'}),
		size: {columns: 80, rows: 16},
	};
	const lines = healthLines(rows, state, {writing, paper}).map(line => line.trimEnd());
	expect(`\n${lines.join('\n')}`).toMatchInlineSnapshot(`
		"
		Health of 3 instances                                           1 being examined
		[1m7 train-c  FAILING: 1 fail, 1 warn, 1 ok, 1 not known                           [0m
		  ✓ GPUs       8x H100 SXM, as ordered.
		[1m  ✗ ECC        GPU 3 has no spare rows left for a broken place of its memory.   [0m
		[1m  ! disk speed 1,107 MB/s written, 1,096 MB/s read: 1,107 MB/s, 70 % of the     [0m
		[1m               1,590 MB/s that it was rented with.                              [0m
		[2m  ? Xid        the kernel’s log may not be read in it.                          [0m

		8 vllm-2  being examined: some ten seconds over SSH
		9 old  not examined





		[2my copies a report for the host. Esc, then: r rents one like it, x destroys it.  [0m"
	`);
	for (const columns of [40, 60, 140]) {
		const narrow = {...paper, size: {columns, rows: 16}};
		const widths = healthLines(rows, state, {writing, paper: narrow}).map(line =>
			widthOf(stripVTControlCharacters(line)),
		);
		expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
		expect(widths).toHaveLength(16);
	}
});

test('h examines what is marked, else the one under the cursor, and says why it knows nothing', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openRunning(market);
	rentty.type('h');
	await rentty.sees('Health of an instance');
	await rentty.sees(/looked 12:\d\d/);
	await rentty.sees(/\? way in +SSH does not let anybody in/);
	rentty.type('\u001B');
	await rentty.sees('3 of 4');
	rentty.type('*');
	await rentty.sees('4 marked');
	rentty.type('h');
	await rentty.sees('Health of 4 instances');
	await rentty.sees(/\? way in +it is /);
});

/** Cells of a column in a list, from above. */
function cellsOf(shown: string, title: string): readonly string[] {
	const lines = shown.split('\n');
	const head = lines.findIndex(line => line.includes(` ${title}`));
	const at = (lines[head] ?? '').indexOf(` ${title}`) + 1;
	const shownRows = lines.slice(head + 1).filter(line => /^[> ].(?:train|vllm|old)-/.test(line));
	return shownRows.map(line => line.slice(at, at + title.length).trim());
}

test.each([
	[140, 40],
	[200, 60],
])(
	'at %dx%d the list has what the last examination found, and nothing of others',
	async (columns, height) => {
		await using market = await openFleetMarket();
		const examined = openExaminedBook(undefined);
		await using rentty = await openFleetConsole(market, {columns, rows: height, examined});
		await examined.note(market.stuck.id, {at: 0, grade: 'bad', gpus: []});
		await rentty.pass(31);
		expect(cellsOf(await rentty.sees(/ HLT\b.*\n[^\n]*bad/), 'HLT')).toEqual([
			'bad',
			'-',
			'-',
			'-',
		]);
	},
);

test.each([
	[60, 15],
	[80, 24],
])('at %dx%d health has no room by itself, and W shows it', async (columns, height) => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {columns, rows: height});
	expect(await rentty.shown()).not.toContain('HLT');
	rentty.type('W');
	await rentty.sees('COLUMNS');
	for (let step = 0; step < 9; step++) rentty.type('j');
	await rentty.sees(/^> \[.\] HLT /m);
});
