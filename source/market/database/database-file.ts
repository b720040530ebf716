/** Checks of a database file before it is opened for writing. */
import {Buffer} from 'node:buffer';
import {access, constants, mkdir, open, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {fileTrouble, readingTrouble, messageOf} from '../../contract/rules/thrown.ts';
import {databaseTrouble} from './database-trouble.ts';
import {BASELINE, VERSION} from './migrations/index.ts';
import {peekPragma} from './sqlite-dialect.ts';

/** "RNTY": SQLite keeps four bytes in a file for saying whose it is. */
export const APPLICATION_ID = 0x52_4e_54_59;

/** A file that is not a database of this program, or not one of this version. */
export class DatabaseRefused extends Error {
	override readonly name = 'DatabaseRefused';
}

// Where SQLite's file format keeps what is looked for: https://sqlite.org/fileformat.html
const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/**
 * Makes sure that a file may be opened for writing: it is made where there is none, and otherwise
 * must be ours and of a version that is known. It is read as bytes, because opening a database,
 * even for reading only, can leave files beside it.
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
	// A process that was killed leaves its last writes in a log beside the file.
	if (await isFilled(`${file}-wal`)) refuseOthers(file, peekPragma(file, 'user_version'));
}

/** Refuses tables that this program does not know: newer ones, and those of before the first release. */
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

/** SQLite makes files beside its own. */
async function checkWritable(file: string): Promise<void> {
	try {
		await access(file, constants.W_OK);
		await access(dirname(file), constants.W_OK | constants.X_OK);
	} catch (error) {
		throw unreadable(file, fileTrouble(error), error);
	}
}

/** Others may not read it: it says what was rented, and when. */
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

/** For a file that could be ours, but that the system or SQLite cannot open. */
export function unreadable(file: string, reason: string, cause: unknown): DatabaseRefused {
	return new DatabaseRefused(`${file} cannot be opened: ${reason}`, {cause});
}

/** The same where the database says why. */
export function unopened(file: string, cause: unknown): DatabaseRefused {
	return unreadable(file, databaseTrouble(cause) ?? messageOf(cause), cause);
}
