/**
 * Errors of the database itself, of which the statement is not the cause.
 */

/** Error for an unreachable database, which certainly did not run the statement. */
export class DatabaseLost extends Error {
	override readonly name = 'DatabaseLost';
}

/** Error for a connection lost during a commit, whose outcome is unknown. */
export class OutcomeUnknown extends Error {
	override readonly name = 'OutcomeUnknown';
}

const BUSY = 'another program has been writing for too long';

// Primary result codes: https://sqlite.org/rescode.html
const ofSqlite: ReadonlyMap<number, string> = new Map([
	[5, BUSY],
	[6, BUSY],
	[8, 'its disk can only be read'],
	[10, 'its disk cannot be read or written'],
	[11, 'its file is damaged'],
	[13, 'its disk is full'],
	[14, 'its file cannot be opened'],
	[26, 'its file is damaged'],
]);

// Classes of error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
const ofPostgres: ReadonlyArray<readonly [code: string, trouble: string]> = [
	['08', 'it cannot be reached'],
	['25006', 'it can only be read'],
	['28', 'it does not let the market in'],
	['3D000', 'it is not there'],
	['40', BUSY],
	['53100', 'its disk is full'],
	['53', 'it has too much to do'],
	['55P03', BUSY],
	['57', 'it is being stopped or started'],
	['58', 'its disk cannot be read or written'],
];

/** Words for an error of the database; undefined for other errors. */
export function databaseTrouble(error: unknown): string | undefined {
	if (error instanceof DatabaseLost) return 'it cannot be reached';
	if (!(error instanceof Error)) return undefined;
	if ('errcode' in error && typeof error.errcode === 'number') {
		// The lowest byte of an extended code is its primary code.
		return ofSqlite.get(error.errcode & 0xff);
	}
	const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
	// System errors have other codes, and no severity.
	if (!/^[0-9A-Z]{5}$/.test(code) || !('severity' in error)) return undefined;
	return ofPostgres.find(([beginning]) => code.startsWith(beginning))?.[1];
}

/** True for a temporary error whose statement left no trace and can be retried. */
export function isRetryable(error: unknown): boolean {
	if (!(error instanceof Error && 'code' in error)) return false;
	return error.code === '40P01' || error.code === '40001' || isOutdated(error);
}

/**
 * True for a prepared statement of tables that another version of this program has changed.
 */
export function isOutdated(error: unknown): boolean {
	const code = error instanceof Error && 'code' in error && error.code;
	return code === '0A000' && /cached plan/.test(String(error));
}
