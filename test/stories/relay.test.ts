import {randomBytes} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {expect, test} from 'vitest';
import {textAt} from '../../source/contract/grammar/json.ts';
import {publicHalf} from '../../source/host/ssh/server.ts';
import {trustAuthority} from '../../source/commands/base/authority.ts';
import {openFolder} from '../helpers/folder.ts';
import {makeCertificate, noOpenSsl} from '../helpers/services/tls.ts';
import {noProcesses} from '../helpers/host/local-host.ts';
import {skipWithout} from '../helpers/missing.ts';
import {noOpenSsh, noRsync} from '../helpers/host/open-ssh.ts';
import {freePorts, HERE, openRelayedMachine} from '../helpers/market/relay.ts';

const noPython = skipWithout('python3');

test.skipIf((noProcesses ?? noOpenSsh) !== undefined).each([
	['the relay', false],
	['a relay beside the market', true],
])(
	'a machine that nobody reaches is rented and entered at %s, where its own host key answers',
	async (_, isBeside) => {
		await using world = await openRelayedMachine({isBeside});
		const {user, key, first} = world;
		const id = await world.rent();
		const port = first + (id % 5) * 8;
		// Renters are told the address as soon as there is an instance.
		expect(await world.shown(id)).toMatchObject({ssh_host: HERE, ssh_port: port});
		await world.becomes(id, 'running');
		expect(await world.shown(id)).toMatchObject({
			ssh_host: HERE,
			ssh_port: port,
			public_ipaddr: HERE,
			machine_dir_ssh_port: -1,
			direct_port_count: 0,
			ports: {'22/tcp': [{HostIp: HERE, HostPort: String(port)}]},
		});
		const entered = await user.ssh(port, key, ['echo $CONTAINER_ID; exit 7']);
		expect(entered).toMatchObject({out: `${id}\n`, code: 7});
		const scanned = await user.run('ssh-keyscan', ['-p', String(port), '-t', 'ed25519', HERE]);
		const record: unknown = JSON.parse(readFileSync(`${world.own(id)}/instance.json`, 'utf8'));
		expect(scanned.out.trim().split(' ').slice(1).join(' ')).toBe(
			publicHalf(textAt(record, 'hostKey') ?? ''),
		);
		// Who has no key of the account is not let in here either.
		const other = user.makeKey('other');
		expect((await user.ssh(port, other.file, ['true'])).code).toBe(255);

		// The address stays, over a restart of the agent, of the relay and of the instance.
		await world.restartHost();
		await expect.poll(async () => (await user.ssh(port, key, ['true'])).code).toBe(0);
		await world.restartRelay();
		await expect.poll(async () => (await user.ssh(port, key, ['true'])).code).toBe(0);
		await world.client.instances.reboot(id);
		await world.becomes(id, 'running');
		expect(await world.shown(id)).toMatchObject({ssh_host: HERE, ssh_port: port});
		await expect.poll(async () => (await user.ssh(port, key, ['true'])).code).toBe(0);
		await world.client.instances.remove(id);
		expect((await user.ssh(port, key, ['true'])).code).toBe(255);
	},
);

test.skipIf((noProcesses ?? noOpenSsh ?? noRsync) !== undefined)(
	'files go through the relay both ways, by ssh, scp and rsync',
	async () => {
		await using world = await openRelayedMachine();
		const {user, key} = world;
		const id = await world.rent();
		await world.becomes(id, 'running');
		const port = Number((await world.shown(id))?.ssh_port);
		const bytes = Buffer.alloc(20 << 20, 'relay');
		const echoed = await user.ssh(port, key, ['wc -c; echo after'], bytes);
		expect(echoed).toMatchObject({out: `${bytes.length}\nafter\n`, code: 0});
		const given = [...user.options, '-i', key];
		const place = `root@${HERE}:`;
		await user.ssh(port, key, ['head -c 9000000 /dev/urandom > file; sha256sum < file > sum']);
		const copied = [
			await user.run('scp', [...given, '-P', String(port), `${place}file`, 'one']),
			await user.run('scp', ['-O', ...given, '-P', String(port), `${place}file`, 'two']),
			await user.run('rsync', ['-e', `ssh -p ${port} ${given.join(' ')}`, `${place}file`, 'three']),
		];
		expect(copied.map(({code, complaint}) => [code, complaint])).toEqual(copied.map(() => [0, '']));
		const sum = (await user.ssh(port, key, ['cat sum'])).out;
		for (const name of ['one', 'two', 'three'])
			expect((await user.run('sh', ['-c', `sha256sum < ${name}`])).out).toBe(sum);
		const back = await user.run('scp', [...given, '-P', String(port), 'one', `${place}back`]);
		expect(back.code).toBe(0);
		expect((await user.ssh(port, key, ['sha256sum < back'])).out).toBe(sum);
	},
);

test.skipIf((noProcesses ?? noOpenSsh ?? noRsync) !== undefined)(
	'a copy whose line breaks midway goes on from there by rsync --partial',
	async () => {
		await using world = await openRelayedMachine({isBeside: true});
		const {user, key} = world;
		const id = await world.rent();
		await world.becomes(id, 'running');
		const port = Number((await world.shown(id))?.ssh_port);
		const home = join(world.own(id), 'home');
		const sizes = () => readdirSync(home).map(name => statSync(join(home, name)).size);
		const bytes = randomBytes(20_000_000);
		writeFileSync(join(user.folder, 'model'), bytes);
		const copy = async (...options: string[]) => {
			const shell = ['ssh', ...user.options, '-i', key, '-p', String(port)].join(' ');
			const named = ['model', `root@${HERE}:model`];
			return user.run('rsync', ['--partial', '--stats', ...options, '-e', shell, ...named]);
		};
		const slow = copy('--bwlimit=1m');
		await expect.poll(() => sizes().some(size => size > 1_000_000)).toBe(true);
		await world.restartRelay();
		expect((await slow).code).not.toBe(0);
		const kept = () => existsSync(join(home, 'model'));
		await expect.poll(kept).toBe(true);
		await world.becomes(id, 'running');
		const rest = await copy('--no-whole-file');
		expect(rest).toMatchObject({code: 0, complaint: ''});
		const matched = /^Matched data: ([\d,]+)/m.exec(rest.out)?.[1] ?? '';
		expect(Number(matched.replaceAll(',', ''))).toBeGreaterThan(500_000);
		expect(readFileSync(join(home, 'model')).equals(bytes)).toBe(true);
	},
);

test.skipIf((noProcesses ?? noOpenSsh ?? noOpenSsl) !== undefined)(
	'agents and renters meet a market with a certificate of a private authority that they trust',
	async () => {
		using made = makeCertificate('localhost');
		using folder = openFolder();
		const key = join(folder.path, 'key.pem');
		writeFileSync(key, made.key);
		const before = getCACertificates('default');
		trustAuthority(made.file);
		try {
			await using world = await openRelayedMachine({tls: {cert: made.file, key}});
			const id = await world.rent();
			await world.becomes(id, 'running');
			const port = Number((await world.shown(id))?.ssh_port);
			// The relay listens within a second.
			const enter = async () => world.user.ssh(port, world.key, ['echo $CONTAINER_ID']);
			await expect.poll(async () => (await enter()).out).toBe(`${id}\n`);
		} finally {
			setDefaultCACertificates(before);
		}
	},
);

/** The page at a port; undefined where there is none. */
async function readAt(port: number): Promise<string | undefined> {
	return fetch(`http://${HERE}:${port}/page`).then(
		async reply => reply.text(),
		() => undefined,
	);
}

test.skipIf((noProcesses ?? noOpenSsh ?? noPython) !== undefined)(
	'a page that an instance serves is opened at the relay, and other ports of its machine are not',
	async () => {
		await using world = await openRelayedMachine();
		const inside = await freePorts(1);
		const id = await world.rent({env: [[`-p ${inside}:${inside}`, '1']]});
		await world.becomes(id, 'running');
		const record = await world.shown(id);
		const first = Number(record?.ssh_port);
		const page = record?.ports?.[`${inside}/tcp`];
		expect(page).toEqual([{HostIp: HERE, HostPort: String(first + 2)}]);
		const serve = `cd; echo hello > page; nohup python3 -m http.server ${inside} </dev/null >out 2>&1 &`;
		const start = async () => world.user.ssh(first, world.key, [serve]);
		await expect.poll(async () => (await start()).code).toBe(0);
		await expect.poll(async () => readAt(first + 2)).toBe('hello\n');
		for (const other of [3, 7]) expect(await readAt(first + other)).toBeUndefined();
	},
);
