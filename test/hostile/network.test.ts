/** Whoever rents a sandbox, and looks for the machine, its networks and its neighbours. */
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {networkInterfaces, tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import type {Work} from '../../source/contract/nouns/host-work.ts';
import {findNetworkTools, tryNetwork} from '../../source/host/sandbox/own-network.ts';
import {readRecord} from '../../source/host/instance/record.ts';
import {membersOfGroups} from '../../source/host/sandbox/control-groups.ts';
import {membersOf} from '../../source/host/sandbox/ending.ts';
import {removeTree} from '../../source/host/machine/trees.ts';
import {askByDatagram, openDatagramSocket} from '../helpers/host/datagrams.ts';
import {workOf} from '../helpers/host/host.ts';
import {noGroups, noProcesses, noSandbox, openLocalWorld} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {noNetworks, openNetworks} from '../helpers/host/networks.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';
import {skipFor} from '../helpers/missing.ts';
import {waitFor} from '../helpers/wait-for.ts';

const tools = findNetworkTools();
const problem = skipFor(noProcesses ?? noSandbox ?? noOpenSsh ?? (await networkProblem()));
const options = {skip: problem !== undefined};

async function networkProblem(): Promise<string | undefined> {
	if (typeof tools === 'string') return `${tools} is not installed`;
	const folder = mkdtempSync(join(tmpdir(), 'rentty-network-'));
	const why = await tryNetwork(tools, folder);
	await removeTree(folder);
	return why;
}

const oneProcessor = {gpus: 0, processors: 1, memoryBytes: 256 * 1024 ** 2};

const openWorld = async (folder?: string, shared?: typeof oneProcessor) =>
	openLocalWorld({
		kind: 'sandbox',
		graceMs: 0,
		...(shared !== undefined && {shared}),
		...(typeof tools === 'object' && {network: tools}),
		...(folder !== undefined && {folder}),
	});

/** A server of this machine that counts who comes. */
async function openCounter(host: string) {
	let count = 0;
	const server = createServer(socket => {
		count += 1;
		socket.on('error', () => undefined);
		socket.end('reached\n');
	});
	await once(server.listen(0, host), 'listening');
	const address = server.address();
	return {
		count: () => count,
		port: typeof address === 'object' && address !== null ? address.port : 0,
		[Symbol.dispose]: () => void server.close(),
	};
}

/** The program of a server inside, which says its name to whoever comes. */
const serving = (name: string, port: number) =>
	`perl -MIO::Socket::INET -e '$SIG{PIPE} = "IGNORE"; $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "0.0.0.0", LocalPort => ${port}); open(F, ">", "up"); print F "up"; close(F); while ($c = $s->accept) { print $c "${name}\\n"; close($c) }'`;

async function answerAt(port: number): Promise<string> {
	return text(connect({host: '127.0.0.1', port}));
}

const portOf = (access: ReturnType<typeof workAccess>, inside: string) =>
	Number(access?.ports?.[inside]?.[0]?.HostPort);

function workAccess(world: Awaited<ReturnType<typeof openWorld>>, id: number) {
	return world.last(id)?.access;
}

test(
	'neither the machine nor its networks are reached, by any of their addresses',
	options,
	async () => {
		using user = openSshUser();
		const key = user.makeKey('mine');
		using counter = await openCounter('::');
		await using world = await openWorld();
		await world.runtime.start(workOf({public_keys: [key.publicKey]}));
		const own = Object.values(networkInterfaces()).flatMap(
			all => all?.map(one => one.address) ?? [],
		);
		const known = ['127.0.0.1', '::1', '10.0.2.2', '10.0.2.3', '10.0.2.15', '169.254.169.254'];
		const tries = [...new Set([...own, ...known])].flatMap(address => {
			const url = `http://${address.includes(':') ? `[${address.split('%')[0]}]` : address}:${counter.port}/`;
			// A socket that is bound to the device goes by no route.
			return ['', '--interface tap0 '].map(bound => `curl -sm 2 ${bound}'${url}' &`);
		});
		const door = Number(world.last()?.access?.ssh_port);
		const tried = await user.ssh(door, key.file, [`${tries.join('\n')}\nwait; echo tried`]);
		expect(tried.out).toBe('tried\n');
		expect(counter.count()).toBe(0);
		expect(await answerAt(counter.port)).toBe('reached\n');
		const doors = await user.ssh(door, key.file, [
			`curl -sm 2 telnet://127.0.0.1:${door}; echo $?`,
		]);
		expect(doors.out).toBe('7\n');
	},
);

test('each has its own ports inside, and a port of the machine to itself', options, async () => {
	using user = openSshUser();
	const key = user.makeKey('mine');
	await using world = await openWorld();
	for (const id of [7, 8]) {
		const env: Work['env'] = [
			['-p 8080:8080', '1'],
			['-p 70000:70000', '1'],
		];
		const onstart = serving(`number ${id}`, 8080);
		await world.runtime.start(
			workOf({instance_id: id, env, onstart, public_keys: [key.publicKey]}),
		);
	}
	const outside = [7, 8].map(id => portOf(workAccess(world, id), '8080/tcp'));
	expect(new Set(outside).size).toBe(2);
	await waitFor(async () => {
		expect(await Promise.all(outside.map(answerAt))).toEqual(['number 7\n', 'number 8\n']);
	});
	const [door] = [7].map(id => Number(workAccess(world, id)?.ssh_port));
	const curl = `curl -sm 2 telnet://127.0.0.1:8080; curl -sm 2 telnet://192.0.2.1:8080; echo $VAST_TCP_PORT_8080`;
	const seen = await user.ssh(door ?? 0, key.file, [curl]);
	expect(seen.out).toBe(`number 7\n${outside[0]}\n`);
	await world.runtime.stop(7);
	await expect(answerAt(outside[0] ?? 0)).rejects.toThrow('ECONNREFUSED');
	// Who has just answered the other looks listens again in a moment.
	await waitFor(async () => {
		expect(await answerAt(outside[1] ?? 0)).toBe('number 8\n');
	});
});

/** The program of a UDP server inside, which answers with its name. */
const answering = (name: string, port: number) =>
	`perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Proto => "udp", LocalAddr => "0.0.0.0", LocalPort => ${port}); while (defined($s->recv($d, 2000))) { $s->send("$d ${name}") }'`;

test('a UDP port leads to its own instance, also after the agent began anew', options, async () => {
	using folder = openFolder();
	const env: Work['env'] = [
		['-p 9000:9000/udp', '1'],
		['-p 70000:70000/udp', '1'],
	];
	const ids = [7, 8];
	const works = ids.map(id =>
		workOf({instance_id: id, env, onstart: answering(`number ${id}`, 9000)}),
	);
	const socket = await openDatagramSocket();
	/** Ports of the machine that lead to the one of an instance, and what answers there. */
	const reach = async (world: Awaited<ReturnType<typeof openWorld>>) => {
		const ports = ids.map(id => portOf(workAccess(world, id), '9000/udp'));
		const answers: string[] = [];
		for (const port of ports) answers.push(await askByDatagram(socket, port, 'hello'));
		return {ports, answers};
	};
	const before = await openWorld(folder.path);
	for (const work of works) await before.runtime.start(work);
	const first = await reach(before);
	expect(first.answers).toEqual(['hello number 7', 'hello number 8']);
	const [identity] = Object.entries(workAccess(before, 7)?.ports ?? {}).filter(
		([inside]) => inside !== '9000/udp' && inside.endsWith('/udp'),
	);
	expect(identity?.[0]).toBe(`${identity?.[1][0]?.HostPort}/udp`);
	await before[Symbol.asyncDispose]();

	const after = await openWorld(folder.path);
	await after.runtime.adopt(works);
	expect(await reach(after)).toEqual(first);
	for (const id of ids) await after.runtime.remove(id);
	await after[Symbol.asyncDispose]();
	socket.close();
});

test(
	'-L leads into the network, and -R listens there and nowhere on the machine',
	options,
	async () => {
		using user = openSshUser();
		const key = user.makeKey('mine');
		using counter = await openCounter('127.0.0.1');
		using free = await openCounter('127.0.0.1');
		await using world = await openWorld();
		const onstart = serving('inside', 8080);
		await world.runtime.start(workOf({onstart, public_keys: [key.publicKey]}));
		expect(await world.reads('up')).toBe('up');
		const door = Number(world.last()?.access?.ssh_port);
		free[Symbol.dispose]();
		const forwards = ['-R', `4711:127.0.0.1:${counter.port}`, '-L', `${free.port}:127.0.0.1:8080`];
		const where = ['-i', key.file, '-p', String(door), ...forwards, 'root@127.0.0.1', 'cat'];
		const child = spawn('ssh', [...user.options, '-o', 'ExitOnForwardFailure=yes', ...where]);
		await waitFor(async () => expect(await answerAt(free.port)).toBe('inside\n'));
		const asked = await user.ssh(door, key.file, ['curl -sm 5 telnet://127.0.0.1:4711']);
		expect(asked.out).toBe('reached\n');
		await expect(answerAt(4711)).rejects.toThrow('ECONNREFUSED');
		child.kill();
		await once(child, 'exit');
	},
);

test(
	'an agent that comes back leads into the same network, and leaves nothing of it',
	options,
	async () => {
		await using world = await openWorld();
		const env: Work['env'] = [['-p 8080:8080', '1']];
		const work = workOf({env, onstart: serving('still here', 8080)});
		await world.runtime.start(work);
		const port = portOf(workAccess(world, 7), '8080/tcp');
		await waitFor(async () => expect(await answerAt(port)).toBe('still here\n'));
		await world.runtime.close();
		await using next = await openWorld(world.folder);
		await next.runtime.adopt([work]);
		expect(portOf(workAccess(next, 7), '8080/tcp')).toBe(port);
		await waitFor(async () => expect(await answerAt(port)).toBe('still here\n'));
		const kept = await readRecord(join(world.own(7), 'instance.json'));
		if (kept === undefined) throw new Error('nothing was kept');
		expect((await membersOf(kept)).map(({name}) => name)).toContain('slirp4netns');
		await next.runtime.remove(7);
		expect(await membersOf(kept)).toEqual([]);
	},
);

test(
	'an instance that starts leaves the networks of other programs where they are named',
	{skip: (problem ?? noNetworks) !== undefined},
	async () => {
		using folder = openFolder();
		using networks = openNetworks(folder.path);
		await using world = await openWorld();
		await world.runtime.start(workOf({onstart: 'echo up > up; sleep 60'}));
		expect(await world.reads('up')).toBe('up');
		const [ip = '', ...where] = networks.words('renter');
		expect(spawnSync(ip, [...where, 'true']).status).toBe(0);
	},
);

test(
	'the programs of a network have limits of their own, beside those of the instance',
	{skip: (problem ?? noGroups) !== undefined},
	async () => {
		await using world = await openWorld(undefined, oneProcessor);
		await world.runtime.start(workOf({onstart: 'echo up > up; sleep 60'}));
		expect(await world.reads('up')).toBe('up');
		const {network, groups = []} = (await readRecord(join(world.own(7), 'instance.json'))) ?? {};
		const [inside, programs] = await Promise.all([
			membersOfGroups(groups),
			membersOfGroups(groups.map(group => `${group}-network`)),
		]);
		expect(programs).toContain(network?.holder.pid);
		expect(programs).toContain(network?.way.pid);
		expect(inside.filter(pid => programs.includes(pid))).toEqual([]);
		const [limit = 0] = groups.flatMap(group =>
			['memory.max', 'memory.limit_in_bytes']
				.map(file => join(`${group}-network`, file))
				.flatMap(file => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : [])),
		);
		expect(limit).toBe(256 * 1024 ** 2);
		await world.runtime.remove(7);
		expect(groups.filter(group => existsSync(`${group}-network`))).toEqual([]);
	},
);
