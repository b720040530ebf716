/** Calls that nobody can make about the records of these worlds, and why. */
export const unreached: ReadonlySet<string> = new Set([
	// A ticket ends after minutes, and is made with a heartbeat.
	'relays.agent',
	// No market does it.
	'unsupported.startCloudCopy',
	'unsupported.cancelCloudCopy',
]);
