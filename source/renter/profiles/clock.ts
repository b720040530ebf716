/** Difference between this machine's clock and a service's. */

/**
 * Seconds that this machine is ahead; undefined where the service does not say its time. It comes with
 * every answer, also where the service refuses.
 */
export async function secondsAhead(
	url: string,
	now: () => number,
	signal: AbortSignal,
): Promise<number | undefined> {
	const {headers} = await fetch(url, {method: 'HEAD', redirect: 'manual', signal});
	const theirs = Date.parse(headers.get('date') ?? '');
	return Number.isNaN(theirs) ? undefined : Math.round((now() - theirs) / 1000);
}

/** "61 s behind that of the service"; services say whole seconds, so that one is nothing. */
export function clockWords(ahead: number): string {
	if (Math.abs(ahead) <= 1) return 'agrees with that of the service';
	return `${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of the service`;
}
