import {expect, test} from 'vitest';
import type {GpuUse, UseSample} from '../../../../../source/renter/history/use-history.ts';
import {usageScreenLines} from '../../../../../source/console/screens/instances/usage/usage-lines.ts';
import type {
	UsageReadings,
	UsageState,
} from '../../../../../source/console/screens/instances/usage/usage-state.ts';
import {createTheme} from '../../../../../source/console/ui/theme.ts';
import {widthOf} from '../../../../../source/renter/text/text-width.ts';

const theme = createTheme({LANG: 'C.UTF-8', RENTTY_THEME: 'high-contrast'});
const NOW = new Date(2026, 10, 23, 12, 41, 7).getTime();
const MINUTE = 60_000;
/** Nothing was measured in these minutes before now. */
const isGap = (ago: number) => ago > 32 && ago < 36;

const state: UsageState = {
	span: 1,
	metric: 'util',
	at: undefined,
	zoomed: undefined,
	isTable: false,
	top: 0,
};

/** A GPU so many minutes ago; the sixth of eight has been slow for 17 minutes, the seventh is hot. */
function gpuAt(index: number, ago: number, count: number): GpuUse {
	const isSlow = count > 1 && index === 5 && ago <= 17;
	return {
		util: isSlow ? 61 : 97 - (ago === 23 ? 60 : index % 3),
		memory: 71.2,
		heat: index === 6 ? 84 : 66,
		power: 684,
		memoryAll: 80,
		powerLimit: 700,
	};
}

function seen(count: number, minutes = 70): UsageReadings {
	const samples = Array.from({length: minutes}, (_, at) => minutes - at).flatMap(
		(ago): UseSample[] => {
			if (isGap(ago)) return [];
			const at = NOW - ago * MINUTE + 30_000;
			const machine = {util: 92, heat: 66, memory: 71.2, cpu: 38, ram: 1070, disk: 710};
			const gpus = Array.from({length: count}, (_gpu, index) => gpuAt(index, ago, count));
			return [
				{at, machine},
				{at: at + 1000, gpus},
			];
		},
	);
	const instance = {id: 7, num_gpus: count, gpu_ram: 81_920, mem_limit: 2000, disk_space: 1000};
	return {instance, samples, now: NOW};
}

const sizes = {
	'60x15': {columns: 60, rows: 9},
	'80x24': {columns: 80, rows: 18},
	'140x40': {columns: 140, rows: 34},
};

function drawn(
	size: keyof typeof sizes,
	of: UsageReadings,
	part: Partial<UsageState> = {},
): string {
	const paper = {theme, size: sizes[size], note: ''};
	return usageScreenLines({...state, ...part}, of, paper)
		.map(line => line.trimEnd())
		.join('\n');
}

test('at 80x24 eight GPUs are a row each, over an axis of time', () => {
	expect(`\n${drawn('80x24', seen(8))}`).toMatchInlineSnapshot(`
		"
		── 11:57 to 12:41  1h ─────────────────────── util % of 8 GPUs, 1 column 1 min ─
		GPU  NOW                                                           MEM G   C   W
		gpu0  97% █████████   █████████▃██████████████████████             71.2  66 684
		gpu1  96% █████████   █████████▃██████████████████████             71.2  66 684
		gpu2  95% █████████   █████████▃██████████████████████             71.2  66 684
		gpu3  97% █████████   █████████▃██████████████████████             71.2  66 684
		gpu4  96% █████████   █████████▃██████████████████████             71.2  66 684
		[1;4mgpu5  61%![0m█████████   █████████▃█████▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅             71.2  66 684
		[1;4mgpu6  97%![0m█████████   █████████▃██████████████████████             71.2  84 684
		gpu7  96% █████████   █████████▃██████████████████████             71.2  66 684
		         └┴────────────┴─────────┴─────────┴─────────┴──────────┴
		        11:57        12:10     12:20     12:30     12:40    12:51
		all   92% █████████   ████████████████████████████████
		cpu   38% ▄▄▄▄▄▄▄▄▄   ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
		ram   54% ▅▅▅▅▅▅▅▅▅   ▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅             1070/2000G
		disk  71% ▆▆▆▆▆▆▆▆▆   ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆             710/1000G
		──────────────────────────────────────── gap 12:05-12:09: nothing was measured ─
		gpu5 is slower than the others for 16 min   gpu6 84 C"
	`);
});

test('the cursor reads the values of its minute', () => {
	const shown = drawn('80x24', seen(8), {at: NOW - 23 * MINUTE});
	expect(`\n${shown}`).toMatchInlineSnapshot(`
		"
		── 11:57 to 12:41  1h ─────────────────────── util % of 8 GPUs, 1 column 1 min ─
		GPU  NOW                       v                                   MEM G   C   W
		gpu0  97% █████████   █████████▃██████████████████████             71.2  66 684
		gpu1  96% █████████   █████████▃██████████████████████             71.2  66 684
		gpu2  95% █████████   █████████▃██████████████████████             71.2  66 684
		gpu3  97% █████████   █████████▃██████████████████████             71.2  66 684
		gpu4  96% █████████   █████████▃██████████████████████             71.2  66 684
		[1;4mgpu5  61%![0m█████████   █████████▃█████▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅             71.2  66 684
		[1;4mgpu6  97%![0m█████████   █████████▃██████████████████████             71.2  84 684
		gpu7  96% █████████   █████████▃██████████████████████             71.2  66 684
		         └┴────────────┴─────────┴─────────┴─────────┴──────────┴
		        11:57        12:10     12:20     12:30     12:40    12:51
		all   92% █████████   ████████████████████████████████
		cpu   38% ▄▄▄▄▄▄▄▄▄   ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
		ram   54% ▅▅▅▅▅▅▅▅▅   ▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅             1070/2000G
		disk  71% ▆▆▆▆▆▆▆▆▆   ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆             710/1000G
		──────────────────────────────────────── gap 12:05-12:09: nothing was measured ─
		at 12:18  util 37 37 37 37 37 37 37 37%"
	`);
});

test('at 60x15 there are as many GPUs as there is room for, the worst first', () => {
	expect(`\n${drawn('60x15', seen(16))}`).toMatchInlineSnapshot(`
		"
		[1;4m5   61%![0m████████████████ █████▆██▅▅▅▅▅▅▅▅▅           71G 66C
		[1;4m6   97%![0m████████████████ █████▆███████████           71G 84C
		2   95% ████████████████ █████▆███████████           71G 66C
		8   95% ████████████████ █████▆███████████           71G 66C
		11  95% ████████████████ █████▆███████████           71G 66C
		14  95% ████████████████ █████▆███████████           71G 66C
		1   96% ████████████████ █████▆███████████           71G 66C
		      11:34        12:00  12:14   12:30       12:58
		gap 12:05-12:09: nothing was measured  gpu5 is slower than …"
	`);
});

test('one GPU has a curve of each figure, at every size', () => {
	expect(`\n${drawn('80x24', seen(1))}`).toMatchInlineSnapshot(`
		"
		── util % ────────────────────────────────── now 97 of 100  1h, 1 column 1 min ─
		      100┤⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑   ⠐⠑⠑⠑⠑⠑⠑⠑⠑⢱⢰⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑⠑
		         │                            ⠈⡾
		        0┤
		── mem GB ───────────────────────────────────────────────────── now 71.2 of 80 ─
		         │⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒   ⠐⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒
		         │
		        0┤
		── heat C ──────────────────────────────────────────────────── now 66 limit 83 ─
		      100┤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤   ⠠⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤
		        0┤
		── power W ──────────────────────────────────────────────────── now 684 of 700 ─
		         │⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉   ⠈⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
		        0┤
		         └┴─────────┴─────────┴─────────┴─────────┴─────────────┴
		        11:50     12:00     12:10     12:20     12:30       12:44
		──────────────────────────────────────── gap 12:05-12:09: nothing was measured ─
		cpu 38%  ram 1070/2000G  disk 710/1000G"
	`);
	expect(`\n${drawn('60x15', seen(1))}`).toMatchInlineSnapshot(`
		"
		── util % ────────────── now 97 of 100  1h, 1 column 2 min ─
		    100┤   ⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠂ ⠒⠒⠒⠒⢢⡖⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒
		       │                          ⠘⠁
		       │
		      0┤
		       └┴─────────┴──────┴───────┴──────┴─────────┴
		      11:25     11:45  12:00   12:15  12:30   12:50
		──────────────────── gap 12:05-12:09: nothing was measured ─
		cpu 38%  ram 1070/2000G  disk 710/1000G"
	`);
});

test('at 140x40 a week is there, with days', () => {
	expect(`\n${drawn('140x40', seen(4, 10_000), {span: 5, metric: 'power'})}`)
		.toMatchInlineSnapshot(`
			"
			── 14 Nov 02:00 to 23 Nov 12:41  7d ────────────────────────────────────────────────────────────────────── power W of 4 GPUs, 1 column 2 h ─
			GPU  NOW                                                                                                                       MEM G   C   W
			gpu0  684                               ████████████████████████████████████████████████████████████████████████████████████   71.2  66 684
			gpu1  684                               ████████████████████████████████████████████████████████████████████████████████████   71.2  66 684
			gpu2  684                               ████████████████████████████████████████████████████████████████████████████████████   71.2  66 684
			gpu3  684                               ████████████████████████████████████████████████████████████████████████████████████   71.2  66 684
			         └┴──────────┴───────────────────────┴───────────────────────┴───────────────────────┴──────────────────────────────┴
			    14 Nov 02:00  15 Nov                  17 Nov                  19 Nov                  21 Nov                 23 Nov 14:00
			all   92%                               ████████████████████████████████████████████████████████████████████████████████████
			cpu   38%                               ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
			ram   54%                               ▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅   1070/2000G
			disk  71%                               ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆   710/1000G
			── power W  least, middle and most of 4 GPUs ───────────────────────────────────────────────────────────────────────────────────────────────
			         │                              ⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒
			      600┤
			         │
			         │
			         │
			      400┤
			         │
			         │
			         │
			      200┤
			         │
			         │
			        0┤






			─────────────────────────────────────────────────────────────────────────────────────────────────────────────── by the list and nvidia-smi ─
			cpu 38%  ram 1070/2000G  disk 710/1000G"
		`);
});

test('the same as numbers has the last minute first', () => {
	expect(`\n${drawn('60x15', seen(4), {isTable: true})}`).toMatchInlineSnapshot(`
		"
		── 11:34 to 12:41  1h ─── util % of 4 GPUs, 1 column 2 min ─
		FROM             gpu0    gpu1    gpu2    gpu3     all
		12:40              97      96      95      97      92
		12:38              97      96      95      97      92
		12:36              97      96      95      97      92
		12:34              97      96      95      97      92
		12:32              97      96      95      97      92
		12:30              97      96      95      97      92
		12:28              97      96      95      97      92"
	`);
});

test('before the first look, and where the GPUs are not known one by one, it says so', () => {
	const none = drawn('80x24', {...seen(8), samples: []});
	expect(none).toContain('Nothing was measured yet: the next look at the list is.');
	const own = seen(8);
	const alone = {...own, samples: own.samples.filter(({machine}) => machine !== undefined)};
	expect(`\n${drawn('80x24', alone)}`).toMatchInlineSnapshot(`
		"
		── 11:57 to 12:41  1h ───────────────────────────────── util %, 1 column 1 min ─
		GPU  NOW
		         └┴────────────┴─────────┴─────────┴─────────┴──────────┴
		        11:57        12:10     12:20     12:30     12:40    12:51
		all   92% █████████   ████████████████████████████████
		cpu   38% ▄▄▄▄▄▄▄▄▄   ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
		ram   54% ▅▅▅▅▅▅▅▅▅   ▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅▅             1070/2000G
		disk  71% ▆▆▆▆▆▆▆▆▆   ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆             710/1000G








		──────────────────────────────────────── gap 12:05-12:09: nothing was measured ─
		cpu 38%  ram 1070/2000G  disk 710/1000G"
	`);
});

test('every page has its lines and fits its columns, with any number of GPUs', () => {
	for (const {columns, rows} of Object.values(sizes)) {
		for (const count of [1, 2, 4, 8, 16]) {
			for (const part of [{}, {at: NOW - 40 * MINUTE}, {isTable: true}, {zoomed: 0}, {span: 5}]) {
				const paper = {theme, size: {columns, rows}, note: ''};
				const lines = usageScreenLines({...state, ...part}, seen(count), paper);
				expect(lines).toHaveLength(rows);
				// oxlint-disable-next-line no-control-regex -- the looks of the theme
				const widths = lines.map(line => widthOf(line.replaceAll(/\u001B\[[\d;]*m/g, '')));
				expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
			}
		}
	}
});

test('a poll a minute later changes the last column alone', () => {
	const before = seen(8);
	const at = NOW + MINUTE;
	const gpus = Array.from({length: 8}, (_, index) => gpuAt(index, 1, 8));
	const after = {...before, now: at, samples: [...before.samples, {at: NOW + 30_000, gpus}]};
	const [old, next] = [drawn('80x24', before), drawn('80x24', after)].map(text => text.split('\n'));
	const changed = (old ?? []).slice(2, 10).map((line, row) => {
		const other = (next ?? [])[row + 2] ?? '';
		return Array.from(other).filter((sign, column) => sign !== line.padEnd(80)[column]).length;
	});
	expect(changed).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});
