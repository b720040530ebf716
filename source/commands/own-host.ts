/** A host of the machine that this program runs on: found out, published, and worked for. */
import {openClient} from '../client/client.ts';
import type {Machine} from '../contract/nouns/machines.ts';
import {openAgent} from '../host/agent.ts';
import {lockFolder} from '../host/instance/record.ts';
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
	 * The provider has said the price: it counts instead of what was said on the market.
	 *
	 * @default false
	 */
	readonly isPriced?: boolean;
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
	/** The machine as its market shows it; undefined where it does not. */
	readonly listed: Machine | undefined;
	/** Fulfils when it is closed, or with the reason why it had to stop before. */
	readonly ended: Promise<string | undefined>;
	readonly close: () => Promise<void>;
};

/** Least price that a listing takes: what costs nothing is only published. */
const LEAST_PRICE = 0.001;

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
		const {perGpuHour: price} = options.prices;
		if (options.isPriced === true && price >= LEAST_PRICE) {
			const bid = Math.max(LEAST_PRICE, price / 2);
			const terms = {price_gpu: price, price_min_bid: bid};
			await client.machines.offer({machine: id, ...terms});
		}
		const agent = await openAgent({
			calls: client.hosts,
			openRuntime: open,
			share: {machines: [id]},
			endsWithMarket: options.endsWithMarket === true,
			...(options.log !== undefined && {log: options.log}),
		});
		return {
			machineId: id,
			listed: await client.machines.show(id).catch(() => undefined),
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
