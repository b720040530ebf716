/** Checks whether machines are reachable, and updates their offers. */
import type {MarketClock} from '../base/clock.ts';
import {maskOf} from '../base/gpu-mask.ts';
import type {Log} from '../base/log.ts';
import type {ChangeNumbers} from '../database/changes.ts';
import type {Database} from '../database/database.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import {writingOn} from '../database/writing.ts';
import {findMachine} from '../lifecycle/machines-store.ts';
import {listedAsks, publishedOf} from './listing-rules.ts';
import {findListing} from './listings-store.ts';
import {declaredReach} from './publication-rules.ts';
import {offersOn} from '../offers/store.ts';
import {answersAt, type KnockOptions} from './reach-check.ts';
import {afterCheck, storedTestPort, shownReach, type TestPort} from './reach-rules.ts';
import {dueForReach, noteReach, showReach} from './reach-store.ts';

const EVERY_MS = 1000;
/** Most concurrent checks, at most one per address. */
const MOST_AT_ONCE = 32;

type Options = KnockOptions & {
	readonly database: Database;
	readonly clock: Pick<MarketClock, 'now'>;
	readonly log: Log;
	readonly changes: Pick<ChangeNumbers, 'leads'>;
};

type ReachChecks = {
	/** Makes due checks. */
	readonly step: () => Promise<void>;
	readonly start: () => void;
	readonly stop: () => Promise<void>;
};

export function createReachChecks(options: Options): ReachChecks {
	const {database, clock, log, changes} = options;
	let timer: NodeJS.Timeout | undefined;
	let underWay: Promise<void> | undefined;

	async function check(machine: MachineRow, door: TestPort | undefined): Promise<void> {
		// A market on a private network trusts hosts that have no test port.
		const isBelieved = door === undefined && options.targets === 'any';
		const answered = door !== undefined && (await answersAt(door, options));
		const now = clock.now();
		await writingOn(database, {machines: [machine.id], payers: false}, async transaction => {
			const present = await findMachine(transaction, machine.id);
			if (present === undefined) return;
			// The machine's test port may have changed meanwhile.
			if (JSON.stringify(storedTestPort(present.publication)) !== JSON.stringify(door)) return;
			const next = door === undefined ? {reach_due_at: null} : {};
			const after = isBelieved ? next : {...afterCheck(present, answered, now), ...next};
			await noteReach(transaction, machine.id, after);
			await showOn(transaction, {...present, ...after}, now);
		});
	}

	async function checkDue(): Promise<void> {
		if (!(await changes.leads())) return;
		const due = await dueForReach(database, clock.now(), MOST_AT_ONCE);
		const doors = due.map(machine => ({machine, door: storedTestPort(machine.publication)}));
		// One check per address, however many hosts claim it.
		const chosen = doors.filter(
			({door}, index) =>
				door === undefined ||
				doors.findIndex(other => other.door?.address === door.address) === index,
		);
		const checks = chosen.map(async ({machine, door}) => check(machine, door));
		for (const done of await Promise.allSettled(checks))
			if (done.status === 'rejected') log(`reach of a machine: ${String(done.reason)}`);
	}

	async function step(): Promise<void> {
		underWay ??= checkDue().finally(() => (underWay = undefined));
		await underWay;
	}

	return {
		step,
		start() {
			timer = setInterval(() => {
				step().catch((error: unknown) => log(`reach of machines: ${String(error)}`));
			}, EVERY_MS).unref();
		},
		async stop() {
			clearInterval(timer);
			await underWay?.catch(() => undefined);
		},
	};
}

/** Updates the offers of a machine with the results of its checks. */
async function showOn(database: Database, machine: MachineRow, now: number): Promise<void> {
	const offers = await offersOn(database, machine.id);
	const published = publishedOf(machine, offers);
	if (published === undefined) return;
	const listing = await findListing(database, machine.id);
	const asks = listing === undefined ? published.asks : listedAsks(listing, published);
	const byMask = new Map(asks.map(ask => [maskOf(ask.gpu_ids), ask]));
	for (const offer of offers) {
		const ask = byMask.get(offer.gpu_mask);
		if (ask === undefined) continue;
		const shown = shownReach(machine, declaredReach(ask, published.facts), now);
		const isSame =
			shown.direct_port_count === offer.direct_port_count && shown.static_ip === offer.static_ip;
		if (!isSame) await showReach(database, offer.id, shown);
	}
}
