/**
 * Relays beside a market. An operator adds one and gets its key; with it, the relay asks the market
 * for the ports that it forwards, and for the agents that connect to it. Other services do not have
 * these calls.
 */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {amount, id, instant, pathWithId, text} from '../grammar/values.ts';
import {PORTS_OF_RELAYED} from '../rules/relay.ts';
import {isHost} from './ssh-command.ts';

const operated = {permission: 'operator', thresholdSeconds: undefined, extension: true} as const;
const relayed = {permission: 'relay', thresholdSeconds: undefined, extension: true} as const;

const count = z.int().check(z.nonnegative());

/** Counts of a relay since its start, and at present. */
const figures = z.object({
	/** Sessions of agents, and connections of renters. */
	agents: count,
	connections: count,
	refused: count,
	/** Bytes from renters, and to them. */
	sent: count,
	received: count,
});

export type RelayCounts = z.output<typeof figures>;

const operatedRelay = tolerant(
	{id},
	{
		name: z.string(),
		/** Host shown to renters. */
		host: z.string(),
		first_port: amount,
		last_port: amount,
		/** URL to which agents connect. */
		url: z.string(),
		/** False if it takes no new instances. */
		is_open: z.boolean(),
		heard_at: instant,
		instances: amount,
		agents: amount,
		connections: amount,
		refused: count,
		sent: count,
		received: count,
	},
);

export type OperatedRelay = z.output<typeof operatedRelay>;

export const list = endpoint({
	method: 'GET',
	path: '/api/v0/operator/relays/',
	summary: 'List the relays beside the market, with what they count',
	replies: {
		200: listReply(z.looseObject({relays: z.array(operatedRelay)}), {
			name: 'relays',
			record: operatedRelay,
			hasIds: true,
		}),
		...commonRefusals,
	},
	...operated,
});

const FIRST_FREE_PORT = 1024;
const LAST_PORT = 65_535;
const port = z.int().check(z.minimum(FIRST_FREE_PORT), z.maximum(LAST_PORT));

/** Default port at which agents connect to a relay. */
export const RELAY_PORT = 8748;

const url = text(255).check(
	z.refine(value => URL.canParse(value) && /^https?:\/\/[^/?#@]+\/?$/i.test(value), {
		error: `must be such as https://relay.example.org:${RELAY_PORT}`,
	}),
);

export const add = endpoint({
	method: 'POST',
	path: '/api/v0/operator/relays/',
	summary: 'Add a relay beside the market; its key is shown once',
	body: z
		.object({
			name: text(64).check(z.minLength(1)),
			host: text(255).check(z.refine(isHost, {error: 'must be a host, such as relay.example.org'})),
			first_port: port,
			last_port: port,
			/** URL to which agents connect; by default, TLS at its host and the default port. */
			url: z.optional(url),
		})
		.check(
			z.refine(({first_port: first, last_port: last}) => last - first + 1 >= PORTS_OF_RELAYED, {
				error: `must have at least ${PORTS_OF_RELAYED} ports`,
				path: ['last_port'],
			}),
		),
	replies: {
		200: z.looseObject({success: z.literal(true), id, api_key: z.string()}),
		...commonRefusals,
	},
	...operated,
});

export const change = endpoint({
	method: 'PUT',
	path: '/api/v0/operator/relays/{id}/',
	summary: 'Have a relay take new instances or none, or give it a new key, which ends the old one',
	params: pathWithId,
	body: z.object({is_open: z.optional(z.boolean()), new_key: z._default(z.boolean(), false)}),
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			msg: z.string(),
			api_key: z.optional(z.string()),
		}),
		...recordRefusals,
	},
	...operated,
});

export const remove = endpoint({
	method: 'DELETE',
	path: '/api/v0/operator/relays/{id}/',
	summary: 'Remove a relay: its key ends, and its instances are reached there no longer',
	params: pathWithId,
	replies: {200: z.looseObject({success: z.literal(true), msg: z.string()}), ...recordRefusals},
	...operated,
});

/**
 * Ports of an instance: the first, and the container ports that it and the next ones forward to; 0
 * for none.
 */
const led = z.looseObject({
	port,
	instance_id: id,
	machine_id: id,
	account_id: id,
	inside: z.array(z.int().check(z.minimum(0), z.maximum(LAST_PORT))),
});

export type LedPorts = z.output<typeof led>;

/** Longest wait of a call, below the idle timeouts of usual proxies. */
export const LONGEST_RELAY_WAIT = 20;

export const ports = endpoint({
	method: 'POST',
	routine: true,
	path: '/api/v0/relays/ports/',
	summary: 'Take the ports that a relay leads, waiting until they differ from the known ones',
	body: z.object({
		/** `version` of the last reply; missing for the first. */
		known: z.optional(text(64)),
		wait: z._default(z.int().check(z.minimum(0), z.maximum(LONGEST_RELAY_WAIT)), 0),
		figures,
	}),
	replies: {
		200: z.looseObject({
			name: z.string(),
			first_port: port,
			last_port: port,
			version: z.string(),
			ports: z.array(led),
		}),
		...commonRefusals,
	},
	...relayed,
});

export const agent = endpoint({
	method: 'POST',
	onlyReads: true,
	path: '/api/v0/relays/agents/',
	summary: 'Tell a relay for which machines an agent may offer connections, by its ticket',
	body: z.object({ticket: text(2048)}),
	replies: {200: z.looseObject({machines: z.array(id)}), ...commonRefusals},
	...relayed,
});
