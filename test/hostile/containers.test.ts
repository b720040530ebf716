/** Renters in containers who take more than they rent, or go where they do not belong. */
import {once} from 'node:events';
import {createServer} from 'node:http';
import {networkInterfaces} from 'node:os';
import {describe, expect, test} from 'vitest';
import {at, listOf, textAt} from '../../source/contract/grammar/json.ts';
import {
	findIsolationSupport,
	missingIsolation,
	noIsolationSupport,
	rulesOf,
} from '../../source/host/engine/isolation-support.ts';
import {patient, prepareContainers, waiting} from '../helpers/host/container-host.ts';
import {noOpenSsh} from '../helpers/host/open-ssh.ts';

const {engine, isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

const noLimits = engine?.canLimit === true ? '' : ' (skipped: no control groups here)';
const own = await engine?.open();
const hasFirewall = own !== undefined && (await findIsolationSupport(own)).hasFirewall;
await own?.close();
const noWalls = hasFirewall ? '' : ' (skipped: iptables cannot be used here)';

/** A machine that is small enough to be filled. */
const small = {machine: {gpus: 0, processors: 1, memoryBytes: 96 * 1024 * 1024}};

const programAlone = {mode: 'args', sshDirect: false, jupyterDirect: false} as const;

/** A server at all addresses of this machine, such as its agent or its market. */
async function openServer() {
	let answered = 0;
	const server = createServer((_, answer) => {
		answered += 1;
		answer.end('the provider’s own');
	}).listen(0, '0.0.0.0');
	await once(server, 'listening');
	const address = server.address();
	return {
		port: typeof address === 'object' && address !== null ? address.port : 0,
		answered: () => answered,
		[Symbol.dispose]: () => void server.close(),
	};
}

/** Says whether a port can be connected to. */
function reaching(address: string, port: number): string {
	return `nc ${address} ${port} < /dev/null 2> /dev/null && echo open || echo closed`;
}

const ownAddresses = Object.values(networkInterfaces())
	.flatMap((all = []) => all)
	.filter(({family, internal}) => family === 'IPv4' && !internal)
	.map(({address}) => address);

describe.skipIf(isSkipped || noLimits !== '')(`limits of containers${shown}${noLimits}`, () => {
	test('memory, /dev/shm and processes end where the share ends', patient, async () => {
		await using host = await openHost(small);
		await host.runtime.start(host.work());
		await host.until('running');
		const memory = await host.ssh('dd if=/dev/zero of=/dev/null bs=200M count=1; echo $?');
		expect(memory.out).toBe('137\n');
		const shared = await host.ssh('dd if=/dev/zero of=/dev/shm/x bs=1M count=200');
		expect(shared.complaint).toContain('No space left on device');
		await host.ssh('rm /dev/shm/x');
		const bomb = 'i=0; while [ $i -lt 600 ]; do sleep 60 & i=$((i+1)); done';
		expect((await host.ssh(bomb)).complaint).toMatch(/fork|resource/i);
	});
});

describe.skipIf(isSkipped)(`rights in containers${shown}`, patient, () => {
	test('root inside has the rights that programs need, and gains none', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {out} = await host.ssh('grep -E "CapEff|CapBnd|NoNewPrivs|Seccomp:" /proc/self/status');
		// Neither NET_RAW nor MKNOD, NET_ADMIN, SYS_ADMIN, SYS_PTRACE and the like.
		expect(out.split(/\s+/)).toEqual(
			'CapEff: 00000000a00404fb CapBnd: 00000000a00404fb NoNewPrivs: 1 Seccomp: 2 '.split(' '),
		);
		expect((await host.ssh('touch a && chown 33:33 a && stat -c %u a')).out).toBe('33\n');
		expect((await host.ssh('mknod /tmp/disk b 8 0')).complaint).toContain('not permitted');
	});
});

describe.skipIf(isSkipped)(`looking at files of containers${shown}`, patient, () => {
	test('what looks at the files of one that stands still has its limits, and no more rights', async () => {
		await using host = await openHost(small);
		await host.runtime.start(host.work());
		await host.until('running');
		await host.runtime.stop(7);
		const query = {all: 'true'};
		const [one] = listOf(await host.engine.ask({method: 'GET', path: '/containers/json', query}));
		const about = async (name = '') =>
			host.engine.ask({method: 'GET', path: `/containers/${name}/json`});
		const rented = await about(textAt(one, 'Id'));
		const looking: unknown[] = [];
		host.hear(async ({path}) => {
			const name = /^\/containers\/(rentty-\w+-7-look)\/start$/.exec(path)?.[1];
			if (name === undefined) return;
			looking.push(await about(name));
		});
		await host.runtime.execute({id: 1, instance_id: 7, kind: 'execute', command: 'ls /'});
		const bounds = [
			'Memory',
			'NanoCpus',
			'MemorySwap',
			'PidsLimit',
			'ShmSize',
			'CapDrop',
			'SecurityOpt',
		];
		const had = (found: unknown) => bounds.map(name => at(found, 'HostConfig', name));
		expect(looking.map(had)).toEqual([had(rented)]);
	});
});

describe.skipIf(isSkipped || !hasFirewall)(`walls of containers${shown}${noWalls}`, patient, () => {
	test('neither this machine nor what is in its network is reached from inside', async () => {
		using server = await openServer();
		await using host = await openHost();
		await host.runtime.start(host.work({env: [['-p 8000:8000', '1']], onstart: 'httpd -p 8000'}));
		const {access} = (await host.until('running')) ?? {};
		const gateway = (await host.ssh("ip route | sed -n 's/^default via \\([0-9.]*\\).*/\\1/p'"))
			.out;
		for (const address of [gateway.trim(), ...ownAddresses, '127.0.0.1', '10.0.0.1']) {
			const asked = await host.ssh(reaching(address, server.port));
			expect([address, asked.out]).toEqual([address, 'closed\n']);
		}
		expect(server.answered()).toBe(0);
		const mapped = access?.ports?.['8000/tcp']?.[0]?.HostPort;
		const status = async () => (await fetch(`http://127.0.0.1:${mapped}/`)).status;
		await expect.poll(status, waiting).toBe(404);
	});

	test('the walls stand before anything runs inside, also the second time', async () => {
		using server = await openServer();
		await using host = await openHost();
		const [address = '127.0.0.1'] = ownAddresses;
		const asking = `${reaching(address, server.port)}; sleep 999`;
		const work = host.work({launch: programAlone, args: ['/bin/sh', '-c', asking]});
		await host.runtime.start(work);
		const log = async () => host.runtime.logs({id: 1, instance_id: 7, kind: 'logs'});
		await expect.poll(log, waiting).toBe('closed\n');
		await host.runtime.stop(7);
		await host.runtime.start({...work, boot: 2});
		await expect.poll(log, waiting).toBe('closed\nclosed\n');
		expect(server.answered()).toBe(0);
	});
});

describe.skipIf(isSkipped || !hasFirewall)(
	`networks of containers${shown}${noWalls}`,
	patient,
	() => {
		test('two tenants are in networks of their own, and do not reach each other', async () => {
			await using host = await openHost();
			await host.runtime.start(host.work({instance_id: 8, onstart: 'httpd -p 8000'}));
			await host.until('running');
			const all = await host.engine.ask({method: 'GET', path: '/containers/json'});
			const [other] = listOf(all).map(one => textAt(one, 'Id'));
			const about = await host.engine.ask({method: 'GET', path: `/containers/${other}/json`});
			const network = textAt(about, 'HostConfig', 'NetworkMode');
			expect(network).not.toBe('default');
			const address = /"IPAddress":"(\d[\d.]+)"/.exec(JSON.stringify(about))?.[1];
			host.told.length = 0;
			await host.runtime.start(host.work());
			await host.until('running');
			expect((await host.ssh(reaching(address ?? '', 8000))).out).toBe('closed\n');
		});

		test('its network goes with it, and one that was left over goes when the agent comes back', async () => {
			await using host = await openHost();
			const networks = async () => {
				const found = listOf(await host.engine.ask({method: 'GET', path: '/networks'}));
				return found.map(one => textAt(one, 'Name')).filter(name => name?.startsWith('rentty-'));
			};
			await host.runtime.start(host.work());
			await host.until('running');
			const [name = ''] = await networks();
			await host.runtime.remove(7);
			expect(await networks()).toEqual([]);
			const label = name.split('-')[1] ?? '';
			const Labels = {'rentty.host': label, 'rentty.instance': '7'};
			const body = {Name: name, Labels};
			await host.engine.ask({method: 'POST', path: '/networks/create', body});
			await host.reopen();
			await host.runtime.adopt([]);
			expect(await networks()).toEqual([]);
		});
	},
);

test('what cannot be bounded is said', () => {
	const all = {memory: true, swap: true, processors: true, processes: true};
	expect(missingIsolation({limits: all, hasFirewall: true})).toEqual(['disk']);
	const words = ['memory', 'processes', 'processors', 'disk'];
	expect(missingIsolation(noIsolationSupport)).toEqual(words);
});

test('the market alone is reached in the provider’s network, at its port', () => {
	const rules = rulesOf(['192.0.2.2'], [{address: '10.0.0.9', port: 8080}]).split('\n');
	const passage = rules.indexOf('-A OUTPUT -p tcp -d 10.0.0.9/32 --dport 8080 -j ACCEPT');
	expect(passage).toBeGreaterThan(0);
	expect(rules.indexOf('-A OUTPUT -d 10.0.0.0/8 -j REJECT')).toBeGreaterThan(passage);
	expect(rules).toContain('-A OUTPUT -d 192.0.2.2/32 -j REJECT');
	expect(rules).toContain('-A OUTPUT -d 169.254.0.0/16 -j REJECT');
});
