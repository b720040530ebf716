/**
 * Rate-limit buckets shared by all processes of a market, in an unlogged table, so that no call
 * waits for a disk. A crash of the database refills the buckets.
 */
import {sql} from 'kysely';
import type {Database} from '../database.ts';

type Size = {readonly secondsPerCall: number; readonly burst: number};

/** Tolerance for sums of fractions of seconds. */
const ROUNDING = 1e-6;

type Row = {readonly calls: number; readonly at: number; readonly wait: number};

/**
 * Takes a call out of a bucket in one statement, which locks the bucket. The statement begins with
 * `with`, so that it counts as a read, and other processes are not notified.
 */
export async function takeShared(
	database: Database,
	name: string,
	{secondsPerCall, burst}: Size,
	now: number,
) {
	const filled = sql<number>`least(${burst}, known.calls + greatest(0, ${now} - known.at) / ${secondsPerCall})`;
	const {rows} = await sql<Row>`
		with taken as (
			insert into paces as known (name, calls, at, wait) values (${name}, ${burst} - 1, ${now}, 0)
			on conflict (name) do update set (calls, wait, at) = (
				select
					case when filled < ${1 - ROUNDING} then filled else greatest(0, filled - 1) end,
					case when filled < ${1 - ROUNDING} then (1 - filled) * ${secondsPerCall} else 0 end,
					greatest(known.at, ${now})
				from (select ${filled} as filled) as present
			)
			returning calls, at, wait
		)
		select calls, at, wait from taken`.execute(database);
	const {calls, at, wait} = rows[0] ?? {calls: 0, at: now, wait: secondsPerCall};
	return {bucket: {calls, at}, waitSeconds: wait};
}

/** Time after which an unused bucket is full, whatever its size. */
const KEPT_SECONDS = 3600;

/** Deletes buckets that are full again. */
export async function forgetPaces(database: Database, now: number): Promise<void> {
	await sql`delete from paces where at < ${now - KEPT_SECONDS}`.execute(database);
}
