import {once} from 'node:events';
import {connect, type ClientHttp2Session} from 'node:http2';
import {expect, test} from 'vitest';
import {serveRelay} from '../../../source/host/relay/serve.ts';
import {readForwarded, readTarget, relayedPorts} from '../../../source/contract/rules/relay.ts';
import {socketPair} from '../../helpers/market/relay.ts';

/** An agent that serves instance 7 at port 22, and a relay's session with it. */
async function openAgent() {
	const [near, far] = await socketPair();
	const ending = new AbortController();
	const seen: unknown[] = [];
	const served = serveRelay(
		far,
		{
			enter(target, stream, from) {
				seen.push([target, from]);
				if (target.instanceId !== 7 || target.port !== 22) return false;
				stream.end('in');
				return true;
			},
		},
		ending.signal,
	);
	const session = connect('http://agent', {createConnection: () => near});
	session.on('error', () => undefined);
	return {
		session,
		seen,
		async [Symbol.asyncDispose]() {
			ending.abort();
			await served;
			near.destroy();
		},
	};
}

/** What a stream brings; undefined where it is reset. */
async function ask(
	session: ClientHttp2Session,
	headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
	const stream = session.request({':method': 'CONNECT', ...headers}, {endStream: false});
	stream.on('error', () => undefined);
	let text = '';
	stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
	await once(stream, 'close').catch(() => undefined);
	return stream.rstCode === 0 ? text : undefined;
}

test('an agent leads nobody to an address, nor to an instance or a port that it does not have', async () => {
	await using agent = await openAgent();
	const forwarded = 'for=203.0.113.9';
	const asked = async (authority: string) =>
		ask(agent.session, {':authority': authority, forwarded});
	expect(await asked('7:22')).toBe('in');
	for (const authority of ['7:80', '8:22', '127.0.0.1:22', 'localhost:22', '7', '7:22:1', '-7:22'])
		expect([authority, await asked(authority)]).toEqual([authority, undefined]);
	expect(await ask(agent.session, {':authority': '7:22'})).toBeUndefined();
	expect(await asked('7:22')).toBe('in');
	expect(agent.seen[0]).toEqual([{instanceId: 7, port: 22}, '203.0.113.9']);
});

test('targets and addresses are read as they were written, and nothing else is', () => {
	expect(readTarget('12:8080')).toEqual({instanceId: 12, port: 8080});
	expect(readTarget('12:808000')).toBeUndefined();
	expect(readForwarded('for="[2001:db8::1]"')).toBe('2001:db8::1');
	expect(readForwarded('for=unknown')).toBeUndefined();
	expect(readForwarded('')).toBeUndefined();
});

test('SSH has the first two ports of a relay, Jupyter the next, and others follow as far as they go', () => {
	const ports = {'22/tcp': 1, '9000/tcp': 1, '70/udp': 1, '8080/tcp': 1, '3000/tcp': 1};
	expect(relayedPorts({hasSsh: true, ports})).toEqual([22, 22, 8080, 3000, 9000]);
	expect(relayedPorts({hasSsh: false, ports: {'3000/tcp': 1}})).toEqual([0, 0, 3000]);
	const many = Object.fromEntries(Array.from({length: 20}, (_, at) => [`${3000 + at}/tcp`, 1]));
	expect(relayedPorts({hasSsh: true, ports: many})).toHaveLength(8);
	expect(relayedPorts({hasSsh: true})).toEqual([22, 22]);
});
