/** `rentty market copy` and `rentty market check`: copies a market's database, and checks its sums. */
import {existsSync} from 'node:fs';
import process from 'node:process';
import {UsageError} from '../../renter/text/usage-error.ts';
import {copyDatabase} from '../../market/database/copy.ts';
import {openDatabase, type Database} from '../../market/database/database.ts';
import {isPostgres} from '../../market/database/postgres/address.ts';
import {helpFlag, usageText} from '../base/help-text.ts';
import {readFlags} from '../base/options.ts';
import {checkLedger} from '../../market/sweep/ledger.ts';
import {readDataLocation} from './options.ts';

const copyFlags = {
	from: {
		type: 'string',
		value: 'PLACE',
		about: 'where the market is: a file, or the address of a PostgreSQL database',
	},
	to: {type: 'string', value: 'PLACE', about: 'where it is copied to: there is no market yet'},
	...helpFlag,
} as const;

const copyUsage = usageText(
	`Usage: rentty market copy --from PLACE --to PLACE

Copies all of a market, as it is at one moment, and compares both row by row. No process should
work with the market meanwhile: what is written after that moment is not copied.`,
	copyFlags,
);

/** @throws UsageError if there is no market: no database is created */
async function openKept(location: string): Promise<Database> {
	if (isPostgres(location) || existsSync(location)) return openDatabase(location);
	throw new UsageError(`There is no market at ${location}.`);
}

export async function copyMarket(argv: readonly string[]): Promise<number> {
	const values = readFlags(argv, copyFlags, 'rentty market copy');
	if (values.help === true) {
		process.stdout.write(copyUsage);
		return 0;
	}
	const {from = '', to = ''} = values;
	if (from === '' || to === '') {
		throw new UsageError('rentty market copy needs --from and --to, each a file or an address.');
	}
	if (from === to) throw new UsageError('--from and --to are the same place.');
	const source = await openKept(from);
	try {
		const target = await openDatabase(to);
		try {
			for (const {table, rows, micros} of await copyDatabase(source, target)) {
				process.stdout.write(`${table}: ${rows} rows, ${micros} micro-dollars\n`);
			}
			process.stdout.write('Both are the same.\n');
		} finally {
			await target.destroy();
		}
	} finally {
		await source.destroy();
	}
	return 0;
}

const checkFlags = {
	data: {type: 'string', value: 'FILE', about: "the market's database"},
	database: {type: 'string', value: 'ADDRESS', about: 'the same on PostgreSQL'},
	...helpFlag,
} as const;

const checkUsage = usageText(
	`Usage: rentty market check (--data FILE | --database ADDRESS)

Reads every posting and every entry of the ledger, and says which balance is not the sum of what
moved it, and which entry does not come to nothing. The exit code is 1 where there is any. A market
that runs checks what came since its last check, and may go on meanwhile.`,
	checkFlags,
);

export async function checkMarket(argv: readonly string[]): Promise<number> {
	const values = readFlags(argv, checkFlags, 'rentty market check');
	if (values.help === true) {
		process.stdout.write(checkUsage);
		return 0;
	}
	const database = await openKept(readDataLocation(values, 'rentty market check'));
	try {
		const faults = await checkLedger(database);
		for (const {what, micros} of faults) {
			process.stdout.write(`${what}: wrong by ${micros} micro-dollars\n`);
		}
		if (faults.length === 0) process.stdout.write('Every balance is the sum of what moved it.\n');
		return faults.length === 0 ? 0 : 1;
	} finally {
		await database.destroy();
	}
}
