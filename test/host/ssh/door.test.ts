import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {
	existsSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import process from 'node:process';
import {spawn} from 'node:child_process';
import ssh2 from 'ssh2';
import {describe, expect, test} from 'vitest';
import {chooseRoom} from '../../../source/host/rooms/choose-room.ts';
import {processRoom} from '../../../source/host/rooms/process-room.ts';
import type {RoomPlan} from '../../../source/host/rooms/room.ts';
import {openDoor} from '../../../source/host/ssh/door.ts';
import {sleepers} from '../../helpers/local-host.ts';
import {noOpenSsh, noRsync, openSshUser} from '../../helpers/open-ssh.ts';

const makeBest = await chooseRoom();
const isSandboxed = makeBest({folder: '/', hostName: '', env: {}, mounts: []}).isolation !== 'none';
const rooms = [
	['a process', (plan: RoomPlan) => processRoom(plan, '/bin/sh')] as const,
	...(isSandboxed ? [['a sandbox', makeBest] as const] : []),
];

/** An instance with a door that one key opens. */
async function openInstance(makeRoom: (plan: RoomPlan) => ReturnType<typeof processRoom>) {
	const user = openSshUser();
	const home = join(user.folder, 'home');
	mkdirSync(home);
	const key = user.makeKey('mine');
	const env = {CONTAINER_ID: '7', GREETING: 'hello "world"'};
	const room = makeRoom({folder: realpathSync(home), hostName: 'seven', env, mounts: []});
	const hostKey = ssh2.utils.generateKeyPairSync('ed25519').private;
	const publicKeys = [key.publicKey];
	const door = await openDoor({hostKey, room, address: '127.0.0.1', port: 0, publicKeys});
	return {
		user,
		home,
		key: key.file,
		door,
		ssh: async (command: string, input?: Uint8Array) =>
			user.ssh(door.port, key.file, [command], input),
		async [Symbol.asyncDispose]() {
			await door.close();
			user[Symbol.dispose]();
		},
	};
}

describe.skipIf(noOpenSsh !== undefined).each(rooms)('%s', (_name, makeRoom) => {
	test('it runs commands: what they say, complain of, and end with', async () => {
		await using instance = await openInstance(makeRoom);
		const found = await instance.ssh('echo "$GREETING"; echo "no" >&2; exit 7');
		expect(found).toEqual({out: 'hello "world"\n', complaint: 'no\n', code: 7});
	});

	test('it hands nothing of the environment of this program on', async () => {
		process.env['RENTTY_TEST_SECRET'] = 'secret';
		await using instance = await openInstance(makeRoom);
		const {out} = await instance.ssh('env');
		delete process.env['RENTTY_TEST_SECRET'];
		expect(out).toContain('CONTAINER_ID=7\n');
		expect(out).not.toContain('secret');
	});

	test('it takes files and gives them back, in every way of OpenSSH', async () => {
		await using instance = await openInstance(makeRoom);
		const {user, home, door, key, ssh} = instance;
		const bytes = randomBytes(3_000_000);
		writeFileSync(join(user.folder, 'sent'), bytes);
		const where = [...user.options, '-i', key, '-P', String(door.port), '-q'];

		await ssh('cat > by-stdin', bytes);
		const copy = async (...words: readonly string[]) =>
			(await user.run('scp', [...where, ...words])).code;
		expect(await copy('sent', 'root@127.0.0.1:by-sftp')).toBe(0);
		expect(await copy('-O', 'sent', 'root@127.0.0.1:by-scp')).toBe(0);
		const isWhole = (file: string) => readFileSync(join(home, file)).equals(bytes);
		expect(['by-stdin', 'by-sftp', 'by-scp'].filter(isWhole)).toHaveLength(3);
		expect(await copy('root@127.0.0.1:by-sftp', 'back')).toBe(0);
		expect(readFileSync(join(user.folder, 'back')).equals(bytes)).toBe(true);
		expect(await copy('root@127.0.0.1:missing', 'back')).toBe(1);
	});

	test('it shows no files by sftp but its own', async () => {
		await using instance = await openInstance(makeRoom);
		const {user, home, door, key} = instance;
		writeFileSync(join(user.folder, 'outside'), 'not yours');
		symlinkSync(join(user.folder, 'outside'), join(home, 'link'));
		const batch = ['-get link', '-get ../outside got', '-get /etc/passwd', '-put known_hosts ../x'];
		const where = [...user.options, '-i', key, '-P', String(door.port), '-b', '-'];
		const commands = Buffer.from([...batch, 'mkdir one', 'ls'].join('\n'));
		const {out} = await user.run('sftp', [...where, 'root@127.0.0.1'], {input: commands});
		const got = ['link', 'got', 'passwd', 'x'].filter(file => existsSync(join(user.folder, file)));
		expect(got).toEqual([]);
		expect(out).toContain('one');
	});
});

const best = rooms.at(-1)?.[1] ?? processRoom.bind(undefined);

describe.skipIf(noOpenSsh !== undefined)('what goes through a door', () => {
	test.skipIf(noRsync !== undefined)('rsync works', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, home, door, key} = instance;
		writeFileSync(join(user.folder, 'sent'), 'by rsync');
		const remote = ['ssh', ...user.options, '-i', key, '-p', String(door.port)].join(' ');
		await user.run('rsync', ['-a', '-e', remote, 'sent', 'root@127.0.0.1:got']);
		expect(readFileSync(join(home, 'got'), 'utf8')).toBe('by rsync');
	});

	test('ports are led in and out', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, door, key} = instance;
		const server = createServer((_, answer) => void answer.end('reached')).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		const target = typeof address === 'object' && address !== null ? address.port : 0;
		const [inward, outward] = [target + 1, target + 2];
		const forwards = [
			'-L',
			`${inward}:localhost:${target}`,
			'-R',
			`${outward}:127.0.0.1:${target}`,
		];
		const where = ['-i', key, '-p', String(door.port), ...forwards, 'root@127.0.0.1'];
		const child = spawn('ssh', [...user.options, ...where, 'echo ready; cat'], {
			stdio: ['pipe', 'pipe', 'ignore'],
		});
		await once(child.stdout, 'data');
		for (const port of [inward, outward]) {
			const answer = await fetch(`http://127.0.0.1:${port}/`);
			expect(await answer.text()).toBe('reached');
		}
		child.stdin.end();
		await once(child, 'close');
		server.close();
	});

	test('a terminal has the size and kind of the one outside', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, door, key} = instance;
		const where = ['-tt', '-i', key, '-p', String(door.port), 'root@127.0.0.1'];
		const asked = 'test -t 0 && echo "$TERM" && stty size';
		const {out} = await user.run('ssh', [...user.options, ...where, asked]);
		expect(out.replaceAll('\r', '')).toMatch(/^\S+\n\d+ \d+\n$/);
	});
});

describe.skipIf(noOpenSsh !== undefined)('who goes through a door', () => {
	test('only root enters, and only with a key that is let in', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, door, key} = instance;
		const other = user.makeKey('other', 'rsa');
		const enter = async (file: string) => (await user.ssh(door.port, file, ['true'])).code;
		const where = ['-i', key, '-p', String(door.port), 'admin@127.0.0.1', 'true'];

		expect(await enter(key)).toBe(0);
		expect((await user.run('ssh', [...user.options, ...where])).code).toBe(255);
		expect(await enter(other.file)).toBe(255);
		door.admit([other.publicKey]);
		expect([await enter(other.file), await enter(key)]).toEqual([0, 255]);
	});

	test('what is rubbish among the keys keeps nobody else out', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {user, door, key} = instance;
		door.admit(['ssh-ed25519 AAAA', '', readFileSync(`${key}.pub`, 'utf8')]);
		expect((await user.ssh(door.port, key, ['true'])).code).toBe(0);
	});

	test('what a command leaves in the background stays, and what is broken off goes', async () => {
		await using instance = await openInstance(plan => processRoom(plan, '/bin/sh'));
		const {user, home, door, key, ssh} = instance;
		const seconds = `6000${process.pid}`;
		await ssh(`sleep ${seconds} >/dev/null 2>&1 </dev/null & echo $! > left`);
		const where = ['-i', key, '-p', String(door.port), 'root@127.0.0.1'];
		const session = spawn('ssh', [...user.options, ...where, 'echo $$ > broken; sleep 60']);
		await expect.poll(() => existsSync(join(home, 'broken'))).toBe(true);
		session.kill('SIGKILL');
		const pidIn = (file: string) => Number(readFileSync(join(home, file), 'utf8'));
		await expect.poll(() => isAlive(pidIn('broken'))).toBe(false);
		expect(sleepers(seconds)).toBe(1);
		process.kill(pidIn('left'));
	});

	test('who is inside when the door is closed is sent out, with what they started', async () => {
		await using instance = await openInstance(plan => best(plan, '/bin/sh'));
		const {home, door, ssh} = instance;
		const session = ssh('echo $$ > pid; sleep 60');
		await expect.poll(() => existsSync(join(home, 'pid'))).toBe(true);
		await door.close();
		expect((await session).code).toBe(255);
		if (!isSandboxed) {
			const pid = Number(readFileSync(join(home, 'pid'), 'utf8'));
			await expect.poll(() => isAlive(pid)).toBe(false);
		}
	});
});

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
