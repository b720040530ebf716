import {vi} from 'vitest';

/** Waits until a check no longer throws, however busy the machine is. */
export async function waitFor<Found>(check: () => Found | Promise<Found>): Promise<Found> {
	return vi.waitFor(check, {timeout: 50_000, interval: 10});
}
