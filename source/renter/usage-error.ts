/** A command line, or an environment, that cannot be followed: one sentence that says why. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
}
