/** Announces events of the fleet to a user who looks elsewhere, and notes them for hosts. */
import type {AgreedLeases} from '../leases/agreed.ts';
import type {HostHistory} from '../offers/host-history.ts';
import type {Event, Notify} from '../words/alert.ts';
import {isTrouble, type Condition} from '../instance/condition.ts';
import type {Fleet} from './fleet.ts';
import {newEvents, type FleetEvent, type FleetRow} from './fleet-state.ts';
import {troubleCount} from './fleet-words.ts';

/** Listens to a fleet for as long as it is watched. */
export function followFleet(
	fleet: Pick<Fleet, 'state'>,
	notify: Notify,
	hosts: HostHistory,
): () => void {
	let heard = fleet.state.get();
	return fleet.state.subscribe(() => {
		const before = heard;
		heard = fleet.state.get();
		const trouble = troubleCount(heard.troubles);
		if (trouble !== troubleCount(before.troubles)) notify.setTrouble('instances', trouble);
		if (heard.events === before.events) return;
		for (const event of newEvents(before.events, heard.events)) {
			const row = heard.rows.find(({instance: {id}}) => id === event.id);
			const told = announcement(event, row?.instance.actual_status);
			if (told !== undefined) notify.tell(told);
			// Boots that cannot be kept are known until rentty ends.
			if (row !== undefined) noteForHost(hosts, event, row).catch(() => undefined);
		}
	});
}

type Announced = 'stuck' | 'dead' | 'undead' | 'idle' | 'running' | 'waiting';

const texts: Readonly<Record<Announced, string>> = {
	stuck: 'is stuck. X sweeps what is stuck.',
	dead: 'is dead: it will not run by itself.',
	undead: 'was destroyed, and is still listed. It may still be charged.',
	idle: 'is idle: it costs, and its GPUs do nothing.',
	running: 'is running.',
	waiting: 'lost its GPUs, and waits for them.',
};

const hostLost = 'lost its host: nothing is heard of it. It may come back, or be dead.';

const isAnnounced = (condition: Condition): condition is Announced =>
	Object.hasOwn(texts, condition);

/** Usual predecessors of a condition, after which it is no news. */
const usualBefore: Readonly<Partial<Record<Condition, readonly Condition[]>>> = {
	running: ['idle', 'destroying'],
	waiting: ['stopped'],
};

/** Announcement of an event; undefined for one that the user caused, or that does not matter. */
function announcement(
	{id, label, from, to}: FleetEvent,
	status: string | null | undefined,
): Event | undefined {
	if (!isAnnounced(to)) return undefined;
	// An instance that comes into sight is news only if it is in trouble.
	const isUsual = from === undefined || usualBefore[to]?.includes(from) === true;
	if (isUsual && !isTrouble(to)) return undefined;
	const name = label === '' ? `Instance ${id}` : `${label} (${id})`;
	const isLost = to === 'dead' && (status === 'offline' || status === 'unknown');
	const text = `${name} ${isLost ? hostLost : texts[to]}`;
	return {kind: isLost ? 'host-lost' : to, about: `instance ${id}`, state: to, text, instance: id};
}

async function noteForHost(hosts: HostHistory, {from, to, at}: FleetEvent, row: FleetRow) {
	const {host_id: host} = row.instance;
	const first = row.seen.phases[0]?.since;
	if (typeof host !== 'number' || first === undefined || from === undefined) return;
	const boot = {at, seconds: Math.max(0, Math.round((at - first) / 1000))};
	const wasBooting = from === 'loading' || from === 'provisioning' || from === 'slow';
	if (wasBooting && to === 'running') await hosts.booted(host, boot);
	if (wasBooting && to === 'stuck') await hosts.gotStuck(host, boot);
}

/** Keeps the leases that the labels of whole lists say, for as long as a fleet is watched. */
export function followLeases(
	{state}: Pick<Fleet, 'state'>,
	agreed: Pick<AgreedLeases, 'note'> | undefined,
): () => void {
	let checkedAt: number | undefined;
	return state.subscribe(() => {
		const {rows, error, incomplete, reading, checkedAt: at} = state.get();
		const isWhole = [error, incomplete, reading].every(part => part === undefined);
		if (at === checkedAt || !isWhole) return;
		checkedAt = at;
		agreed?.note(rows.map(({instance}) => instance));
	});
}
