/** Hosts in the market's own process, and their last heartbeats. */
import type {OwnHosts} from '../lifecycle/contact-rules.ts';

/**
 * The market's own hosts, for its timeouts, by their last heartbeats: one host serves all made-up
 * machines, and in the practice market another one serves the real machine.
 */
export function createOwnHosts(machines: 'all' | 'made-up'): OwnHosts {
	const heartbeats = new Map<number, number>();
	let isOpen = true;
	return {
		noteHeartbeat(heard, at) {
			// A host whose machines are all silent sends a heartbeat that names none.
			const hosts = heard.length === 0 ? [0, 1] : heard.map(machine => machine.made_up);
			for (const host of hosts) heartbeats.set(host, at);
		},
		lastHeartbeat({made_up: host}) {
			if (!isOpen || (machines === 'made-up' && host === 0)) return undefined;
			return heartbeats.get(host) ?? -Infinity;
		},
		giveUp() {
			isOpen = false;
		},
	};
}
