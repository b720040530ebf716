/** Instances with what they really cost, by hand: no record says all of it. */
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {TEST_NOW} from '../market/market.ts';

const HOUR = 3600;

/** $2.50 an hour for the GPUs, and $0.10 for the disk. */
const base = {
	gpu_name: 'RTX 4090',
	num_gpus: 1,
	image_uuid: 'a/b',
	dph_base: 2.5,
	dph_total: 2.6,
	storage_total_cost: 0.1,
};

const running = {
	actual_status: 'running',
	intended_status: 'running',
	cur_state: 'running',
	next_state: 'running',
};
const stopped = {
	actual_status: 'exited',
	intended_status: 'stopped',
	cur_state: 'stopped',
	next_state: 'stopped',
};
const loading = {...running, actual_status: 'loading'};
const created = {...running, actual_status: null};

type Row = readonly [about: string, hours: number, ran: number, record: Omit<Instance, 'id'>];

/** Hours since each was made, hours in which it ran, and what its record says. */
const rows: readonly Row[] = [
	['running since it was made, and says so', 10, 10, {...running, uptime_mins: 600}],
	['running since it was made, and does not say so', 10, 10, {...running, uptime_mins: null}],
	['rebooted half an hour ago', 10, 10, {...running, uptime_mins: 30}],
	['started half an hour ago, after nine hours stopped', 10, 1, {...running, uptime_mins: 30}],
	['started half an hour ago for the first time', 10, 0.5, {...running, uptime_mins: 30}],
	['ran all but an hour, without an uptime', 10, 9, {...running, uptime_mins: null}],
	['ran an hour in all, without an uptime', 10, 1, {...running, uptime_mins: null}],
	['made a minute ago', 1 / 60, 0, {...created, uptime_mins: null}],
	['loading for an hour', 1, 0, {...loading, uptime_mins: null}],
	['loading again after it ran', 10, 8, {...loading, uptime_mins: null}],
	['loading, and charged for it', 1, 1, {...loading, uptime_mins: null}],
	['stopped after it ran until a minute ago', 10, 9.9, {...stopped, uptime_mins: null}],
	['stopped after an hour', 240, 1, {...stopped, uptime_mins: null}],
	['stopped, with an uptime that goes on', 240, 1, {...stopped, uptime_mins: 14_400}],
	['stopped and never run', 24, 0, {...stopped, uptime_mins: null}],
	['exited by itself', 5, 2, {...running, actual_status: 'exited', uptime_mins: null}],
	['in a state that nobody knows', 5, 2, {...running, actual_status: 'frozen', uptime_mins: null}],
	['offline, after a day', 30, 24, {...running, actual_status: 'offline', uptime_mins: 1440}],
	['older than a year', 9000, 8000, {...running, uptime_mins: 480_000}],
	['uptime a little more than its age', 1, 1, {...running, uptime_mins: 60.1}],
	['uptime of many times its age', 1, 1, {...running, uptime_mins: 6000}],
	['uptime less than nothing', 3, 2, {...running, uptime_mins: -5}],
	['price of the disk not sent', 10, 10, {...running, uptime_mins: 30, storage_total_cost: null}],
	['price of the GPUs not sent', 10, 10, {...running, uptime_mins: 30, dph_base: null}],
	['price in all not sent', 10, 10, {...running, uptime_mins: 30, dph_total: null}],
	['only one price sent', 10, 10, {...running, uptime_mins: 30, dph_base: null, dph_total: null}],
	[
		'no price sent',
		10,
		10,
		{...running, dph_base: null, dph_total: null, storage_total_cost: null},
	],
	['its making not said', 10, 10, {...running, uptime_mins: 300, start_date: null}],
	['made in the future', 2, 2, {...running, uptime_mins: 60, start_date: TEST_NOW + 9 * HOUR}],
	['nothing said but that it is there', 4, 3, {start_date: null}],
];

export const costlyInstances = rows.map(([about, hours, ran, said], index) => {
	const instance: Instance = {
		...base,
		id: index + 1,
		label: `row-${index + 1}`,
		start_date: TEST_NOW - hours * HOUR,
		...said,
	};
	return {about, instance, cost: hours * base.storage_total_cost + ran * base.dph_base};
});
