/** Refusals of an order that another offer may not get. */

export type OrderRefusal = {
	readonly status: number | undefined;
	readonly code: string | undefined;
	readonly serverSays: string | undefined;
	readonly isKeyRefused: boolean;
};

/** Whether a refusal says that the offer is not to be had: then another one may be. */
export function isTaken({status, code, serverSays, isKeyRefused}: OrderRefusal): boolean {
	if (isKeyRefused) return false;
	const says = `${code ?? ''} ${serverSays ?? ''}`;
	if (says.includes('template')) return false;
	return status === 404 || status === 410 || says.includes('no_such_ask');
}
