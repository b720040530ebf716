import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import type {Work} from '../../../source/contract/nouns/host-work.ts';
import {isProcessRunning} from '../../../source/host/machine/processes.ts';
import {readRecord} from '../../../source/host/instance/record.ts';
import {noOpenSsh, openSshUser} from '../../helpers/host/open-ssh.ts';
import {workOf} from '../../helpers/host/host.ts';
import {noProcesses, openLocalWorld, insideKinds, runs} from '../../helpers/host/local-host.ts';
import {waitFor} from '../../helpers/wait-for.ts';

const argsMode: Work['launch'] = {mode: 'args', sshDirect: false, jupyterDirect: false};

/** Work that runs one line of a shell. */
function lineOf(line: string, work: Partial<Work> = {}): Work {
	return workOf({launch: argsMode, args: ['sh', '-c', line], ...work});
}

let marks = 3_000_000;
/** A number of seconds that nothing else sleeps for, so that its sleeper is found. */
const ownSleep = () => `sleep ${(marks += 1)}${process.pid}`;

const kinds = insideKinds.filter(({left}) => left === undefined).map(({kind}) => kind);

test.each(kinds)(
	'a program runs, writes its log, and its end is told with its code, in a %s',
	async kind => {
		await using world = await openLocalWorld({kind});
		const {runtime} = world;
		await runtime.start(lineOf('echo one; echo two >&2; sleep 0.3; exit 3'));
		expect(world.last()).toMatchObject({status: 'running', boot: 1});
		await waitFor(() => expect(world.last()?.status).toBe('exited'));
		expect(world.last()?.status_msg).toBe('Its program ended with exit code 3.');
		const logs = {id: 1, instance_id: 7, kind: 'logs'} as const;
		expect(await runtime.logs(logs)).toBe('one\ntwo\n');
		expect(await runtime.logs({...logs, tail: 1})).toBe('two\n');
		expect(await runtime.logs({...logs, filter: 'on'})).toBe('one\n');
		expect(await runtime.logs({...logs, daemon_logs: true})).toMatch(
			/start requested\n.*success, .*\n.*code 3/,
		);
	},
);

test.each(kinds)('a program that is killed has exited, by the signal, in a %s', async kind => {
	await using world = await openLocalWorld({kind});
	await world.runtime.start(lineOf('echo $$ > pid; kill -9 $$'));
	await waitFor(() => expect(world.last()?.status).toBe('exited'));
	expect(world.last()?.status_msg).toContain('signal 9');
});

test.each(kinds)(
	'stopping ends all that runs, deaf or not, and keeps the files; starting finds them, in a %s',
	async kind => {
		await using world = await openLocalWorld({kind, graceMs: 300});
		const [deaf, apart] = [ownSleep(), ownSleep()];
		const line = `trap "" TERM; echo kept >> file; setsid ${apart} & ${deaf}`;
		await world.runtime.start(lineOf(line));
		await world.reads('file');
		await waitFor(() => expect([runs(deaf), runs(apart)]).toEqual([true, true]));
		await world.runtime.stop(7);
		expect([runs(deaf), runs(apart)]).toEqual([false, false]);
		await world.runtime.start(lineOf('cat file > seen; sleep 60', {boot: 2}));
		expect(await world.reads('seen')).toBe('kept');
		expect(world.last()).toMatchObject({status: 'running', boot: 2});
	},
);

test.each(kinds)('a program that is asked to end may tidy up, in a %s', async kind => {
	await using world = await openLocalWorld({kind, graceMs: 10_000});
	await world.runtime.start(
		lineOf('trap "echo tidy > tidied; exit 0" TERM; echo > up; while :; do sleep 0.05; done'),
	);
	await waitFor(() => expect(existsSync(join(world.own(7), 'home', 'up'))).toBe(true));
	await world.runtime.stop(7);
	expect(await world.reads('tidied')).toBe('tidy');
});

test.each(kinds)('removing leaves nothing, whatever was forbidden, in a %s', async kind => {
	await using world = await openLocalWorld({kind});
	const sleep = ownSleep();
	await world.runtime.start(lineOf(`mkdir -p a/b; touch a/b/c; chmod 0 a/b a; ${sleep}`));
	await waitFor(() => expect(runs(sleep)).toBe(true));
	await world.runtime.remove(7);
	expect(existsSync(world.own(7))).toBe(false);
	expect(runs(sleep)).toBe(false);
});

test.each(kinds)(
	'an agent that comes back finds what runs, and ends it when it is to end, in a %s',
	async kind => {
		await using world = await openLocalWorld({kind});
		const sleep = ownSleep();
		const work = lineOf(`echo $CONTAINER_API_KEY > key; ${sleep}`, {boot: 4, container: 2});
		await world.runtime.start(work);
		await waitFor(() => expect(runs(sleep)).toBe(true));
		await world.runtime.close();
		await waitFor(() => expect(runs(sleep)).toBe(true));

		const {folder} = world;
		await using next = await openLocalWorld({kind, folder});
		const held = await next.runtime.adopt([{...work, api_key: null}]);
		expect(held.get(7)).toEqual({boot: 4, container: 2, isStarted: true});
		expect(next.last()).toMatchObject({status: 'running', boot: 4});
		await next.runtime.remove(7, true);
		expect(runs(sleep)).toBe(false);
		await next.runtime.start({...work, container: 3, api_key: null});
		expect(await next.reads('key')).toBe('key');
	},
);

test.each(kinds)(
	'the API key outlives an agent that ends between removing a container and making the next, in a %s',
	async kind => {
		await using world = await openLocalWorld({kind});
		const work = lineOf('echo $CONTAINER_API_KEY > key; sleep 60', {api_key: 'its key'});
		await world.runtime.start(work);
		await world.reads('key');
		await world.runtime.remove(7, true);
		await world.runtime.close();
		await using next = await openLocalWorld({kind, folder: world.folder});
		const recycled = {...work, boot: 2, container: 2, api_key: null};
		expect(await next.runtime.adopt([recycled])).toEqual(new Map());
		await next.runtime.start(recycled);
		expect(await next.reads('key')).toBe('its key');
	},
);

test.each(kinds)(
	'the end of what was taken up is told, and what ended meanwhile too, in a %s',
	async kind => {
		await using world = await openLocalWorld({kind});
		const work = lineOf('while [ ! -e end ]; do sleep 0.05; done; exit 5');
		await world.runtime.start(work);
		await world.runtime.close();
		await using next = await openLocalWorld({kind, folder: world.folder});
		await next.runtime.adopt([work]);
		writeFileSync(join(world.own(7), 'home', 'end'), '');
		await waitFor(() => expect(next.last()?.status).toBe('exited'));
		expect(next.last()?.status_msg).toBe('Its program ended with exit code 5.');
		await next.runtime.close();
		await using third = await openLocalWorld({kind, folder: world.folder});
		expect((await third.runtime.adopt([work])).get(7)?.isStarted).toBe(true);
		expect(third.last()?.status_msg).toBe('Its program ended with exit code 5.');
	},
);

test.each(kinds)('what was killed while nobody looked is started again, in a %s', async kind => {
	await using world = await openLocalWorld({kind});
	const work = lineOf(ownSleep());
	await world.runtime.start(work);
	await world.runtime.close();
	const {root} = (await readRecord(join(world.own(7), 'instance.json'))) ?? {};
	if (root === undefined) throw new Error('nothing was started');
	process.kill(root.pid, 'SIGKILL');
	await expect.poll(async () => isProcessRunning(root)).toBe(false);
	await using next = await openLocalWorld({kind, folder: world.folder});
	expect((await next.runtime.adopt([work])).get(7)?.isStarted).toBe(false);
	expect(runs(work.args?.at(-1) ?? '')).toBe(false);
});

test.each(kinds)('what was seen to be killed is not started again, in a %s', async kind => {
	await using world = await openLocalWorld({kind});
	const work = lineOf(ownSleep());
	await world.runtime.start(work);
	const {root} = (await readRecord(join(world.own(7), 'instance.json'))) ?? {};
	if (root === undefined) throw new Error('nothing was started');
	process.kill(root.pid, 'SIGKILL');
	await waitFor(() => expect(world.last()?.status).toBe('exited'));
	await world.runtime.close();
	await using next = await openLocalWorld({kind, folder: world.folder});
	expect((await next.runtime.adopt([work])).get(7)?.isStarted).toBe(true);
	expect(next.last()).toMatchObject({status: 'exited', status_msg: 'It was ended from outside.'});
});

test.each(kinds)('volumes outlive instances, in a %s', async kind => {
	await using world = await openLocalWorld({kind});
	const {runtime} = world;
	const volume = {volume_id: 3, machine_id: 1, wanted: 'kept', size: 1} as const;
	await runtime.keepVolume(volume);
	const mounts = [{volume_id: 3, mount_path: '/data', size: 1}];
	const place = kind === 'sandbox' ? '/data' : 'data';
	await runtime.start(lineOf(`echo kept > ${place}/file; echo > done; sleep 60`, {mounts}));
	await waitFor(() => expect(existsSync(join(world.own(7), 'home', 'done'))).toBe(true));
	await runtime.remove(7);
	await runtime.start(lineOf(`cat ${place}/file > seen; sleep 60`, {mounts, container: 2}));
	expect(await world.reads('seen')).toBe('kept');
	await runtime.remove(7);
	expect(await runtime.listVolumes()).toEqual([3]);
	await runtime.removeVolume(3);
	expect(await runtime.listVolumes()).toEqual([]);
	expect(existsSync(join(world.folder, 'volumes', '3'))).toBe(false);
});

test.each(kinds)(
	'no instance is given another volume with the id of its own, in a %s',
	async kind => {
		await using world = await openLocalWorld({kind});
		const {runtime} = world;
		const volume = {volume_id: 3, machine_id: 1, wanted: 'kept', size: 1, serial: 'one'} as const;
		await runtime.keepVolume(volume);
		const file = join(world.folder, 'volumes', '3', 'file');
		writeFileSync(file, 'of the first');
		await runtime.keepVolume(volume);
		expect(existsSync(file)).toBe(true);
		const mounts = [{volume_id: 3, mount_path: '/data', size: 1, serial: 'another'}];
		const place = kind === 'sandbox' ? '/data' : 'data';
		await runtime.start(lineOf(`ls -A ${place} > seen; echo > done; sleep 60`, {mounts}));
		await waitFor(() => expect(existsSync(join(world.own(7), 'home', 'done'))).toBe(true));
		expect(existsSync(file)).toBe(false);
		await runtime.remove(7);
		writeFileSync(file, 'of the second');
		await runtime.files?.inside({volume_id: 3, machine_id: 1, size: 1, serial: 'third'});
		expect(existsSync(file)).toBe(false);
	},
);

test.each(kinds)('files are listed, measured and removed from outside, in a %s', async kind => {
	await using world = await openLocalWorld({kind});
	const {runtime} = world;
	await runtime.start(lineOf('mkdir one; echo x > one/file; echo > done; sleep 60'));
	await waitFor(() => expect(existsSync(join(world.own(7), 'home', 'done'))).toBe(true));
	const asks = async (command: string) =>
		runtime.execute({id: 1, instance_id: 7, kind: 'execute', command});
	expect(await asks('ls one')).toBe('file\n');
	expect(await asks('du -s one')).toMatch(/^\d+\tone\n$/);
	expect(await asks('rm one/file')).toBe('');
	expect(await asks('ls nothing')).toContain('No such file');
	await runtime.stop(7);
	expect(await asks('ls')).toContain('done');
});

test.each(noOpenSsh === undefined ? kinds : [])(
	'who enters finds what runs, and what they leave behind goes on until it is stopped, in a %s',
	async kind => {
		await using world = await openLocalWorld({kind, graceMs: 300});
		using user = openSshUser();
		const key = user.makeKey('mine');
		const [sleep, left] = [ownSleep(), ownSleep()];
		const onstart = 'echo "started with $GREETING" > started';
		await world.runtime.start(
			workOf({onstart, env: [['GREETING', 'hello']], public_keys: [key.publicKey]}),
		);
		const port = Number(world.last()?.access?.ssh_port);
		const ssh = async (line: string) => user.ssh(port, key.file, [line]);
		expect(await world.reads('started')).toBe('started with hello');
		expect(
			await ssh(`setsid ${sleep} >/dev/null 2>&1 </dev/null & sleep 0.3; echo $VAST_TCP_PORT_22`),
		).toMatchObject({out: `${port}\n`, code: 0});
		await waitFor(() => expect(runs(sleep)).toBe(true));
		// As most people start a training: it stays in the group of the command that is over.
		expect(await ssh(`nohup ${left} >/dev/null 2>&1 </dev/null & echo left`)).toMatchObject({
			out: 'left\n',
			code: 0,
		});
		const running = (await ssh('ps ax')).out;
		expect([sleep, left].map(each => running.includes(each))).toEqual([true, true]);
		await world.runtime.stop(7);
		expect([sleep, left].map(runs)).toEqual([false, false]);
		expect((await ssh('true')).code).toBe(255);
	},
);

test.skipIf(noProcesses !== undefined)(
	'what has no program of its own cannot start, and says why',
	async () => {
		await using world = await openLocalWorld();
		await world.runtime.start(workOf({launch: argsMode, args: []}));
		expect(world.last()).toMatchObject({status: 'failed'});
		expect(world.last()?.status_msg).toContain('name a program with args');
	},
);
