/** Refusals of orders by the limits of an offer, an account or a cap. */
import {countryOf} from '../../contract/grammar/filter-match.ts';
import type {Capped} from '../base/api-key.ts';
import {Refusal} from '../base/refusal.ts';
import type {AskRow} from '../lifecycle/asks-store.ts';
import type {Plan} from './order-rules.ts';

/** Refuses an order of a key with a cap whose excess no sum of its instances would show. */
export function refuseOutsideCap(
	{capped, plan}: {readonly capped: Capped | undefined; readonly plan: Plan},
	{geolocation}: AskRow,
): void {
	if (capped === undefined) return;
	if (plan.volume !== undefined) {
		throw new Refusal('beyondCap', 'A key with a cap rents without volumes.');
	}
	const {regions} = capped.cap;
	const country = geolocation === null ? null : countryOf(geolocation)?.toUpperCase();
	if (regions === undefined || (country != null && regions.includes(country))) return;
	const where = country ?? 'an unknown country';
	throw new Refusal(
		'beyondCap',
		`The cap of this key is for ${regions.join(', ')}, and this machine is in ${where}.`,
	);
}

export function refuseUnfit(plan: Plan, {disk_space, vms_enabled}: AskRow): void {
	if (disk_space !== null && plan.diskGb > disk_space) {
		throw new Refusal(
			'badArguments',
			`disk must be at most ${disk_space} (GB), which is what this offer has`,
		);
	}
	if (plan.vm && vms_enabled !== 1) throw new Refusal('badArguments', 'this offer runs no VMs');
}

/** True for the refusal of an offer that was taken or withdrawn. */
export function isTaken(error: unknown): boolean {
	return error instanceof Refusal && (error.reason === 'noSuchAsk' || error.reason === 'askGone');
}

export function notAvailable(askId: number): Refusal {
	return new Refusal('noSuchAsk', `no_such_ask Instance type by id ${askId} is not available.`);
}

export function gone(askId: number): Refusal {
	return new Refusal('askGone', `no_such_ask Instance type ${askId} is no longer available.`);
}
