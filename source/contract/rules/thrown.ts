/** Thrown values: their messages, and reasons why a file could not be read or written. */

/** The message of an error, or the text of anything else that was thrown. */
export function messageOf(thrown: unknown): string {
	if (!(thrown instanceof Error)) return String(thrown);
	return isOwnPartGone(thrown) ? OWN_PART_GONE : thrown.message;
}

const OWN_PART_GONE =
	'rentty was replaced or removed on this disk while it runs, and a part of it is gone: quit, and start it again';

/** An upgrade takes files away that a program which runs has yet to load. Packages have no address. */
function isOwnPartGone(error: Error): boolean {
	return codeOf(error) === 'ERR_MODULE_NOT_FOUND' && 'url' in error;
}

/** The code of a system error, such as ENOENT; undefined without one. */
export function codeOf(thrown: unknown): string | undefined {
	return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

/** The HTTP status of a service's error; undefined without a reply. */
export function statusOf(thrown: unknown): number | undefined {
	const hasStatus = thrown instanceof Error && 'status' in thrown;
	return hasStatus && typeof thrown.status === 'number' ? thrown.status : undefined;
}

/** An error, even if another value was thrown. */
export function errorOf(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown), {cause: thrown});
}

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
	ELOOP: 'links lead in a circle there',
};

const folderReasons: Readonly<Record<string, string>> = {
	// A file with the folder's name exists, too.
	EEXIST: 'a part of that path is a file and no folder',
	// The parent folder is missing and cannot be created.
	ENOENT: 'nothing can be written there',
};

const readingReasons: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file',
	EACCES: 'you may not read it',
	EPERM: 'you may not read it',
};

/** Words for a system error, without a full stop; the error's own message if it is unknown. */
export function fileTrouble(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = codeOf(error) ?? '';
	const isFolder = 'syscall' in error && error.syscall === 'mkdir';
	const known = (isFolder ? folderReasons[code] : undefined) ?? reasons[code];
	return known ?? (error.cause === undefined ? error.message : fileTrouble(error.cause));
}

export function readingTrouble(error: unknown): string {
	return readingReasons[codeOf(error) ?? ''] ?? fileTrouble(error);
}

/** Reasons for a file that cannot be accessed, whether for reading or writing. */
const eitherReasons: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such file or folder',
	EACCES: 'you may not use it',
	EPERM: 'you may not use it',
};

/** The text of an error for logs, in words if the system has only a code. */
export function sentenceOf(thrown: unknown): string {
	return fileSentence(thrown) ?? messageOf(thrown);
}

/**
 * A sentence, without its full stop, for a system error about a file; undefined for any other
 * error.
 */
function fileSentence(error: unknown): string | undefined {
	if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return undefined;
	const action = String(error.syscall);
	if (/^(?:spawn|connect|listen|bind)/.test(action)) return undefined;
	const file = 'dest' in error ? error.dest : error.path;
	if (action === 'mkdir') return `${String(file)} cannot be made (${fileTrouble(error)})`;
	const why = eitherReasons[codeOf(error) ?? ''] ?? fileTrouble(error);
	return `${String(file)} cannot be used (${why})`;
}
