import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import {expect, test} from 'vitest';
import {chooseRoom} from '../../../source/host/sandbox/choose-room.ts';
import {localEntrances} from '../../../source/host/simulated/local-entrances.ts';
import type {Work} from '../../../source/contract/host-work.ts';
import {openFolder} from '../../helpers/folder.ts';

test('the ports that an instance asks for are told with its door: rooms share those of the machine', async () => {
	using folder = openFolder();
	const entrances = localEntrances({
		folder: folder.path,
		address: '127.0.0.1',
		chooseRoom: async () => chooseRoom('process'),
	});
	const work: Work = {
		instance_id: 7,
		machine_id: 1,
		wanted: 'running',
		boot: 1,
		container: 1,
		env: [
			['-p 80:8080', '1'],
			['-p 53:53/udp', '1'],
			['A', 'b'],
		],
	};
	const access = await entrances.open(work);
	expect(
		Object.entries(access.ports ?? {}).map(([name, [bound]]) => [name, bound?.HostPort]),
	).toEqual([
		['8080/tcp', '8080'],
		['53/udp', '53'],
		['22/tcp', String(access.ssh_port)],
	]);
	expect(await entrances.open(work)).toEqual(access);
	await entrances.close();
});

test('the door of an instance is at the port that its order names, and at another where that is taken', async () => {
	using folder = openFolder();
	const taken = createServer().listen(0, '127.0.0.1');
	await once(taken, 'listening');
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
	const {port} = taken.address() as AddressInfo;
	const open = async (id: number) => {
		const entrances = localEntrances({
			folder: folder.path,
			address: '127.0.0.1',
			chooseRoom: async () => chooseRoom('process'),
		});
		const work = {
			instance_id: id,
			machine_id: 1,
			wanted: 'running',
			boot: 1,
			container: 1,
		} as const;
		const {ssh_port: opened} = await entrances.open({...work, ssh_port: port});
		await entrances.close();
		return opened;
	};
	const other = await open(1);
	expect(other).not.toBe(port);
	taken.close();
	await once(taken, 'close');
	expect([await open(2), await open(1)]).toEqual([port, other]);
});
