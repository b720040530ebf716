import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {chooseInside, type MakeInside} from '../../../source/host/sandbox/choose-inside.ts';
import {localEntrances} from '../../../source/host/simulated/local-entrances.ts';
import type {Work} from '../../../source/contract/nouns/host-work.ts';
import {noteRest} from '../../helpers/host/at-rest.ts';
import {openFolder} from '../../helpers/folder.ts';
import {workOf} from '../../helpers/host/host.ts';
import {insides} from '../../helpers/host/ssh-server.ts';

const unsaid = () => undefined;

const entrancesIn = (folder: string, inside: MakeInside | Promise<MakeInside>) =>
	localEntrances({folder, address: '127.0.0.1', chooseInside: async () => inside});

test('the ports that an instance asks for are told with its door: rooms share those of the machine', async () => {
	using folder = openFolder();
	const entrances = entrancesIn(folder.path, chooseInside('process'));
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
	const access = await entrances.open(work, unsaid);
	expect(
		Object.entries(access.ports ?? {}).map(([name, [bound]]) => [name, bound?.HostPort]),
	).toEqual([
		['8080/tcp', '8080'],
		['53/udp', '53'],
		['22/tcp', String(access.ssh_port)],
	]);
	expect(await entrances.open(work, unsaid)).toEqual(access);
	await entrances.close();
});

test('an instance whose folder goes while it is entered leaves no server', async () => {
	const rest = noteRest();
	using folder = openFolder();
	const entrances = entrancesIn(folder.path, chooseInside('process'));
	const own = join(folder.path, '7');
	const opening = entrances.open(workOf(), unsaid);
	const refused = opening.catch(String);
	while (!existsSync(join(own, 'instance.json'))) await setImmediate();
	rmSync(own, {recursive: true});
	expect(await refused).toContain('ENOENT');
	await entrances.close();
	await rest.end();
});

test('entrances are closed when instances that are being removed are, too', async () => {
	using folder = openFolder();
	const entrances = entrancesIn(folder.path, chooseInside('process'));
	const opening = entrances.open(workOf(), unsaid);
	let isOpen = false;
	const opened = opening.then(() => (isOpen = true));
	const removing = entrances.remove(7);
	await entrances.close();
	expect(isOpen).toBe(true);
	expect(existsSync(join(folder.path, '7'))).toBe(false);
	await Promise.all([opened, removing]);
});

test('the door of an instance is at the port that its order names, and at another where that is taken', async () => {
	using folder = openFolder();
	const taken = createServer().listen(0, '127.0.0.1');
	await once(taken, 'listening');
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
	const {port} = taken.address() as AddressInfo;
	const open = async (id: number) => {
		const entrances = entrancesIn(folder.path, chooseInside('process'));
		const work = {
			instance_id: id,
			machine_id: 1,
			wanted: 'running',
			boot: 1,
			container: 1,
		} as const;
		const {ssh_port: opened} = await entrances.open({...work, ssh_port: port}, unsaid);
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
		const entrances = entrancesIn(folder.path, makeInside);
		const work = {
			instance_id: 7,
			machine_id: 1,
			wanted: 'running',
			boot: 1,
			container: 1,
		} as const;
		await entrances.open(work, unsaid);
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

test.each(insides)(
	'a command sees in %s what SSH sees there, also when it has stopped',
	async (_, makeInside) => {
		using folder = openFolder();
		const entrances = entrancesIn(folder.path, makeInside);
		const work = workOf();
		await entrances.open(work, unsaid);
		const inside = await entrances.files.inside({instance_id: 7});
		const enter = async (command: string) => {
			const child = await inside.start(command, {variables: {}, terminal: undefined});
			const said = await text(child.output);
			await child.ended;
			return said;
		};
		const data = (await enter('echo x >seen; cd "$DATA_DIRECTORY"; pwd')).trim();
		expect(await entrances.execute(work, 'ls')).toBe(await enter('ls'));
		expect(await entrances.execute(work, `ls ${data}`)).toBe('README.md\ntrain.py\n');
		expect(await entrances.execute(work, `du -s ${data}`)).toMatch(/^\d+\t/);
		expect(await entrances.execute(work, `rm seen ${data}/train.py`)).toBe('');
		expect(await enter(`ls . ${data}`)).not.toMatch(/seen|train/);
		await entrances.shut(7);
		expect(await entrances.execute(work, `ls ${data}`)).toBe('README.md\n');
		// What its renter has removed does not come again with the next start.
		await entrances.open(workOf({api_key: null}), unsaid);
		expect(await entrances.execute(work, `ls ${data}`)).toBe('README.md\n');
		await entrances.close();
	},
);

test('without walls no path, link or flag of a command leads out of the folder of the instance', async () => {
	using folder = openFolder();
	const others = join(folder.path, 'others');
	mkdirSync(others);
	writeFileSync(join(others, 'mine'), 'a secret name\n');
	const entrances = localEntrances({
		folder: join(folder.path, 'instances'),
		address: '127.0.0.1',
		chooseInside: async () => chooseInside('process'),
	});
	await entrances.open(workOf(), unsaid);
	const {home} = await entrances.files.inside({instance_id: 7});
	mkdirSync(join(home, 'deep'));
	for (const [place, target] of [
		['out', others],
		['deep/up', '../../../../others'],
	] as const) {
		symlinkSync(target, join(home, place));
	}
	const lines = ['ls', 'ls -lRL', 'du -L', 'rm -rf'].flatMap(command =>
		[
			others,
			join(others, 'mine'),
			'out/',
			'out/mine',
			'out/../others/mine',
			'deep/up/mine',
			'deep/up/../others',
			'../../../others/mine',
		].map(path => `${command} ${path}`),
	);
	const reading = [
		'ls /',
		'ls /etc',
		`du --files0-from=${join(others, 'mine')}`,
		`du -X${join(others, 'mine')} .`,
	];
	for (const line of [...lines, ...reading, 'ls -lRL .', 'rm -rf .', 'rm -rf deep out']) {
		const said = await entrances.execute(workOf(), line);
		const beside = said.replaceAll(line.split(' ').at(-1) ?? '', '');
		expect.soft(beside, line).not.toMatch(/secret|mine|hosts/);
	}
	expect(readFileSync(join(others, 'mine'), 'utf8')).toBe('a secret name\n');
	expect(existsSync(join(home, 'out'))).toBe(false);
	await entrances.close();
});
