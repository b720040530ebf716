/** Ways in which existing services say that they do not accept a key. */
export const keyRefusals: ReadonlyArray<
	readonly [status: number, code: string | undefined, says: string | undefined]
> = [
	[401, 'auth_error', 'Invalid user key'],
	[401, undefined, undefined],
	[403, 'auth_error', 'This action requires login.'],
	[403, 'auth_error', undefined],
	[404, 'auth_error', 'Invalid user key'],
	[404, 'not_found', 'Invalid user key'],
	[404, undefined, 'error 404/12: Invalid user key.'],
	[403, undefined, 'Your session has expired, log in again'],
	[403, 'invalid_request', 'Session expired'],
];
