import {expect, test} from 'vitest';
import type {Database} from '../../source/market/database/database.ts';
import {
	changesBetween,
	changingOperations,
	makeCall,
	wholeCall,
	world,
} from '../helpers/rights/changing.ts';
import {databaseWith, rowsOf} from '../helpers/rights/copy.ts';
import type {Operation} from '../helpers/rights/records.ts';
import type {pairs} from '../helpers/rights/world.ts';

/** The same database, which fails at one of its statements, and counts them. */
function failingAt(database: Database, statement: number) {
	let count = 0;
	const failing = database.withPlugin({
		transformQuery: ({node}) => node,
		async transformResult({result}) {
			count += 1;
			if (count === statement) throw new Error('cut off');
			return result;
		},
	});
	return {failing, statements: () => count};
}

/** Makes the call, of which one statement fails; 0 is none of them. */
async function callAt(
	database: Database,
	operation: Operation,
	pair: (typeof pairs)[number],
	statement: number,
) {
	const {failing, statements} = failingAt(database, statement);
	const {status, posts} = await makeCall(failing, operation, pair);
	return {status, statements: statements(), posts};
}

test.each(changingOperations)(
	'of $name all is written or nothing, whichever statement fails',
	async operation => {
		const {content} = await world;
		let database = await databaseWith(content);
		try {
			const before = await rowsOf(database);
			const whole = await wholeCall(operation, database, async pair =>
				callAt(database, operation, pair, 0),
			);
			let isWhole = true;
			for (let at = 1; at <= whole.statements; at++) {
				if (isWhole) {
					await database.destroy();
					database = await databaseWith(content);
				}
				const {status, posts} = await callAt(database, operation, whole.pair, at);
				const changes = [...posts, ...changesBetween(before, await rowsOf(database))];
				isWhole = changes.length > 0;
				if (isWhole) expect([at, changes]).toEqual([at, whole.changes]);
				else expect([at, status]).toEqual([at, 500]);
			}
		} finally {
			await database.destroy();
		}
	},
);
