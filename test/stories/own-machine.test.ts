import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openOwnHost} from '../../source/commands/host/own-host.ts';
import {noProcesses} from '../helpers/host/local-host.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';
import {openOwnMachine} from '../helpers/host/own-machine.ts';
import {skipWithout} from '../helpers/missing.ts';

const noCurl = skipWithout('curl');

test.skipIf(noProcesses !== undefined)(
	'the machine itself is offered, free of charge, and says what runs on it',
	async () => {
		await using world = await openOwnMachine();
		const {client} = world;
		const id = await world.rentOwn();
		await world.becomes(id, 'running');
		const shown = await client.instances.show(id);
		expect(shown).toMatchObject({dph_total: 0, ssh_host: '127.0.0.1'});
		expect(shown?.isolation).toMatch(/^(sandbox, shared network, no limit of|none: shares)/);
		expect(shown?.status_msg).toMatch(
			/^success, running (in a sandbox|without isolation): image ubuntu:24.04 is not pulled/,
		);
		await client.instances.destroy(id);
		await expect.poll(() => existsSync(world.own(id))).toBe(false);
	},
);

test.skipIf(noProcesses !== undefined || noOpenSsh !== undefined)(
	'files stay when an instance is stopped and started, and are gone when it is made anew',
	async () => {
		await using world = await openOwnMachine();
		using user = openSshUser();
		const {client} = world;
		const key = user.makeKey('laptop');
		await client.sshKeys.create(key.publicKey);
		const id = await world.rentOwn();
		const inside = async (line: string) => {
			await world.becomes(id, 'running');
			const port = Number((await client.instances.show(id))?.ssh_port);
			return user.ssh(port, key.file, [line]);
		};
		expect(await inside('echo kept > file; cat file')).toMatchObject({out: 'kept\n', code: 0});
		await client.instances.stop(id);
		await world.becomes(id, 'exited');
		await client.instances.start(id);
		expect(await inside('cat file')).toMatchObject({out: 'kept\n', code: 0});
		await client.instances.recycle(id);
		await expect.poll(async () => (await inside('ls')).out).toBe('');
		expect((await inside('echo $CONTAINER_API_KEY')).out).toMatch(/^\S+\n$/);
	},
);

test.skipIf(noProcesses !== undefined || noCurl !== undefined)(
	'an instance stops itself with its own key',
	async () => {
		await using world = await openOwnMachine();
		const stop = [
			'curl -sS -X PUT -H "Authorization: Bearer $CONTAINER_API_KEY"',
			`-H 'content-type: application/json' -d '{"state": "stopped"}'`,
			'"$CONTAINER_API_URL/api/v0/instances/$CONTAINER_ID/"',
		];
		const id = await world.rentOwn({onstart: stop.join(' ')});
		await world.becomes(id, 'exited');
		expect(await world.client.instances.show(id)).toMatchObject({intended_status: 'stopped'});
	},
);

test.skipIf(noProcesses !== undefined)(
	'two hosts of one account run each what is rented of them',
	async () => {
		await using world = await openOwnMachine();
		const {market, client, folder} = world;
		const key = await market.createKey('provider');
		const openHost = async (name: string) =>
			openOwnHost({
				url: market.url,
				key,
				folder: join(folder, name),
				reach: {address: '127.0.0.1'},
				name,
				prices: {perGpuHour: 0.5, storage: 0.2},
				runtime: 'process',
				endsOnClose: true,
			});
		const [one, other] = [await openHost('one'), await openHost('other')];
		const rentOf = async (machineId: number) => {
			const {offers} = await client.offers.search({limit: 100});
			const offer = offers.find(({machine_id: id}) => id === machineId);
			const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
				image: 'ubuntu:24.04',
				launch: {mode: 'args', sshDirect: false, jupyterDirect: false},
				arguments: {list: ['sleep', '600']},
			});
			return id;
		};
		const [here, there] = [await rentOf(one.machineId), await rentOf(other.machineId)];
		await world.becomes(here, 'running');
		await world.becomes(there, 'running');
		const isAt = (name: string, id: number) =>
			existsSync(join(folder, name, 'instances', String(id)));
		expect([isAt('one', here), isAt('one', there)]).toEqual([true, false]);
		expect([isAt('other', here), isAt('other', there)]).toEqual([false, true]);
		await other.close();
		await world.becomes(there, 'offline');
		await world.becomes(here, 'running');
		await one.close();
	},
);
