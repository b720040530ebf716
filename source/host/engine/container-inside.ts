import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {statSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {Duplex} from 'node:stream';
import {join, posix, relative} from 'node:path';
import {isInFolder, type Inside, type Listen} from '../inside/inside.ts';
import {SESSION_LABEL, signalling, startInContainer, type Signalling} from './container-child.ts';
import {createDemultiplexer, startExecution} from './exec.ts';
import type {Engine} from './engine.ts';
import {spawn} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import process from 'node:process';
import {argumentsFor} from '../base/programs.ts';

export const CONTAINER_HOME = '/root';

type ContainerAccess = {
	readonly engine: Engine;
	readonly container: string;
	/** Address on a network that this machine can reach; undefined without one. */
	readonly address: string | undefined;
	/** Pid of its first process on this machine; undefined if none is visible. */
	readonly pid: number | undefined;
	/** Folders of this machine, and their paths inside. */
	readonly mounts: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Folder of this machine for the pipes of commands, if any. */
	readonly pipes: string | undefined;
};

export function containerInside(given: ContainerAccess): Inside {
	const {engine, container, address, pid, mounts, pipes} = given;
	const root = rootOf(pid);
	const signal = signalling(engine, container);
	return {
		...(pid !== undefined && {listen: listenBeside(pid)}),
		home: CONTAINER_HOME,
		folders: [...mounts.map(mount => mount.folder), ...(root === undefined ? [] : [root.folder])],
		isStillOwn: (folder, {dev, ino}) =>
			folder !== root?.folder || (dev === root.about.dev && ino === root.about.ino),
		start: async (command, beginning) =>
			startInContainer(engine, {
				container,
				signal,
				folder: CONTAINER_HOME,
				pipes,
				command,
				beginning,
			}),
		outside(path) {
			const inside = posix.resolve(CONTAINER_HOME, path);
			const fitting = mounts.filter(mount => isInFolder(mount.path, inside));
			const [nearest] = fitting.toSorted((one, other) => other.path.length - one.path.length);
			if (nearest !== undefined) return join(nearest.folder, relative(nearest.path, inside));
			return root && join(root.folder, inside);
		},
		async connect(host, port, until) {
			if (address !== undefined && host === '127.0.0.1') {
				// Most programs listen on all addresses, so that no relay is needed.
				const socket = await connectTo(address, port, until).catch(() => undefined);
				if (socket !== undefined) return socket;
			}
			until.throwIfAborted();
			const relayed = await relay({engine, container, signal}, {host, port});
			// The client disconnected before the program had started.
			if (until.aborted) relayed.destroy();
			until.throwIfAborted();
			return relayed;
		},
	};
}

/**
 * The root folder of a container, by its first process; undefined if the agent may not read it. A pid
 * may be reused, so the root is compared when it is used.
 */
function rootOf(pid: number | undefined) {
	if (pid === undefined) return undefined;
	const folder = `/proc/${pid}/root`;
	try {
		const [about, own] = [statSync(`${folder}/`), statSync('/')];
		const isOwn = about.dev === own.dev && about.ino === own.ino;
		return isOwn ? undefined : {folder, about};
	} catch {
		return undefined;
	}
}

const PATIENCE_MS = 2000;

async function connectTo(host: string, port: number, until: AbortSignal): Promise<Duplex> {
	const socket = connect({host, port});
	try {
		await once(socket, 'connect', {
			signal: AbortSignal.any([until, AbortSignal.timeout(PATIENCE_MS)]),
		});
		return socket;
	} catch (error) {
		socket.destroy();
		throw error;
	}
}

/** Connects to a port from inside, by the first of some programs that the image has. */
const RELAYING = `
if command -v socat >/dev/null; then exec socat - "TCP:$1:$2"; fi
if command -v nc >/dev/null; then exec nc "$1" "$2"; fi
if [ -x /bin/bash ]; then exec /bin/bash -c 'exec 3<>"/dev/tcp/$1/$2" || exit 1
cat <&3 & cat >&3; wait' bash "$1" "$2"; fi
echo 'There is no socat, nc or bash in this image.' >&2; exit 1`;

type Relaying = Pick<ContainerAccess, 'engine' | 'container'> & {readonly signal: Signalling};

async function relay(
	{engine, container, signal}: Relaying,
	{host, port}: {readonly host: string; readonly port: number},
): Promise<Duplex> {
	const words = ['/bin/sh', '-c', RELAYING, 'sh', host, String(port)];
	const label = randomUUID();
	const {socket} = await startExecution(engine, {
		container,
		words,
		env: [`${SESSION_LABEL}=${label}`],
	});
	const read = createDemultiplexer();
	const duplex = new Duplex({
		read: () => void socket.resume(),
		write: (bytes: Buffer, _encoding, done) => void socket.write(bytes, () => done()),
		final: done => void socket.end(() => done()),
		destroy(error, done) {
			// The engine would keep the relay running while its connection is open.
			if (!socket.readableEnded) signal(label, 'SIGKILL');
			socket.destroy();
			done(error);
		},
	});
	socket.on('data', (bytes: Buffer) => {
		for (const {channel, bytes: part} of read(bytes)) {
			if (channel === 'output' && !duplex.push(part)) socket.pause();
		}
	});
	socket.on('error', () => duplex.destroy());
	socket.on('close', () => duplex.push(null));
	return duplex;
}

/** Listens inside the container of a process. Fails for users who may not enter its network. */
function listenBeside(pid: number): Listen {
	return async (port, take) => {
		const folder = await mkdtemp(join(tmpdir(), 'rentty-listen-'));
		const path = join(folder, 'socket');
		const server = createServer(take).listen(path);
		await once(server, 'listening');
		const words = [`--net=/proc/${pid}/ns/net`, '--', ...argumentsFor('container-relay')];
		const child = spawn('nsenter', [...words, path, String(port)], {
			stdio: ['pipe', 'pipe', 'ignore'],
			env: {PATH: process.env['PATH']},
		});
		child.stdin.on('error', () => undefined);
		const close = () => {
			child.stdin.end();
			server.close();
			void rm(folder, {recursive: true, force: true});
		};
		const output = Promise.race([
			once(child.stdout, 'data').then(([data]) => Number(String(data))),
			once(child, 'close').then(() => Number.NaN),
		]);
		const listening = await output.catch(() => Number.NaN);
		if (Number.isInteger(listening)) return {port: listening, close};
		close();
		throw new Error('nothing can listen inside of the container');
	};
}
