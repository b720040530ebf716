/** What instances do, as sentences to be read out: one for each change. */
import type {FleetRow, FleetState} from '../../renter/fleet/fleet-state.ts';
import {countedFrom} from '../../renter/fleet/condition.ts';
import {duration, hourly, sentence} from '../../renter/format.ts';
import {nameOf, stateWord} from '../instance-facts.ts';

/** How things are when one begins to listen. */
function fleetSentence({rows, burn}: FleetState): string {
	if (rows.length === 0) return 'Nothing is rented, and nothing is charged.';
	const most = burn.atMost === burn.now ? '' : `, at most ${hourly(burn.atMost)}`;
	const unknown = burn.unpriced === 0 ? '' : `, and ${burn.unpriced} of unknown price`;
	const count = rows.length === 1 ? '1 instance is' : `${rows.length} instances are`;
	return `${count} rented, for ${hourly(burn.now)} an hour${most}${unknown}.`;
}

/** One sentence for each instance whose state is another one than before. */
export function changesBetween(before: FleetState, after: FleetState): readonly string[] {
	if (after.checkedAt === undefined) return [];
	if (before.checkedAt === undefined) return [fleetSentence(after)];
	const known = new Map(before.rows.map(row => [row.instance.id, row]));
	const changed = after.rows.flatMap(row => {
		const old = known.get(row.instance.id);
		known.delete(row.instance.id);
		return old?.condition === row.condition ? [] : [stateSentence(row)];
	});
	const gone = [...known.values()].filter(({condition}) => condition !== 'gone');
	return [...changed, ...gone.map(goneSentence)];
}

/** "8812519 train-c is stuck in loading for 10m." */
function stateSentence({instance, condition, seen, now}: FleetRow): string {
	if (condition === 'gone') return goneSentence({instance});
	const word = stateWord({instance, condition});
	const isHeld = condition === 'stuck' || condition === 'slow';
	const within = isHeld ? ` in ${instance.actual_status ?? 'provisioning'}` : '';
	const seconds = (now - countedFrom(seen)) / 1000;
	// What has just begun is said by its being told.
	const since = seconds < 60 ? '' : `, for ${duration(seconds)}`;
	const message = instance.status_msg?.trim() ?? '';
	const said = `${nameOf(instance)} is ${word.replaceAll('-', ' ')}${within}${since}`;
	return `${said}.${message === '' ? '' : ` It says: ${sentence(message)}`}`;
}

function goneSentence({instance}: Pick<FleetRow, 'instance'>): string {
	return `${nameOf(instance)} is gone.`;
}
