import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {chooseInside} from '../../../source/host/sandbox/choose-inside.ts';
import {localEntrances} from '../../../source/host/simulated/local-entrances.ts';
import type {Work} from '../../../source/contract/nouns/host-work.ts';
import {openFolder} from '../../helpers/folder.ts';
import {insides} from '../../helpers/ssh-server.ts';

test('the ports that an instance asks for are told with its door: rooms share those of the machine', async () => {
	using folder = openFolder();
	const entrances = localEntrances({
		folder: folder.path,
		address: '127.0.0.1',
		chooseInside: async () => chooseInside('process'),
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
			chooseInside: async () => chooseInside('process'),
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

test.each(insides)(
	'the folder for data of an instance in %s is there for its commands and for copies, as on other hosts',
	async (_, makeInside) => {
		using folder = openFolder();
		const entrances = localEntrances({
			folder: folder.path,
			address: '127.0.0.1',
			chooseInside: async () => makeInside,
		});
		const work = {
			instance_id: 7,
			machine_id: 1,
			wanted: 'running',
			boot: 1,
			container: 1,
		} as const;
		await entrances.open(work);
		const inside = await entrances.files.inside({instance_id: 7});
		const command = 'cd "$DATA_DIRECTORY" && echo made >one && pwd';
		const child = await inside.start(command, {variables: {}, terminal: undefined});
		const path = (await text(child.output)).trim();
		await child.ended;
		expect(path).toMatch(inside.home === '/root' ? /^\/workspace$/ : /\/workspace$/);
		const outside = inside.outside(`${path}/one`) ?? '';
		expect(readFileSync(outside, 'utf8')).toBe('made\n');
		// Made anew, it begins without what was written to it.
		await entrances.remove(7, true);
		expect(existsSync(outside)).toBe(false);
		await entrances.close();
	},
);
