/** Checks of a database file before it is opened for writing. */
import {Buffer} from 'node:buffer';
import {access, constants, mkdir, open, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {fileTrouble, readingTrouble, messageOf} from '../../contract/rules/thrown.ts';
import {databaseTrouble} from './database-trouble.ts';
import {BASELINE, VERSION} from './migrations/index.ts';
import {peekPragma} from './sqlite-dialect.ts';

/** "RNTY", in the four bytes that SQLite reserves for an application's id. */
export const APPLICATION_ID = 0x52_4e_54_59;

/** Error for a database of another program, or of another version. */
export class DatabaseRefused extends Error {
	override readonly name = 'DatabaseRefused';
}

// Offsets in SQLite's file format: https://sqlite.org/fileformat.html
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/**
 * Checks that a file may be opened for writing. A missing file is made; another must be ours and of a
 * known version. The check reads bytes, for opening a database even read-only can leave files beside
 * it.
 */
export async function claimFile(file: string): Promise<void> {
	const header = await readHeader(file);
	if (header === undefined) return createFile(file);
	await checkWritable(file);
	if (header.length === 0) return;
	if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
		throw new DatabaseRefused(`${file} is not a database`);
	}
	if (header.readInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) {
		throw new DatabaseRefused(`${file} is a database of another program`);
	}
	refuseOthers(file, header.readInt32BE(USER_VERSION_AT));
	// A killed process leaves its last writes in a log beside the file.
	if (await isFilled(`${file}-wal`)) refuseOthers(file, peekPragma(file, 'user_version'));
}

/** Refuses a database of a newer version, or from before the first release. */
export function refuseOthers(file: string, found: number): void {
	const version = `database version ${found}, known from ${BASELINE} to ${VERSION}`;
	if (found > VERSION) {
		throw new DatabaseRefused(`${file} was made by a newer version of this program (${version})`);
	}
	if (found > 0 && found < BASELINE) {
		throw new DatabaseRefused(
			`${file} was made before the first release (${version}): open it once with version 0.1.0`,
		);
	}
}

async function readHeader(file: string): Promise<Buffer | undefined> {
	try {
		await using handle = await open(file, 'r');
		const {buffer, bytesRead} = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
		return buffer.subarray(0, bytesRead);
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw unreadable(file, readingTrouble(error), error);
	}
}

/** Checks the file and its folder, for SQLite makes files beside its own. */
async function checkWritable(file: string): Promise<void> {
	try {
		await access(file, constants.W_OK);
		await access(dirname(file), constants.W_OK | constants.X_OK);
	} catch (error) {
		throw unreadable(file, fileTrouble(error), error);
	}
}

/** Makes a file for its owner alone, because it holds secrets and a history of rentals. */
async function createFile(file: string): Promise<void> {
	try {
		await mkdir(dirname(file), {recursive: true, mode: 0o700});
		await (await open(file, 'a', 0o600)).close();
	} catch (error) {
		throw unreadable(file, fileTrouble(error), error);
	}
}

async function isFilled(file: string): Promise<boolean> {
	try {
		return (await stat(file)).size > 0;
	} catch (error) {
		if (isMissing(error)) return false;
		throw unreadable(file, fileTrouble(error), error);
	}
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Error for a file that may be ours, but cannot be opened. */
export function unreadable(file: string, reason: string, cause: unknown): DatabaseRefused {
	return new DatabaseRefused(`${file} cannot be opened: ${reason}`, {cause});
}

/** Error for a file that SQLite cannot open, with SQLite's reason. */
export function unopened(file: string, cause: unknown): DatabaseRefused {
	return unreadable(file, databaseTrouble(cause) ?? messageOf(cause), cause);
}
