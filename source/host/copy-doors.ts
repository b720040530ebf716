/** Opens doors: read-only SSH servers for hosts that copy from this one, each for one copy's key. */
import type {Client} from '../client/client.ts';
import type {DoorWork} from '../contract/nouns/copies.ts';
import {messageOf} from '../contract/rules/thrown.ts';
import {isRefused, persist, type Patience} from './retry.ts';
import type {CopiedFiles, Runtime} from './runtime.ts';
import {readOnlyInside} from './inside/inside.ts';
import type {SshServer} from './ssh/server.ts';

type Opening = {
	readonly calls: Pick<Client['hosts'], 'reportCopyDoor'>;
	readonly runtime: Pick<Runtime, 'files'>;
};

export type CopyDoors = {readonly want: (doors: readonly DoorWork[]) => void};

type Held = {readonly publicKey: string; readonly server: Promise<SshServer | undefined>};

export function createCopyDoors({calls, runtime}: Opening, patience: Patience): CopyDoors {
	const {signal, log} = patience;
	const held = new Map<number, Held>();

	async function shut(id: number): Promise<void> {
		const was = held.get(id);
		held.delete(id);
		await (await was?.server)?.close();
	}

	async function open({
		id,
		source,
		public_key: publicKey,
	}: DoorWork): Promise<SshServer | undefined> {
		let server: SshServer | undefined;
		const tell = async (told: Omit<Parameters<typeof calls.reportCopyDoor>[1], 'public_key'>) => {
			const whole = {...told, public_key: publicKey};
			await persist(async () => calls.reportCopyDoor(id, whole, {signal}), isRefused, patience);
		};
		try {
			const {files} = runtime;
			if (files === undefined) throw new Error('this host cannot copy');
			const opened = await openFor(files, source, publicKey);
			server = opened.server;
			await tell({door: {host: files.address, port: server.port, host_key: opened.hostKey}});
			return server;
		} catch (error) {
			await server?.close();
			if (signal.aborted) return undefined;
			log(`Copy ${id} cannot be made from here: ${messageOf(error)}.`);
			const problem = messageOf(error).slice(0, 512).replace(/\.$/, '');
			if (server === undefined) await tell({problem}).catch(() => undefined);
			return undefined;
		}
	}

	signal.addEventListener('abort', () => {
		for (const id of held.keys()) void shut(id);
	});

	return {
		want(doors) {
			for (const work of doors) {
				const {id, wanted, public_key: publicKey} = work;
				const isOpen = held.get(id)?.publicKey === publicKey;
				if (wanted === 'done' && isOpen) continue;
				void shut(id);
				if (wanted === 'done') held.set(id, {publicKey, server: open(work)});
			}
		},
	};
}

async function openFor(files: CopiedFiles, source: DoorWork['source'], publicKey: string) {
	const inside = readOnlyInside(await files.inside(source));
	const {makeHostKey, openSshServer, publicHalf} = await import('./ssh/server.ts');
	const hostKey = makeHostKey();
	const {address} = files;
	const server = await openSshServer({hostKey, inside, address, port: 0, publicKeys: [publicKey]});
	return {server, hostKey: publicHalf(hostKey)};
}
