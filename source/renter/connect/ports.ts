/** The externally reachable ports of an instance, and the program probably behind each. */
import {isHost, isPort, type Forward} from '../../contract/nouns/ssh-command.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';

type Reached = Pick<FleetRow['instance'], 'ports' | 'public_ipaddr'>;

/** A port of the container, and the machine's port that leads to it. */
type OpenPort = {
	/** As the service writes it: "8080/tcp". */
	readonly name: string;
	/** Number in the port's name; undefined without one. */
	readonly inside: number | undefined;
	/** The port as the service sent it, not always a number. */
	readonly outside: string;
	/** Usual program on this port; empty if unknown. */
	readonly guess: string;
	/** Browser URL of the port; undefined if it serves no page, or none is known. */
	readonly url: string | undefined;
};

const usual = new Map([
	[22, 'ssh'],
	[80, 'http'],
	[443, 'https'],
	[3000, 'http'],
	[5000, 'http'],
	[6006, 'tensorboard'],
	[7860, 'gradio'],
	[8000, 'http'],
	[8080, 'http'],
	[8188, 'comfyui'],
	[8888, 'jupyter'],
]);

/** In the order of their numbers. */
export function openPorts({ports, public_ipaddr: address}: Reached): readonly OpenPort[] {
	return Object.entries(ports ?? {})
		.flatMap(([name, bindings]) => bindings.map(({HostPort}) => portOf(name, HostPort, address)))
		.toSorted((a, b) => (a.inside ?? Infinity) - (b.inside ?? Infinity));
}

function portOf(name: string, outside: string, address: string | null | undefined): OpenPort {
	const inside = numberIn(name);
	const guess = (name.endsWith('/udp') ? undefined : usual.get(inside ?? 0)) ?? '';
	return {name, inside, outside, guess, url: urlOf(guess, address, outside)};
}

function numberIn(name: string): number | undefined {
	const found = /^(\d{1,5})(?:\/|$)/.exec(name);
	const port = Number(found?.[1] ?? 0);
	return isPort(port) ? port : undefined;
}

/** URL made only of an address and a number: a service could send anything. */
function urlOf(
	guess: string,
	address: string | null | undefined,
	outside: string,
): string | undefined {
	const host = (address ?? '').trim();
	const isPage = guess !== '' && guess !== 'ssh';
	if (!isPage || !isHost(host) || !/^\d{1,5}$/.test(outside) || !isPort(Number(outside))) {
		return undefined;
	}
	const scheme = guess === 'https' ? 'https' : 'http';
	return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${Number(outside)}`;
}

/** Addresses of pages behind ports, and their form in a list: without their scheme. */
export function portPages(instance: Reached) {
	return openPorts(instance).flatMap(({url: address}) =>
		address === undefined ? [] : [{text: address.replace(/^https?:\/\//, ''), address}],
	);
}

/** Ports below this are for administrators. */
const FIRST_FREE = 1024;

/** Most suggestions: a longer text takes more time to delete than to type. */
const MOST_SUGGESTED = 8;

/** Suggested forwards, as people type them: all ports that SSH itself does not use. */
export function suggestedForwards(instance: Reached): string {
	const inside = openPorts(instance)
		.filter(({name}) => !name.endsWith('/udp'))
		.flatMap(({inside: port}) => (port === undefined || port === 22 ? [] : [port]));
	const forwards = [...new Set(inside)]
		.slice(0, MOST_SUGGESTED)
		.map(port => forwardText(forwardOf(port)));
	return forwards.length === 0 ? '8080' : forwards.join(' ');
}

function forwardOf(remote: number): Forward {
	return {local: remote < FIRST_FREE ? remote + 10_000 : remote, remote};
}

function forwardText({local, remote}: Forward): string {
	return local === remote ? String(local) : `${local}:${remote}`;
}
