/** Opens the SSH server of an instance, with its earlier host key and port if it had one. */
import type {Inside} from '../inside/inside.ts';
import type {SshServer} from './server.ts';

type Entrance = {
	/** Private host key; empty to make one. */
	readonly hostKey: string;
	/** Earlier port; 0 for any. */
	readonly port: number;
	readonly address: string;
	readonly inside: Inside;
	readonly keys: readonly string[];
	readonly instanceId: number;
};

export async function openInstanceServer(
	entrance: Entrance,
): Promise<{readonly sshServer: SshServer; readonly hostKey: string}> {
	const {port, address, inside, keys: publicKeys, instanceId} = entrance;
	// The SSH server takes long to load, and is not needed before.
	const {openSshServer, makeHostKey} = await import('./server.ts');
	const hostKey = entrance.hostKey === '' ? makeHostKey() : entrance.hostKey;
	const options = {hostKey, inside, address, publicKeys, instanceId};
	const sshServer = await openSshServer({...options, port}).catch(async () =>
		// Somebody else has taken the port meanwhile.
		openSshServer({...options, port: 0}),
	);
	return {sshServer, hostKey};
}
