/** `rentty market check`: all sums of a market's ledger are made anew. */
import process from 'node:process';
import {checkLedger} from '../market/sweep/ledger.ts';
import {openKept} from './market-copy.ts';
import {readPlace} from './market-options.ts';
import {readFlags} from './options.ts';

const checkUsage = `Usage: rentty market check (--data FILE | --database ADDRESS)

Reads every posting and every entry of the ledger, and says which balance is not the sum of what
moved it, and which entry does not come to nothing. The exit code is 1 where there is any. A market
that runs looks at what came since it looked last, and may go on meanwhile.
`;

const flags = {
	data: {type: 'string'},
	database: {type: 'string'},
	help: {type: 'boolean', short: 'h'},
} as const;

export async function checkMarket(argv: readonly string[]): Promise<number> {
	const values = readFlags(argv, flags, 'rentty market check');
	if (values.help === true) {
		process.stdout.write(checkUsage);
		return 0;
	}
	const database = await openKept(readPlace(values, 'rentty market check'));
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
