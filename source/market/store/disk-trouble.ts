/** What keeps a database from being read or written, where the fault is not in what was asked of it. */

// Primary result codes: https://sqlite.org/rescode.html
const troubles: ReadonlyMap<number, string> = new Map([
	[5, 'another program has been writing for too long'],
	[6, 'another program has been writing for too long'],
	[8, 'its disk can only be read'],
	[10, 'its disk cannot be read or written'],
	[13, 'its disk is full'],
	[14, 'its file cannot be opened'],
]);

/** Undefined for errors of any other kind. */
export function diskTrouble(error: unknown): string | undefined {
	if (!(error instanceof Error && 'errcode' in error)) return undefined;
	// Extended codes say more in their higher bytes.
	return typeof error.errcode === 'number' ? troubles.get(error.errcode & 0xff) : undefined;
}
