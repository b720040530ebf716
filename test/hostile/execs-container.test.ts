/** Programs of an engine that sessions of a container begin and nobody waits for: one at a time. */
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {connect} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import process from 'node:process';
import ssh2 from 'ssh2';
import {describe, expect, test} from 'vitest';
import {listOf, textAt} from '../../source/contract/grammar/json.ts';
import {containerInside} from '../../source/host/engine/container-inside.ts';
import {patient, prepareContainers, waiting} from '../helpers/host/container-host.ts';
import {protocolOf} from '../helpers/host/floods.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

const {isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

const WINDOW = 2 * 1024 * 1024;
const PACKET = 32 * 1024;
const numbers = Array.from({length: 30}, (_, channel) => channel);

/** Questions of an engine that are open, and programs in it. */
const pipes = () => process.getActiveResourcesInfo().filter(kind => kind === 'PipeWrap').length;

/** The most of something while there is any, in some seconds. */
async function mostOf(count: () => number): Promise<number> {
	let most = 0;
	for (let looks = 0; looks < 400; looks++) {
		most = Math.max(most, count());
		await sleep(10);
	}
	return most;
}

async function enter(port: number, keyFile: string) {
	const sock = connect(port, '127.0.0.1').on('error', () => undefined);
	const client = new ssh2.Client().on('error', () => undefined);
	client.connect({sock, username: 'root', privateKey: readFileSync(keyFile)});
	await once(client, 'ready');
	return {sock, protocol: protocolOf(client)};
}

describe.skipIf(isSkipped)(`what nobody waits for in containers${shown}`, patient, () => {
	test('sessions that are cut are ended by one program at a time', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {sock, protocol} = await enter(host.port(), host.key.file);
		for (const channel of numbers) {
			protocol.session(channel, WINDOW, PACKET);
			protocol.exec(channel, 'exec sleep 7777', true);
		}
		const running = async () => (await host.ssh('ps | grep -c "[s]leep 7777"')).out.trim();
		await expect.poll(running, waiting).toBe('30');
		let execs = 0;
		host.hear(async ({path}) => void (execs += path.endsWith('/exec') ? 1 : 0));
		sock.destroy();
		await sleep(4000);
		expect(execs).toBeLessThan(5);
		await expect.poll(running, waiting).toBe('0');
	});

	test('a terminal that is resized again and again asks the engine once at a time', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {sock, protocol} = await enter(host.port(), host.key.file);
		protocol.session(0, WINDOW, PACKET);
		protocol.pty(0, 24, 80, 0, 0, 'xterm', {}, true);
		protocol.exec(0, 'exec sleep 7777', true);
		await sleep(1500);
		const before = pipes();
		for (let size = 1; size < 500; size++) protocol.windowChange(0, 20 + size, 100, 0, 0);
		expect((await mostOf(pipes)) - before).toBeLessThan(5);
		sock.destroy();
	});

	test('a forward that nobody waits for any more starts nothing', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const [one] = listOf(await host.engine.ask({method: 'GET', path: '/containers/json'}));
		const container = textAt(one, 'Id') ?? '';
		const place = {container, address: undefined, pid: undefined, mounts: [], pipes: undefined};
		const inside = containerInside({engine: host.engine, ...place});
		const over = AbortSignal.abort(new Error('over'));
		await expect(inside.connect?.('10.255.255.1', 1, over)).rejects.toThrow('over');
	});
});
