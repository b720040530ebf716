/** Values that were thrown: what they say of themselves, whatever they are. */

/** The message of an error, or the text of anything else that was thrown. */
export function messageOf(thrown: unknown): string {
	return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code of an error of the system, such as ENOENT; undefined where there is none. */
export function codeOf(thrown: unknown): string | undefined {
	return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

/** The HTTP status of an error of a service; undefined where no service answered. */
export function statusOf(thrown: unknown): number | undefined {
	const hasStatus = thrown instanceof Error && 'status' in thrown;
	return hasStatus && typeof thrown.status === 'number' ? thrown.status : undefined;
}

/** An error, also where something else was thrown. */
export function errorOf(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown), {cause: thrown});
}
