/** The client's SSH agent inside an instance: `ssh -A`. */
import {randomBytes} from 'node:crypto';
import {posix} from 'node:path';
import type {Connection, ServerChannel} from 'ssh2';
import {ownFiles} from '../inside/own-files.ts';
import type {Inside} from '../inside/inside.ts';
import type {SshConnection} from './connection.ts';
import {listenAtSocket} from './forwards.ts';

/** Folders of the agent's socket, in the home folder, as OpenSSH has them. */
const FOLDERS = ['.ssh', '.ssh/agent'];

/**
 * Opens a socket inside that leads to the client's agent, at the first call. Returns its path, and
 * undefined if it cannot be opened. It lasts as long as the connection.
 */
export function serveAgent(
	connection: SshConnection,
	inside: Inside,
): () => Promise<string | undefined> {
	let opened: Promise<string | undefined> | undefined;
	return async () => (opened ??= openSocket(connection, inside));
}

async function openSocket(connection: SshConnection, inside: Inside): Promise<string | undefined> {
	const files = ownFiles(inside);
	for (const folder of FOLDERS) {
		// oxlint-disable-next-line no-await-in-loop -- the second is in the first
		await files.makeFolder(posix.join(inside.home, folder), 0o700).catch(() => undefined);
	}
	const name = `s.${randomBytes(6).toString('hex')}`;
	const path = posix.join(inside.home, FOLDERS.at(-1) ?? '', name);
	const end = await listenAtSocket(connection, {inside, path}, openAgentChannel);
	return end && path;
}

type Answered = (error: Error | undefined, channel: ServerChannel) => void;

/** Parts of the library that it uses in clients alone: as a server it opens no such channel. */
type Inner = {
	readonly _chanMgr: {readonly add: (answered: Answered & {readonly type: string}) => number};
	readonly _protocol: {
		readonly openssh_authAgent: (channel: number, window: number, packet: number) => void;
	};
};

const AGENT_CHANNEL = 'auth-agent@openssh.com';
/** Sizes of the library's own channels. */
const [WINDOW, PACKET] = [2 * 1024 * 1024, 32 * 1024];

function openAgentChannel(client: Connection, answered: Answered): void {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
	const {_chanMgr: channels, _protocol: protocol} = client as Connection & Inner;
	const waiting = Object.assign(
		(error: Error | undefined, channel: ServerChannel) => answered(error, channel),
		{type: AGENT_CHANNEL},
	);
	const local = channels.add(waiting);
	if (local < 0) throw new Error('no channel is free');
	protocol.openssh_authAgent(local, WINDOW, PACKET);
}
