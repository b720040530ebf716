import type {Kysely} from 'kysely';
import type {Tables} from '../schema.ts';
import {createTables} from './baseline/index.ts';
import {proveEmails} from './0035-proven-emails.ts';
import {keepUnpaidUse} from './0037-unpaid-use.ts';
import {keepProvenOrders} from './0038-proven-orders.ts';
import {indexBounds} from './0039-bounds.ts';

type Migration = (database: Kysely<Tables>) => Promise<void>;

/** Version of a database with the baseline's tables, the oldest known one. */
export const BASELINE = 32;

/** What came after, in order. What has been released is never changed. */
const migrations: readonly Migration[] = [
	proveEmails,
	keepUnpaidUse,
	keepProvenOrders,
	indexBounds,
];

/** Steps to the tables of this program, each with the version that a database has after it. */
export const steps: ReadonlyArray<{readonly to: number; readonly take: Migration}> = [
	{to: BASELINE, take: createTables},
	...migrations.map((take, index) => ({to: BASELINE + 1 + index, take})),
];

/** Version of the tables that this program reads and writes. */
export const VERSION = BASELINE + migrations.length;
