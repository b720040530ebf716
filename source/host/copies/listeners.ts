/**
 * Opens SSH listeners for copies: read-only, for other hosts that copy from this one, each for one
 * copy's key.
 */
import type {Client} from '../../client/client.ts';
import type {ListenerWork} from '../../contract/nouns/copies.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {isRefused, persist, type RetryTools} from '../base/retry.ts';
import type {CopiedFiles, Runtime} from '../base/runtime.ts';
import {readOnlyInside} from '../inside/inside.ts';
import {
	createSemaphore,
	createSemaphoresByName,
	MOST_COPY_LISTENERS,
	MOST_LISTENERS_OF_SOURCE,
	mostOfCopy,
} from '../ssh/connection-limits.ts';
import {openAtFree} from '../ssh/entrance.ts';
import type {SshServer} from '../ssh/server.ts';

type Opening = {
	readonly calls: Pick<Client['hosts'], 'reportCopyDoor'>;
	readonly runtime: Pick<Runtime, 'files'>;
};

export type CopyListeners = {readonly want: (works: readonly ListenerWork[]) => void};

type Closing = Pick<SshServer, 'close'>;
type OpenListener = {readonly publicKey: string; readonly server: Promise<Closing | undefined>};

export function createCopyListeners(
	{calls, runtime}: Opening,
	patience: RetryTools,
): CopyListeners {
	const {signal, log} = patience;
	const held = new Map<number, OpenListener>();
	const slots = createSemaphore(MOST_COPY_LISTENERS);
	const ofSources = createSemaphoresByName(MOST_LISTENERS_OF_SOURCE);

	async function shut(id: number): Promise<void> {
		const was = held.get(id);
		held.delete(id);
		await (await was?.server)?.close();
	}

	async function open(work: ListenerWork): Promise<Closing | undefined> {
		const {id, source, public_key: publicKey} = work;
		const holder = `copy ${id}`;
		let server: SshServer | undefined;
		const giveBack = slots.take();
		const giveOwnBack = ofSources.take(nameOf(source));
		const close = async () => {
			await server?.close();
			runtime.files?.binding?.portChoice.release(holder);
			giveBack?.();
			giveOwnBack?.();
		};
		const report = async (body: Omit<Parameters<typeof calls.reportCopyDoor>[1], 'public_key'>) => {
			const whole = {...body, public_key: publicKey};
			await persist(async () => calls.reportCopyDoor(id, whole, {signal}), isRefused, patience);
		};
		try {
			const {files} = runtime;
			if (files === undefined) throw new Error('this host cannot copy');
			if (giveBack === undefined) throw new Error('too many copies are made from this host');
			if (giveOwnBack === undefined) throw new Error('too many copies are made from it at once');
			const opened = await openFor(files, work, holder);
			server = opened.server;
			await report({door: {host: files.address, port: server.port, host_key: opened.hostKey}});
			return {close};
		} catch (error) {
			await close();
			if (signal.aborted) return undefined;
			log(`Copy ${id} cannot be made from here: ${messageOf(error)}.`);
			const problem = messageOf(error).slice(0, 512).replace(/\.$/, '');
			if (server === undefined) await report({problem}).catch(() => undefined);
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

function nameOf(source: ListenerWork['source']): string {
	return 'volume_id' in source ? `volume ${source.volume_id}` : `instance ${source.instance_id}`;
}

async function openFor(
	files: CopiedFiles,
	{source, public_key: publicKey}: ListenerWork,
	holder: string,
) {
	const inside = readOnlyInside(await files.inside(source));
	const {makeHostKey, openSshServer, publicHalf} = await import('../ssh/server.ts');
	const hostKey = makeHostKey();
	const {address: shown, binding} = files;
	const address = binding?.listen ?? shown;
	const freePort = binding?.portChoice.freePortOf(holder) ?? (async () => 0);
	const options = {hostKey, inside, address, publicKeys: [publicKey], most: mostOfCopy};
	const server = await openAtFree(freePort, 0, async port => openSshServer({...options, port}));
	return {server, hostKey: publicHalf(hostKey)};
}
