/** Enforcers of a lease, as the screens ask for them and write them. */
import {useState} from 'react';
import type {FleetRow} from '../../../renter/fleet/fleet-state.ts';
import {timeOfDay} from '../../../renter/format.ts';
import type {Enforcer} from '../../../renter/leases/enforcers.ts';
import {usePoll} from '../../queries/use-poll.ts';
import {useRenting, useTime} from '../../services.tsx';
import {reasonOf} from './reason.ts';

export type Heard =
	| {readonly enforcers: readonly Enforcer[]; readonly at: Date}
	/** Why they could not be asked. */
	| {readonly problem: string};

/** Asking them enters the instance: seldom is enough. */
const EVERY_MS = 60_000;

/** Asks who enforces the lease of an instance, for as long as that is shown; undefined until they answer. */
export function useEnforcers(row: FleetRow | undefined, isShown = true): Heard | undefined {
	const {leases} = useRenting();
	const {now} = useTime();
	const [heard, setHeard] = useState<{readonly about: string; readonly heard: Heard}>();
	const {instance} = row ?? {};
	const about = instance === undefined ? '' : `${instance.id} ${instance.label ?? ''}`;
	const ask = async () => {
		if (instance === undefined) return;
		const told = await leases.enforcers(instance).then(
			(enforcers): Heard => ({enforcers, at: now()}),
			(error: unknown): Heard => ({problem: reasonOf(error)}),
		);
		setHeard({about, heard: told});
	};
	usePoll(ask, {everyMs: EVERY_MS, isPaused: !isShown || instance === undefined, about});
	return heard?.about === about ? heard.heard : undefined;
}

/** From this width on there is a line for each; with less, what it cannot do stands below it. */
const ONE_LINE = 100;

/** A line or two for each of them. */
export function enforcerLines(heard: Heard | undefined, width: number): readonly string[] {
	if (heard === undefined) return ['Asking who sees to it.'];
	if ('problem' in heard) return [`Who sees to it is not known: ${heard.problem}`];
	return heard.enforcers.flatMap(({cannot, ...one}) => {
		const first = confirmation(one);
		return width >= ONE_LINE ? [`${first}; ${cannot}`] : [first, `          ${cannot}`];
	});
}

/** "watchdog  not confirmed, nothing heard from inside" */
export function confirmation({who, isConfirmed, says}: Omit<Enforcer, 'cannot'>): string {
	return `${who.padEnd(9)} ${isConfirmed ? 'confirmed' : 'not confirmed'}, ${says}`;
}

/** Time of the enforcers' answers, and the keys that change the lease. */
export function heardNote(heard: Heard | undefined): string {
	const at = heard !== undefined && 'at' in heard ? `As of ${timeOfDay(heard.at)}. ` : '';
	return `${at}L changes it, + puts a deadline off by an hour, K keeps it.`;
}
