/** A fleet in which something of everything happens, at one moment. */
import type {Instance} from '../../../../source/contract/nouns/instance-record.ts';
import type {OverviewData} from '../../../../source/console/screens/overview/overview-state.ts';
import {burnOf} from '../../../../source/renter/instance/burn.ts';
import {byTrouble, troublesOf, unseenFleet} from '../../../../source/renter/fleet/fleet-state.ts';
import {unwatched} from '../../../../source/renter/offers/watches.ts';
import type {RunReading} from '../../../../source/renter/training/run-reading.ts';
import {judgeTraining} from '../../../../source/renter/training/verdict.ts';
import {openTrainingLog} from '../../../../source/renter/training/training-log.ts';
import {fleetRow} from '../../../helpers/fleet/fleet-rows.ts';

export const NOW = Date.UTC(2026, 10, 23, 12, 41, 7);
export const MINUTE = 60_000;
const ends = (hours: number) => `e${NOW / 1000 + hours * 3600} td`;
const label = (name: string, lease = '') => (lease === '' ? name : `${name} [lease1 ${lease}]`);

type Made = Partial<Instance> & Pick<Instance, 'id'>;

const row = (given: Made, keepers?: string, minutes = 120) =>
	fleetRow(given, {now: NOW, minutes, ...(keepers !== undefined && {keepers})});

export const fleetRows = [
	row(
		{
			id: 8_812_045,
			label: label('llama-8b-sft-a', ends(19.3)),
			gpu_name: 'H100 SXM',
			num_gpus: 8,
			dph_total: 15.92,
			gpu_util: 97,
		},
		'WG-',
	),
	row(
		{
			id: 8_812_051,
			label: label('train-b', ends(1.04)),
			num_gpus: 4,
			dph_total: 1.58,
			gpu_util: 91,
		},
		'WG-',
	),
	row(
		{
			id: 8_812_377,
			label: label('eval-1', 'i1800 td'),
			gpu_name: 'A100 80G',
			dph_total: 0.98,
			gpu_util: 12,
		},
		'WG-',
	),
	row({id: 8_812_402, label: 'scrape', gpu_name: 'RTX 3090', dph_total: 0.21, gpu_util: 0}),
	row(
		{
			id: 8_812_519,
			label: label('train-c', ends(5.77)),
			actual_status: 'loading',
			num_gpus: 4,
			dph_total: 1.66,
			storage_total_cost: 0.02,
		},
		'?--',
		14,
	),
	row(
		{
			id: 8_812_111,
			label: label('infer-3', ends(-0.2)),
			actual_status: 'offline',
			dph_total: 0.39,
			storage_total_cost: 0.02,
		},
		'---',
		9,
	),
	row(
		{id: 8_812_526, label: label('vllm-2', ends(5.98)), actual_status: null, dph_total: 2.1},
		'?--',
		1,
	),
	row({
		id: 8_811_990,
		label: 'old-run',
		actual_status: 'exited',
		intended_status: 'stopped',
		cur_state: 'stopped',
		dph_total: 0.2,
		storage_total_cost: 0.03,
	}),
].toSorted(byTrouble);

/** A run of so many steps, a step each second until now. */
function runLook(count: number, of: number, loss: (step: number) => number): RunReading {
	const lines = Array.from({length: count}, (_, at) => {
		const time = new Date(NOW - (count - at) * 1000).toISOString();
		return `${time} step ${at + 1}/${of} loss ${loss(at).toFixed(3)}`;
	});
	const training = openTrainingLog()(lines, NOW);
	const verdict = judgeTraining({training, now: NOW, since: NOW, use: 90, isRunning: true});
	const rest = {seconds: of - count, dollars: 1};
	return {training, verdict, isAgreed: true, rest, endsEarlyBy: count > 90 ? undefined : 3600};
}

const nothing = {rest: undefined, endsEarlyBy: undefined};

export const seen: OverviewData = {
	fleet: {
		...unseenFleet,
		rows: fleetRows,
		burn: burnOf(fleetRows),
		troubles: troublesOf(fleetRows),
		checkedAt: NOW,
		credit: 412.8,
		spent: {today: 217.7, month: 1418.76, at: NOW},
		events: [
			{at: NOW - MINUTE, id: 8_812_526, label: 'vllm-2', from: undefined, to: 'provisioning'},
			{at: NOW - 4 * MINUTE, id: 8_812_519, label: 'train-c', from: 'loading', to: 'stuck'},
		],
	},
	history: {
		use: new Map(
			fleetRows.map(({instance: {id, gpu_util: use}}) => [
				id,
				Array.from({length: 60}, (_, at) => ({
					at: NOW - (60 - at) * MINUTE,
					value: id === 8_812_377 && at % 20 < 3 ? 85 : (use ?? undefined),
				})),
			]),
		),
		burn: Array.from({length: 700}, (_, at) => ({
			at: NOW - (700 - at) * MINUTE,
			now: at < 300 ? 16.5 : 18.7,
			atMost: at < 300 ? 16.5 : 22,
		})),
		gpus: new Map([
			[
				8_812_045,
				Array.from({length: 20}, (_, at) => ({
					at: NOW - (20 - at) * MINUTE,
					gpus: Array.from({length: 8}, (__, gpu) => ({
						util: gpu === 5 && at > 2 ? 61 : 97,
						heat: gpu === 6 ? 84 : 66,
					})),
				})),
			],
		]),
	},
	runs: new Map([
		[8_812_045, runLook(100, 130, step => 4 - step / 100)],
		[8_812_051, runLook(60, 160, step => 4 - step / 100)],
		[8_812_377, {...runLook(1, 1, () => 1), ...nothing, verdict: 'NO RUN'}],
	]),
	days: {
		first: Math.floor(NOW / 86_400_000) - 13,
		dollars: [1, 2, 1, 4, 3, 1, 9, 12, 0, 3, 60, 400, 330, 217.7],
	},
	watched: [
		{
			watch: {words: '4x4090', below: 1.4},
			state: {...unwatched, cheapest: 1.46, trend: [1.5, 1.6, 1.7, 1.6, 1.5, 1.46]},
		},
		{
			watch: {words: 'h100 sxm', below: 1.7},
			state: {...unwatched, cheapest: 1.629, below: 3, trend: [1.9, 1.8, 1.7, 1.7, 1.65, 1.629]},
		},
		{watch: {words: 'a100', below: 0.8}, state: unwatched},
	],
	now: NOW,
};
