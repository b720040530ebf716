/** A host of the machine that this program runs on: found out, published, and worked for. */
import {openClient} from '../client/client.ts';
import {openAgent} from '../host/agent.ts';
import {lockFolder} from '../host/machine/lock.ts';
import {detectMachine, type Detected} from '../host/machine/detect.ts';
import {publicationOf, type Prices} from '../host/machine/publication.ts';
import {meansOf, type MeansOptions, type Walls} from './host-means.ts';

export type OwnHostOptions = MeansOptions & {
	/** A key of the account that provides the machine. */
	readonly key: string;
	/** The machine's own name in its account. */
	readonly name: string;
	readonly prices: Prices;
	/**
	 * Close the market together with the host, so that its machine does not go away.
	 * @default false
	 */
	readonly endsWithMarket?: boolean;
	/** Told what was found before it is published. */
	readonly onDetected?: (found: Detected, walls: Walls) => void;
};

export type OwnHost = {
	readonly machineId: number;
	/** Fulfils when it is closed, or with the reason why it had to stop before. */
	readonly ended: Promise<string | undefined>;
	readonly close: () => Promise<void>;
};

/** @throws FolderInUse, or an error that says why the machine cannot be offered. */
export async function openOwnHost(options: OwnHostOptions): Promise<OwnHost> {
	const unlock = await lockFolder(options.folder);
	const client = openClient({
		url: options.url,
		key: options.key,
		userAgent: 'rentty-host',
		// The agent tries again by itself, and says so.
		repeats: 0,
	});
	const letGo = async () => {
		await client.close();
		await unlock();
	};
	try {
		const publish = async (found: Detected) =>
			client.hosts.publish(publicationOf(options.name, found, options.prices));
		const {open, found, ...walls} = await meansOf(options, await detectMachine(options), publish);
		options.onDetected?.(found, walls);
		const {id} = await publish(found);
		const agent = await openAgent({
			calls: client.hosts,
			openRuntime: open,
			share: {machines: [id]},
			endsWithMarket: options.endsWithMarket === true,
			...(options.log !== undefined && {log: options.log}),
		});
		return {
			machineId: id,
			ended: agent.ended,
			async close() {
				await agent.close();
				await letGo();
			},
		};
	} catch (error) {
		await letGo();
		throw error;
	}
}
