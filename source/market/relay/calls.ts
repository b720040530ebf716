import {hash} from 'node:crypto';
import type {Contract} from '../../contract/index.ts';
import {Refusal} from '../base/refusal.ts';
import type {Handler} from '../http/handler.ts';
import {machinesNamed} from '../lifecycle/machines-store.ts';
import {findRelay, recordRelayContact} from './relays-store.ts';
import {numbered, type Relays} from './relays.ts';
import {ledOf, readTicket} from './rules.ts';
import {relayedInstances} from './store.ts';

type Calls = Contract['relays'];

type Needs = {readonly relays: Relays};

/** Poll interval, for changes that did not come from a rental in this process. */
const POLL_MS = 1000;

export const ports: Handler<Calls['ports'], Needs> = async (
	{body: {known, wait, figures: counts}},
	{database, clock, relays, relay, signal},
) => {
	await recordRelayContact(database, relay.id, {counts, now: clock.now()});
	const endsAt = performance.now() + wait * 1000;
	for (let isOver = false; ;) {
		const restMs = isOver ? 0 : Math.max(0, endsAt - performance.now());
		const enough = new AbortController();
		const ended = AbortSignal.any([signal, enough.signal]);
		// Subscribe before the read, so that no change in between is missed.
		const signalled = relays.wait(relay.id, Math.min(restMs, POLL_MS), ended);
		try {
			const present = await findRelay(database, relay.id);
			if (present?.hash !== relay.hash) throw new Refusal('unknownKey', 'Its key has ended.');
			const led = (await relayedInstances(database, numbered(relay))).map(ledOf);
			const version = hash('sha256', JSON.stringify(led));
			if (version !== known || restMs === 0) {
				const {name, first_port, last_port} = relay;
				return {name, first_port, last_port, version, ports: led};
			}
			isOver = !(await signalled);
		} finally {
			enough.abort();
		}
	}
};

export const agent: Handler<Calls['agent'], Needs> = async (
	{body: {ticket}},
	{database, clock, relay},
) => {
	const read = readTicket(relay, ticket, clock.now());
	if (read === undefined) {
		throw new Refusal('badToken', 'This ticket is not of this market, or not for this relay.');
	}
	const own = await machinesNamed(database, read.accountId, read.machines);
	return {machines: own.map(({id}) => id)};
};
