/**
 * Choice of the relay that serves a machine, and the tickets by which agents authenticate to
 * relays.
 */
import {createHmac, hash, timingSafeEqual} from 'node:crypto';
import type {LedPorts} from '../../contract/nouns/relays.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import type {RelayRow} from '../database/relay-tables.ts';
import {PORTS_OF_RELAYED} from '../../contract/rules/relay.ts';
import {relayedInside} from '../lifecycle/instance-rules.ts';

/** Silence after which a relay gets no new instances. */
const SILENT_SECONDS = 60;

type Known = Pick<RelayRow, 'id' | 'is_open' | 'heard_at'>;

/**
 * Relays for new instances of a machine, the best first: in an order that differs from machine to
 * machine, and stays stable when other relays come and go.
 */
export function relaysFor<Relay extends Known>(
	machineId: number,
	relays: readonly Relay[],
	now: number,
): readonly Relay[] {
	return relays
		.filter(({is_open, heard_at: at}) => is_open === 1 && at !== null && now - at < SILENT_SECONDS)
		.map(relay => ({relay, rank: hash('sha256', `${machineId} ${relay.id}`)}))
		.toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
		.map(({relay}) => relay);
}

/** Validity of a ticket, many times the pause between heartbeats. */
const TICKET_SECONDS = 300;

type Ticket = {readonly accountId: number; readonly machines: readonly number[]};

export const MOST_MACHINES = 64;

/**
 * Writes a ticket for a relay: only this relay can use it, and only for connections of these
 * machines.
 */
export function printTicket(
	relay: Pick<RelayRow, 'id' | 'hash'>,
	{accountId, machines}: Ticket,
	now: number,
): string {
	const ends = Math.ceil(now + TICKET_SECONDS);
	const text = [accountId, ends, machines.slice(0, MOST_MACHINES).join('-')].join('.');
	return `${text}.${sign(relay, text)}`;
}

/** Reads a ticket; undefined for one of another relay, or an old one. */
export function readTicket(
	relay: Pick<RelayRow, 'id' | 'hash'>,
	ticket: string,
	now: number,
): Ticket | undefined {
	const parts = /^((\d{1,15})\.(\d{1,12})\.([\d-]{1,1024}))\.([\da-f]{64})$/.exec(ticket);
	const [, text = '', account = '', ends = '', machines = '', signature = ''] = parts ?? [];
	const [given, wanted] = [Buffer.from(signature), Buffer.from(sign(relay, text))];
	if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
	if (Number(ends) <= now) return undefined;
	return {accountId: Number(account), machines: machines.split('-').map(Number)};
}

/**
 * HMAC with the relay's stored hash as its key. A relay could forge tickets with its own key, but
 * they would lead only to itself.
 */
function sign({id, hash: secret}: Pick<RelayRow, 'id' | 'hash'>, text: string): string {
	return createHmac('sha256', secret).update(`relay ${id} ${text}`).digest('hex');
}

type Relayed = Pick<
	InstanceRow,
	'id' | 'machine_id' | 'account_id' | 'settings' | 'access' | 'relay_port' | 'current'
>;

/** Target of an instance's ports: nothing while it does not run. */
export function ledOf({current, ...row}: Relayed): LedPorts {
	return {
		port: row.relay_port ?? 0,
		instance_id: row.id,
		machine_id: row.machine_id,
		account_id: row.account_id,
		inside: current === 'running' ? [...relayedInside(row)] : [],
	};
}

/** The ports of some instances, by the first of each. */
export function portsOf(firsts: readonly number[]): readonly number[] {
	return firsts.flatMap(first =>
		Array.from({length: PORTS_OF_RELAYED}, (_, index) => first + index),
	);
}
