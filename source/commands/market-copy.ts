/** `rentty market copy`: a market's database goes to another place, or to another kind of database. */
import {existsSync} from 'node:fs';
import process from 'node:process';
import {UsageError} from '../renter/text/usage-error.ts';
import {copyDatabase} from '../market/database/copy.ts';
import {openDatabase, type Database} from '../market/database/database.ts';
import {isPostgres} from '../market/database/postgres/address.ts';
import {readFlags} from './options.ts';

const copyUsage = `Usage: rentty market copy --from PLACE --to PLACE

Copies all of a market, as it is at one moment, and compares both row by row. A place is a file,
or the address of a PostgreSQL. Where it is copied to, there is no market yet. No process should
work with the market meanwhile: what is written after that moment is not copied.
`;

const flags = {
	from: {type: 'string'},
	to: {type: 'string'},
	help: {type: 'boolean', short: 'h'},
} as const;

/** @throws UsageError where there is no market: nothing is made */
export async function openKept(place: string): Promise<Database> {
	if (isPostgres(place) || existsSync(place)) return openDatabase(place);
	throw new UsageError(`There is no market at ${place}.`);
}

export async function copyMarket(argv: readonly string[]): Promise<number> {
	const values = readFlags(argv, flags, 'rentty market copy');
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
