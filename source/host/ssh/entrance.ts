/** Opens the SSH server of an instance, with its earlier host key and port if it had one. */
import type {Inside} from '../inside/inside.ts';
import {codeOf} from '../../contract/rules/thrown.ts';
import type {FreePort} from '../machine/port-choice.ts';
import type {SshServer} from './server.ts';

type Entrance = {
	/** Private host key; empty to make one. */
	readonly hostKey: string;
	/** Earlier port; 0 for any. */
	readonly port: number;
	readonly freePort: FreePort;
	readonly address: string;
	readonly inside: Inside;
	readonly keys: readonly string[];
	readonly instanceId: number;
};

export async function openInstanceServer(
	entrance: Entrance,
): Promise<{readonly sshServer: SshServer; readonly hostKey: string}> {
	const {port, freePort, address, inside, keys: publicKeys, instanceId} = entrance;
	// Loaded late: the SSH server takes long to load, and is not needed before.
	const {openSshServer, makeHostKey} = await import('./server.ts');
	const hostKey = entrance.hostKey === '' ? makeHostKey() : entrance.hostKey;
	const options = {hostKey, inside, address, publicKeys, instanceId};
	const sshServer = await openAtFree(freePort, port, async free =>
		openSshServer({...options, port: free}),
	);
	return {sshServer, hostKey};
}

/**
 * Most retries at a free port: if other programs take it this often in between, the machine is
 * overloaded.
 */
const MOST_TRIES = 20;

/** Opens a server at a free port; if another program is quicker to take it, at the next one. */
export async function openAtFree<Opened>(
	freePort: FreePort,
	wanted: number,
	open: (port: number) => Promise<Opened>,
): Promise<Opened> {
	for (let tries = 1; ; tries++) {
		const port = await freePort(wanted);
		try {
			return await open(port);
		} catch (error) {
			if (codeOf(error) !== 'EADDRINUSE' || tries === MOST_TRIES) throw error;
		}
	}
}
