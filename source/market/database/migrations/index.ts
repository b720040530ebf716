import type {Kysely} from 'kysely';
import type {Tables} from '../schema.ts';
import {createTables} from './baseline/index.ts';
import {migrations} from './steps.ts';

type Migration = (database: Kysely<Tables>) => Promise<void>;

/** Version of a database with the baseline's tables, the oldest known one. */
export const BASELINE = 32;

/** Steps to the tables of this program, each with its resulting version. */
export const steps: ReadonlyArray<{readonly to: number; readonly take: Migration}> = [
	{to: BASELINE, take: createTables},
	...migrations.map((take, index) => ({to: BASELINE + 1 + index, take})),
];

/** Version of the tables that this program reads and writes. */
export const VERSION = BASELINE + migrations.length;
