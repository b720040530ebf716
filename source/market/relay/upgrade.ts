/** Accepts connections that agents open to a relay. */
import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import {AGENT_START, RELAY_PATH, RELAY_PROTOCOL} from '../../contract/rules/relay.ts';
import {Refusal} from '../base/refusal.ts';
import type {TakeUpgrade} from '../http/listen.ts';
import type {Relay} from './relay.ts';

type Taking = {
	/** The machines of the connecting agent. @throws Refusal */
	readonly machinesOf: (request: IncomingMessage) => Promise<readonly number[]>;
	readonly relay: Pick<Relay, 'sessions'>;
};

export function createUpgrade({machinesOf, relay}: Taking): TakeUpgrade {
	return {
		takes: ({url = '', headers: {upgrade}}) =>
			upgrade?.toLowerCase() === RELAY_PROTOCOL && url.split('?', 1)[0] === RELAY_PATH,
		async take(request, socket, head) {
			const start = String(request.headers[AGENT_START] ?? '');
			const machines = await machinesOf(request);
			if (!/^[\w-]{8,64}$/.test(start)) {
				throw new Refusal('badArguments', `${AGENT_START} must say which start offers this.`);
			}
			const closed = once(socket, 'close');
			if (head.length > 0) socket.unshift(head);
			socket.setNoDelay(true);
			socket.setTimeout(0);
			const lines = ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade'];
			const answer = [...lines, `upgrade: ${RELAY_PROTOCOL}`, '', ''].join('\r\n');
			// The session may write only after the upgrade response.
			const written = new Promise<void>(resolve => {
				socket.write(answer, () => resolve());
			});
			await Promise.race([written, closed]);
			if (!socket.destroyed) relay.sessions.add(socket, {machines, start});
		},
	};
}
