/** Opens the SSH server of an instance, with the key and the port of before where it had one. */
import type {Inside} from '../inside/inside.ts';
import type {SshServer} from './server.ts';

type Entrance = {
	/** Empty where it has none yet. */
	readonly hostKey: string;
	/** The one that it had; 0 is any. */
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
