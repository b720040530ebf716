/** Opens the door of an instance, the same as before where it had one. */
import type {Inside} from '../inside/inside.ts';
import type {Door} from './door.ts';

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

export async function openInstanceDoor(
	entrance: Entrance,
): Promise<{readonly door: Door; readonly hostKey: string}> {
	const {port, address, inside: room, keys: publicKeys, instanceId} = entrance;
	// The SSH server takes long to load, and is not needed before.
	const {openDoor, makeHostKey} = await import('./door.ts');
	const hostKey = entrance.hostKey === '' ? makeHostKey() : entrance.hostKey;
	const options = {hostKey, room, address, publicKeys, instanceId};
	const door = await openDoor({...options, port}).catch(async () =>
		// Somebody else has taken the port meanwhile.
		openDoor({...options, port: 0}),
	);
	return {door, hostKey};
}
