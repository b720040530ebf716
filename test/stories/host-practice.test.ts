import {readFileSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {noProcesses} from '../helpers/host/local-host.ts';
import {openOwnMachine} from '../helpers/host/own-machine.ts';

/** Whether SSH answers at a port of this machine. */
async function answers(port: number): Promise<boolean> {
	return new Promise(resolve => {
		const socket = connect({host: '127.0.0.1', port});
		socket.once('data', greeting => {
			socket.destroy();
			resolve(greeting.toString().startsWith('SSH-'));
		});
		socket.once('error', () => resolve(false));
	});
}

/** The addresses at which somebody listens on a port, as Linux writes them. */
function listenersOn(port: number): readonly string[] {
	const written = port.toString(16).toUpperCase().padStart(4, '0');
	return ['/proc/net/tcp', '/proc/net/tcp6']
		.flatMap(file => readFileSync(file, 'utf8').split('\n'))
		.map(line => line.trim().split(/\s+/))
		.filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${written}`) === true)
		.map(([, local = '']) => local.split(':')[0] ?? '');
}

const LOOPBACK = '0100007F';

test.skipIf(noProcesses !== undefined)(
	'instances of the practice market listen on this machine alone, made up or not',
	async () => {
		await using world = await openOwnMachine();
		for (const id of [await world.rentOwn(), await world.rentMadeUp()]) {
			await world.becomes(id, 'running');
			expect(listenersOn(await world.port(id))).toEqual([LOOPBACK]);
		}
	},
);

test.skipIf(noProcesses !== undefined)(
	'of two consoles one works for the machines, and the other takes them over when that is gone',
	async () => {
		await using world = await openOwnMachine();
		const other = await world.openHosts();
		const [own, madeUp] = [await world.rentOwn(), await world.rentMadeUp()];
		await world.becomes(own, 'running');
		await world.becomes(madeUp, 'running');
		const logOf = () => readFileSync(join(world.own(own), 'host.log'), 'utf8');
		expect(logOf().match(/start requested/g)).toHaveLength(1);

		await world.hosts.close();
		for (const id of [own, madeUp]) {
			await expect.poll(async () => answers(await world.port(id))).toBe(true);
			await world.becomes(id, 'running');
		}
		// They end with their market, and come back with it: nobody says that the machines go.
		await other.close();
		await expect.poll(async () => answers(await world.port(own))).toBe(false);
		await world.becomes(own, 'running');
	},
);
