/** A container engine of the tests' own: Podman behind a socket, where it can be started. */
import {spawn, spawnSync} from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	copyFileSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {request} from 'node:http';
import {listOf, textAt} from '../../../source/contract/grammar/json.ts';
import {openEngine} from '../../../source/host/engine/engine.ts';
import {openRegistry} from './registry.ts';
import {endProcessesOf} from '../../run/left-behind.ts';

const BUSYBOX = '/bin/busybox';

/** The image that all tests use: a shell and the usual small programs, and something at home. */
export const IMAGE = 'localhost/rentty-test:latest';

function problemHere(): string | undefined {
	if (process.getuid?.() !== 0) return 'engines are tested as root';
	for (const program of ['podman', 'crun', 'conmon', 'unshare', 'tar']) {
		const found = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
		if (!found) return `${program} is not installed`;
	}
	if (!existsSync(BUSYBOX)) return 'busybox is not installed';
	// One that needs libraries runs in no image.
	const isStatic = spawnSync('ldd', [BUSYBOX]).status !== 0;
	return isStatic ? undefined : 'busybox-static is not installed';
}

/** Serves how it was called, where Jupyter would serve notebooks. */
const JUPYTER = `#!/bin/sh
mkdir -p /www; echo "$* with $JUPYTER_TOKEN" > /www/index.html
exec httpd -f -p 8080 -h /www
`;

type Setting = {readonly folder: string; readonly subnets: string; readonly canLimit: boolean};

const settings = ({folder, subnets, canLimit}: Setting) => `
[containers]
cgroups="${canLimit ? 'enabled' : 'disabled'}"
default_ulimits=["nofile=4096:4096","nproc=16384:16384"]
[engine]
runtime="crun"
events_logger="file"
cgroup_manager="cgroupfs"
[network]
network_backend="netavark"
network_config_dir="${join(folder, 'networks')}"
default_subnet="${subnets}.0.0/24"
default_subnet_pools=[{base="${subnets}.0.0/16", size=24}]
`;

/** Some mixtures of control groups are refused by what starts containers: it does not see them. */
const STARTING = `
umount /sys/fs/cgroup/unified 2>/dev/null
mkdir -p "$2" /etc/cdi && mount --bind "$2" /etc/cdi
exec podman system service -t 0 "unix://$1"`;

/**
 * Starts an engine that has one image. It answers why there is none, where there is none. Where no
 * control groups can be had, it does without limits.
 */
export async function openTestEngine() {
	const problem = problemHere();
	if (problem !== undefined) return {problem, engine: undefined} as const;
	const limiting = await startEngine(true);
	return limiting.engine === undefined ? startEngine(false) : limiting;
}

async function startEngine(canLimit: boolean) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-engine-'));
	const socket = join(folder, 'engine.sock');
	const layer = makeImage(folder);
	const registry = await openRegistry(layer);
	const service = startService(folder, {socket, registryPort: registry.port, canLimit});
	const close = async () => {
		await removeAll(socket).catch(() => undefined);
		await registry.close();
		service.kill('SIGTERM');
		await new Promise(resolve => service.once('close', resolve));
		endProcessesOf(folder);
		spawnSync('sh', ['-c', 'umount -l "$1"/graph/overlay 2>/dev/null', 'sh', folder]);
		rmSync(folder, {recursive: true, force: true});
	};
	try {
		await importImage(socket, layer);
		await tryContainer(socket);
		const open = async () => openEngine(socket);
		const engine = {socket, open, registry, canLimit, close, devices: join(folder, 'cdi')};
		return {problem: undefined, engine};
	} catch (error) {
		await close();
		const why = error instanceof Error ? error.message : String(error);
		return {problem: `Podman does not run containers here: ${why}`, engine: undefined};
	}
}

type Service = {
	readonly socket: string;
	readonly registryPort: number;
	readonly canLimit: boolean;
};

function startService(folder: string, {socket, registryPort, canLimit}: Service) {
	const subnets = subnetsOf(process.pid);
	writeFileSync(join(folder, 'containers.conf'), settings({folder, subnets, canLimit}));
	const places = `graphroot="${join(folder, 'graph')}"\nrunroot="${join(folder, 'run')}"\n`;
	writeFileSync(join(folder, 'storage.conf'), `[storage]\ndriver="overlay"\n${places}`);
	const plain = `[[registry]]\nlocation="127.0.0.1:${registryPort}"\ninsecure=true\n`;
	writeFileSync(join(folder, 'registries.conf'), plain);
	return spawn('unshare', ['-m', 'sh', '-c', STARTING, 'sh', socket, join(folder, 'cdi')], {
		env: {
			...process.env,
			CONTAINERS_CONF: join(folder, 'containers.conf'),
			CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
			CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf'),
			TMPDIR: folder,
		},
		// What ends for want of memory leaves a file where it is started.
		cwd: folder,
		stdio: 'ignore',
	});
}

/** Engines that run at once have networks of their own. */
function subnetsOf(number: number): string {
	return `10.${100 + (number % 100)}`;
}

/** An archive of all that is in the image. */
function makeImage(folder: string): Uint8Array {
	const root = join(folder, 'root');
	for (const name of ['bin', 'tmp', 'root', 'etc']) mkdirSync(join(root, name), {recursive: true});
	copyFileSync(BUSYBOX, join(root, 'bin', 'busybox'));
	const programs = spawnSync(BUSYBOX, ['--list'], {encoding: 'utf8'}).stdout.split('\n');
	for (const name of programs) {
		if (name !== '' && name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name));
	}
	writeFileSync(join(root, 'root', 'of-the-image'), 'it came with the image');
	mkdirSync(join(root, 'opt', 'bin'), {recursive: true});
	writeFileSync(join(root, 'opt', 'bin', 'jupyter'), JUPYTER, {mode: 0o755});
	writeFileSync(join(root, 'etc', 'passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
	const file = join(folder, 'image.tar');
	spawnSync('tar', ['-C', root, '-cf', file, '.']);
	return readFileSync(file);
}

async function importImage(socket: string, archive: Uint8Array): Promise<void> {
	for (let looks = 0; looks < 1200 && !existsSync(socket); looks++) {
		await new Promise(resolve => setTimeout(resolve, 50));
	}
	const query = 'fromSrc=-&repo=localhost/rentty-test&tag=latest';
	await post(socket, `/images/create?${query}`, archive);
}

async function post(socketPath: string, path: string, body: Uint8Array): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	const headers = {'content-type': 'application/x-tar', 'content-length': body.length};
	const sent = request({socketPath, method: 'POST', path, headers}, answer => {
		answer.resume().on('end', () => resolve());
	});
	sent.on('error', reject).end(body);
	await promise;
}

/** An engine may answer and yet start nothing. */
async function tryContainer(socket: string): Promise<void> {
	const engine = await openEngine(socket);
	try {
		const body = {Image: IMAGE, Entrypoint: ['/bin/true'], Cmd: []};
		await engine.ask({method: 'POST', path: '/containers/create', query: {name: 'trial'}, body});
		await engine.ask({method: 'POST', path: '/containers/trial/start'});
		await engine.ask({method: 'POST', path: '/containers/trial/wait'});
		await engine.ask({method: 'DELETE', path: '/containers/trial'});
	} finally {
		await engine.close();
	}
}

async function removeAll(socket: string): Promise<void> {
	const engine = await openEngine(socket);
	const all = await engine.ask({method: 'GET', path: '/containers/json', query: {all: 'true'}});
	for (const one of listOf(all)) {
		const path = `/containers/${textAt(one, 'Id')}`;
		await engine.ask({method: 'DELETE', path, query: {force: 'true', v: 'true'}});
	}
	await engine.close();
}
