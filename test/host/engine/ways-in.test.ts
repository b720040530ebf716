import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {connect} from 'node:net';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import type {HostTask} from '../../../source/contract/nouns/host-work.ts';
import {listOf, numberAt, textAt} from '../../../source/contract/grammar/json.ts';
import {patient, prepareContainers, waiting} from '../../helpers/host/container-host.ts';
import {noOpenSsh, openSshAgent} from '../../helpers/host/open-ssh.ts';
import {skipWithout} from '../../helpers/missing.ts';

const {isSkipped, shown, openHost} = await prepareContainers(noOpenSsh);

const noNsenter = skipWithout('nsenter') !== undefined;

/** What a port serves; nothing where nobody does. */
async function fetched(port: string | undefined): Promise<string> {
	return fetch(`http://127.0.0.1:${port}/`).then(
		async answer => answer.text(),
		() => '',
	);
}

function taskOf(task: Partial<HostTask>): HostTask {
	return {id: 1, instance_id: 7, kind: 'logs', ...task};
}

describe.skipIf(isSkipped)(`the ways into containers${shown}`, patient, () => {
	test('ports of the inside are reached: those that are mapped, and others through SSH', async () => {
		await using host = await openHost();
		const serve = 'mkdir -p /www; echo served > /www/index.html; httpd -p 80 -h /www';
		const onstart = `${serve}; httpd -p 127.0.0.1:81 -h /www`;
		await host.runtime.start(host.work({onstart, env: [['-p 80:80', '1']]}));
		const running = await host.until('running');
		const outside = running?.access?.ports?.['80/tcp']?.[0]?.HostPort;
		await expect.poll(async () => fetched(outside), waiting).toBe('served\n');
		const by = ['-i', host.key.file, '-p', String(host.port()), '-W', 'localhost:81'];
		const request = Buffer.from('GET / HTTP/1.0\r\n\r\n');
		const through = [...host.user.options, ...by, 'root@127.0.0.1'];
		const {out} = await host.user.run('ssh', through, {input: request});
		expect(out).toMatch(/served\n$/);
	});

	test('the server that an editor copied and started goes on after its session', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {user, key} = host;
		const usual = [...user.options, '-i', key.file];
		writeFileSync(join(user.folder, 'index.html'), 'from the editor');
		await host.ssh('mkdir -p .editor');
		const sent = ['-P', String(host.port()), 'index.html', 'root@127.0.0.1:.editor/'];
		expect(await user.run('scp', [...usual, ...sent])).toMatchObject({code: 0, complaint: ''});
		const start = 'cd .editor; setsid httpd -f -p 127.0.0.1:8090 >log 2>&1 </dev/null & echo $!';
		const {out: pid} = await host.ssh(start);
		const where = ['-p', String(host.port()), '-W', '127.0.0.1:8090', 'root@127.0.0.1'];
		const input = Buffer.from('GET /index.html HTTP/1.0\r\n\r\n');
		const served = async () => (await user.run('ssh', [...usual, ...where], {input})).out;
		await expect.poll(served, waiting).toMatch(/from the editor$/);
		expect((await host.ssh(`cat /proc/${pid.trim()}/comm`)).out).toBe('httpd\n');
	});

	test.skipIf(noNsenter)(
		'a port of whoever enters is reached from inside, and from nowhere else',
		async () => {
			await using host = await openHost();
			await host.runtime.start(host.work());
			await host.until('running');
			const server = createServer((_, answer) => void answer.end('from outside'));
			await once(server.listen(0, '127.0.0.1'), 'listening');
			const address = server.address();
			const target = typeof address === 'object' ? address?.port : 0;
			const inside = 8123;
			const by = ['-i', host.key.file, '-p', String(host.port())];
			const forward = ['-R', `${inside}:127.0.0.1:${target}`, 'root@127.0.0.1'];
			const asked = `wget -q -O - http://127.0.0.1:${inside}/`;
			const {out} = await host.user.run('ssh', [...host.user.options, ...by, ...forward, asked]);
			expect(out).toBe('from outside');
			expect(await fetched(String(inside))).toBe('');
			const again = await host.ssh(`${asked} || echo nobody`);
			expect(again.out).toBe('nobody\n');
			server.close();
		},
	);

	test('the agent of whoever enters is asked from inside, and sockets of the inside are reached', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work());
		await host.until('running');
		const {user, engine} = host;
		const [container] = listOf(await engine.ask({method: 'GET', path: '/containers/json'}));
		const about = `/containers/${textAt(container, 'Id')}/json`;
		const pid = numberAt(await engine.ask({method: 'GET', path: about}), 'State', 'Pid');
		const root = `/proc/${pid}/root`;
		using agent = await openSshAgent(user);
		const server = createServer((_, answer) => void answer.end('from a socket'));
		await once(server.listen(`${root}/root/app`), 'listening');
		const local = join(user.folder, 'app');
		const forward = ['-A', '-o', `IdentityAgent=${agent.socket}`, '-L', `${local}:/root/app`];
		const where = ['-i', host.key.file, '-p', String(host.port()), 'root@127.0.0.1'];
		const command = 'ls $SSH_AUTH_SOCK; cat';
		const child = spawn('ssh', [...forward, ...user.options, ...where, command], {
			cwd: user.folder,
			env: {...process.env, SSH_AUTH_SOCK: agent.socket},
		});
		const [path] = (await once(child.stdout, 'data')).map(data => String(data).trim());
		// The image has no program that asks an agent.
		const asked = await user.run('ssh-add', ['-l'], {env: {SSH_AUTH_SOCK: root + path}});
		expect(asked.out).toMatch(/of the laptop \(ED25519\)\n$/);
		const socket = connect(local);
		socket.write('GET / HTTP/1.0\r\n\r\n');
		expect(await text(socket)).toMatch(/from a socket$/);
		child.stdin.end();
		await once(child, 'close');
		server.close();
		await expect.poll(async () => (await host.ssh('ls .ssh/agent')).out, waiting).toBe('');
	});
});

describe.skipIf(isSkipped)(`Jupyter in containers${shown}`, patient, () => {
	const launch = {mode: 'jupyter', sshDirect: true, jupyterDirect: true} as const;

	test('it runs where the image has it, on a port that leads there', async () => {
		await using host = await openHost();
		const asked = {jupyter_token: 'secret', use_jupyter_lab: true, jupyter_dir: '/tmp'};
		await host.runtime.start(host.work({launch, env: [['PATH', '/bin:/opt/bin']], ...asked}));
		const running = await host.until('running');
		const outside = running?.access?.ports?.['8080/tcp']?.[0]?.HostPort;
		await expect
			.poll(async () => fetched(outside), waiting)
			.toMatch(/^lab .*--notebook-dir=\/tmp with secret\n$/);
	});

	test('where the image has none, the log says so, and SSH leads in', async () => {
		await using host = await openHost();
		await host.runtime.start(host.work({launch}));
		await host.until('running');
		const log = async () => host.runtime.logs(taskOf({}));
		await expect.poll(log, waiting).toContain('There is no Jupyter in this image');
		expect((await host.ssh('echo in')).out).toBe('in\n');
	});
});
