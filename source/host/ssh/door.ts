/**
 * The way into one instance by SSH: a port of its own, with a host key of its own that stays the
 * same for as long as the instance exists. It takes about 80 ms to load: import it when needed.
 */
import {once} from 'node:events';
import {createServer} from 'node:net';
import type {Server as Listener, Socket} from 'node:net';
import ssh2 from 'ssh2';
import type {AuthContext, Connection} from 'ssh2';
import type {Inside} from '../rooms/room.ts';
import {isAuthorized, readKeys, USER} from './authorized-keys.ts';
import {serveForwards} from './forwards.ts';
import {serveSession} from './session.ts';

export type DoorOptions = {
	/** The private key of the instance's host key. */
	readonly hostKey: string;
	readonly room: Inside;
	/** Which of the machine's addresses to listen on. */
	readonly address: string;
	/** 0 is any free one. */
	readonly port: number;
	readonly publicKeys: readonly string[];
};

export type Door = {
	readonly port: number;
	/** From now on these may enter. Who is inside already stays. */
	readonly admit: (publicKeys: readonly string[]) => void;
	/** Ends all sessions, and what was started in them. */
	readonly close: () => Promise<void>;
};

/** Attempts with wrong keys: an agent offers all that it has. */
const MOST_ATTEMPTS = 20;

/** How long somebody may take to say who they are. */
const GREETING_MS = 30_000;

export async function openDoor(options: DoorOptions): Promise<Door> {
	const {hostKey, room, address, port} = options;
	let keys = readKeys(options.publicKeys);
	const guests = new Set<Connection>();
	const server = new ssh2.Server({hostKeys: [hostKey], ident: 'rentty'}, client => {
		guests.add(client);
		const late = setTimeout(() => client.end(), GREETING_MS);
		let attempts = 0;
		client.on('authentication', context => {
			attempts += 1;
			if (attempts > MOST_ATTEMPTS) client.end();
			else if (mayEnter(context)) context.accept();
			else context.reject(['publickey']);
		});
		client.on('ready', () => {
			clearTimeout(late);
			welcome(client, room);
		});
		// What is broken on the way is over, and nobody else's concern.
		client.on('error', () => client.end());
		client.on('close', () => {
			clearTimeout(late);
			guests.delete(client);
		});
	});

	function mayEnter(context: AuthContext): boolean {
		return (
			context.username === USER && context.method === 'publickey' && isAuthorized(context, keys)
		);
	}

	// Each key press is answered at once, not when there is more to send.
	const listener = createServer({noDelay: true}, socket => server.injectSocket(together(socket)));
	await listen(listener, port, address);
	return {
		port: portOf(listener),
		admit(publicKeys) {
			keys = readKeys(publicKeys);
		},
		async close() {
			const closed = once(listener, 'close');
			listener.close();
			for (const guest of guests) guest.end();
			await closed;
		},
	};
}

function welcome(client: Connection, room: Inside): void {
	const listening = serveForwards(client, room);
	// Clients ask for ports and for a command in one go, and the command may need the ports.
	const start: Inside['start'] = async (command, beginning) => {
		await listening();
		return room.start(command, beginning);
	};
	client.on('session', accept => serveSession(accept(), {...room, start}));
}

/**
 * Sends what is written in one turn together: the answers to many requests are one call of the
 * system then, and whoever waits for them is not woken by each.
 */
function together(socket: Socket): Socket {
	const write = socket.write.bind(socket);
	const release = () => socket.uncork();
	const corking = (bytes: Uint8Array) => {
		if (socket.writableCorked === 0) {
			socket.cork();
			queueMicrotask(release);
		}
		return write(bytes);
	};
	return Object.assign(socket, {write: corking});
}

async function listen(listener: Listener, port: number, address: string): Promise<void> {
	listener.listen(port, address);
	await once(listener, 'listening');
}

function portOf(listener: Listener): number {
	const address = listener.address();
	if (address === null || typeof address === 'string') throw new TypeError('it has no port');
	return address.port;
}
