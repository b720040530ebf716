/** Instances as JSON: only what passes with time is written anew each time. */
import type {ShownRow} from './columns-rules.ts';
import {instanceRecord, timesOf, type InstanceView} from './record-rules.ts';

/** An instance as JSON, but for what lies between its two halves. */
export type InstanceText = Pick<ShownRow, 'end_date' | 'running_since'> & {
	readonly head: string;
	readonly tail: string;
};

/** Writes what stays the same for as long as nothing happens to the instance, its offer, its lease or its volumes. */
export function instanceText(row: ShownRow, beside: Omit<InstanceView, 'now'>): InstanceText {
	const {end_date, running_since} = row;
	const fields = Object.entries(instanceRecord(row, {now: 0, ...beside}));
	const passing = Object.keys(timesOf(row, 0));
	const first = fields.findIndex(([name]) => name === passing[0]);
	const part = (some: typeof fields) => JSON.stringify(Object.fromEntries(some));
	return {
		end_date,
		running_since,
		head: `${part(fields.slice(0, first)).slice(0, -1)},`,
		tail: `,${part(fields.slice(first + passing.length)).slice(1)}`,
	};
}

/** The whole of it at a moment. */
export function writeInstance({head, tail, ...row}: InstanceText, now: number): string {
	const {duration, uptime_mins: uptime} = timesOf(row, now);
	return `${head}"duration":${duration},"uptime_mins":${uptime}${tail}`;
}
