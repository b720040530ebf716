/** Refusals of an order for which another offer is worth trying. */

export type OrderRefusal = {
	readonly status: number | undefined;
	readonly code: string | undefined;
	readonly serverSays: string | undefined;
	readonly isKeyRefused: boolean;
};

/** True for a refusal that says that the offer cannot be rented any more: another one may be. */
export function isTaken({status, code, serverSays, isKeyRefused}: OrderRefusal): boolean {
	if (isKeyRefused) return false;
	const says = `${code ?? ''} ${serverSays ?? ''}`;
	if (says.includes('template')) return false;
	return status === 404 || status === 410 || says.includes('no_such_ask');
}
