/** Reasons why a file cannot be written or read, by system error code. */
import {codeOf} from './thrown.ts';

const reasons: Readonly<Record<string, string>> = {
	EEXIST: 'there is something of that name already, and it is left as it is',
	ENOENT: 'there is no such folder',
	ENOTDIR: 'a part of that path is a file and no folder',
	EISDIR: 'that is a folder',
	EACCES: 'you may not write there',
	EPERM: 'you may not write there',
	EROFS: 'nothing can be written there',
	ENOSPC: 'the disk is full',
	EDQUOT: 'the disk is full',
	EBUSY: 'another program is at it',
	EMFILE: 'too many files are open',
	ENFILE: 'too many files are open',
	EIO: 'the disk is broken',
	ENAMETOOLONG: 'the name is too long',
};

/** The same where a folder with all above it is to be made. */
const folderReasons: Readonly<Record<string, string>> = {
	// A file where a folder is to be is in the way as well.
	EEXIST: 'a part of that path is a file and no folder',
	// What cannot be made above it is missing.
	ENOENT: 'nothing can be written there',
};

/** The same where a file is to be read. */
const readingReasons: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file',
	EACCES: 'you may not read it',
	EPERM: 'you may not read it',
};

/** Words for what the system says, without a full stop; what it says by itself where there are none. */
export function fileTrouble(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = codeOf(error) ?? '';
	const isFolder = 'syscall' in error && error.syscall === 'mkdir';
	const known = (isFolder ? folderReasons[code] : undefined) ?? reasons[code];
	return known ?? (error.cause === undefined ? error.message : fileTrouble(error.cause));
}

/** The same for a file that cannot be read. */
export function readingTrouble(error: unknown): string {
	return readingReasons[codeOf(error) ?? ''] ?? fileTrouble(error);
}
