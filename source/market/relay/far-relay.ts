/** A relay in a process of its own, which knows only the data that the market sends it. */
import type {IncomingMessage} from 'node:http';
import type {LedPorts, RelayCounts} from '../../contract/nouns/relays.ts';
import {sentKey} from '../api-keys/auth.ts';
import type {Log} from '../base/log.ts';
import {Refusal} from '../base/refusal.ts';
import {networkOf} from '../../contract/rules/network.ts';
import {plainAddress} from '../http/caller-address.ts';
import {createConcurrencyLimits} from '../http/limits.ts';
import type {TakeUpgrade} from '../http/listen.ts';
import {openRelay, type RelayOptions} from './relay.ts';
import {portsOf} from './rules.ts';
import {createUpgrade} from './upgrade.ts';

export type FarRelayOptions = Pick<RelayOptions, 'address' | 'limits' | 'pingSeconds'> & {
	readonly log: Log;
	/**
	 * Asks the market for the machines of a ticket. @throws Error, or Refusal for an invalid ticket
	 */
	readonly machinesFor: (ticket: string) => Promise<readonly number[]>;
};

export type FarRelay = {
	readonly upgrade: TakeUpgrade;
	/** Forwards these ports from now on, and no others. */
	readonly lead: (ports: readonly LedPorts[]) => Promise<void>;
	readonly counts: () => RelayCounts;
	readonly close: () => Promise<void>;
};

/** Concurrent questions to the market: of all agents, and of those of one network. */
const MOST_ASKED = 64;
const MOST_ASKED_OF_NETWORK = 16;

export async function openFarRelay({machinesFor, ...options}: FarRelayOptions): Promise<FarRelay> {
	let led: ReadonlyMap<number, LedPorts> = new Map();
	/** First port of an instance, by each of its ports. */
	let firsts: ReadonlyMap<number, number> = new Map();
	const relay = await openRelay({
		...options,
		ports: async () => [...firsts.keys()],
		async find(port) {
			const first = firsts.get(port) ?? 0;
			const place = led.get(first);
			const target = place?.inside[port - first] ?? 0;
			if (place === undefined || target === 0) return undefined;
			const whose = {machineId: place.machine_id, accountId: place.account_id};
			return {...whose, instanceId: place.instance_id, port: target};
		},
	});
	const everybody = createConcurrencyLimits(MOST_ASKED);
	const networks = createConcurrencyLimits(MOST_ASKED_OF_NETWORK);

	/**
	 * Machines of an agent's ticket. Limits how many tickets are checked at once: strangers' ones
	 * are invalid.
	 */
	async function machinesOf({headers, socket}: IncomingMessage): Promise<readonly number[]> {
		const ticket = sentKey({header: headers.authorization ?? '', query: undefined});
		if (ticket === undefined || !/^[\d.-]{1,1100}\.[\da-f]{64}$/.test(ticket)) {
			throw new Refusal('unknownKey', 'A relay takes agents with a ticket of its market alone.');
		}
		const from = networkOf(plainAddress(socket.remoteAddress ?? '') ?? '');
		const leave = [networks.enter(from), everybody.enter('')];
		try {
			if (leave.includes(undefined)) {
				throw new Refusal('tooManyRequests', 'Too many agents come at once.');
			}
			const machines = await machinesFor(ticket);
			if (machines.length > 0) return machines;
			throw new Refusal('unknownKey', 'This ticket is for no machine.');
		} finally {
			for (const end of leave) end?.();
		}
	}

	return {
		upgrade: createUpgrade({machinesOf, relay}),
		async lead(ports) {
			led = new Map(ports.map(each => [each.port, each]));
			firsts = new Map(
				ports.flatMap(({port: first}) => portsOf([first]).map(port => [port, first] as const)),
			);
			await relay.refresh();
		},
		counts: relay.figures,
		close: relay.close,
	};
}
