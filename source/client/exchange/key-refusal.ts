/** Refusals of the API key itself: services say them with 401, and some with 403 or 404. */

type Said = {
	readonly status: number;
	readonly code: string | undefined;
	readonly serverSays: string | undefined;
};

/** Statuses that mean something else as well. */
const ambiguous: ReadonlySet<number> = new Set([403, 404]);

const sentences = /\binvalid (?:user|api) key\b|\bsession (?:has |is )?expired\b/i;

export function refusesKey({status, code, serverSays}: Said): boolean {
	if (!ambiguous.has(status)) return status === 401;
	return code === 'auth_error' || sentences.test(serverSays ?? '');
}

/** True for the error of a call whose key the service does not accept, whatever its status. */
export function isKeyRefused(error: unknown): boolean {
	return error instanceof Error && 'isKeyRefused' in error && error.isKeyRefused === true;
}
