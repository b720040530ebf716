/**
 * Recovery from lost replies, which protects people's money: pending rents, lookups and the
 * journal.
 */
import {createHash, randomUUID} from 'node:crypto';
import type {CallEndpoint} from './exchange/call.ts';
import {type ServiceClock, realTime, type Time} from './exchange/time.ts';
import {instanceCalls} from './nouns/instances.ts';
import {openJournal, readJournal, type JournalEntry, openOwnStarts} from './journal/journal.ts';
import {journalled} from './journal/journalled.ts';
import {shareLists, createFinder} from './rentals/match-instance.ts';
import {removalCalls} from './rentals/removal.ts';
import {rentingCalls} from './rentals/renting.ts';
import {
	LONGEST_SEARCH_MS,
	type Settling,
	findInstanceWithMark,
	isOurs,
	settle,
	track,
} from './rentals/settling.ts';
import {refusingFailures} from './exchange/refusal.ts';
import {watchStart, type StartWatchResult, type WatchOptions} from './rentals/watch-instance.ts';
import {doublesOf} from './rentals/doubles.ts';
import {openPendingRents} from './rentals/pending-rents.ts';
import {
	type Doubles,
	type PendingRent,
	isDoubtful,
	isToldOnScreen,
	isUndecided,
	isUntold,
	rentOutcomeOf,
	type RentOutcome,
} from './rentals/pending-rent.ts';
import process from 'node:process';
import type {Instance} from '../contract/nouns/instance-record.ts';
import {isAlive} from './files/file-lock.ts';
import {HOUR_MS} from '../contract/rules/durations.ts';

/**
 * Time for which a living process settles its own pending rents: later, its id may belong to
 * another process.
 */
const OWNED_MS = 5 * 60 * 1000;

/** Time for which possible doubles are reported. */
const RECENT_MS = HOUR_MS;

/** Time within which a service is expected to list a new instance. */
const SHOWN_LATE_MS = 2 * 60 * 1000;

function pendingRentCalls(settling: Settling) {
	const {book, time, underWay, toReport} = settling;

	const all = async (): Promise<readonly PendingRent[]> =>
		(await book.all()).filter(pending => isOurs(settling, pending));

	/** True if a process, this one or another, is settling it or about to report its outcome. */
	function isUnderWay({token, owner, notedAt}: PendingRent): boolean {
		if (owner === process.pid) return underWay.has(token) || toReport.has(token);
		return time.now() - notedAt < OWNED_MS && isAlive(owner);
	}

	const isRecent = (rent: PendingRent | undefined): boolean =>
		rent !== undefined && time.now() - rent.notedAt < RECENT_MS;

	/** Rents whose outcome is unknown or unreported, and which no process is settling. */
	const open = async (): Promise<readonly PendingRent[]> =>
		(await all()).filter(
			pending => (isUndecided(pending) || isUntold(pending)) && !isUnderWay(pending),
		);

	async function markTold(some: readonly PendingRent[], how: true | 'on screen'): Promise<void> {
		const tokens = some.map(({token}) => token);
		// Otherwise the next command reports them again.
		if (tokens.length > 0) await book.markTold(new Set(tokens), how).catch(() => undefined);
		for (const token of tokens) toReport.delete(token);
	}

	return {
		all,
		open,
		/** Records that outcomes were reported: later commands need not report them. */
		markReported: async (...rents: readonly PendingRent[]): Promise<void> =>
			markTold(
				rents.filter(one => isUntold(one) || isToldOnScreen(one)),
				true,
			),
		/** Records that a console has shown outcomes, perhaps to nobody: the same order is told of it. */
		markShown: async (...rents: readonly PendingRent[]): Promise<void> =>
			markTold(rents.filter(isUntold), 'on screen'),
		/** Rents that were not found, or told of on a screen alone: the same order must not make a second one. */
		async repeatable(): Promise<{
			readonly doubtful: readonly PendingRent[];
			readonly shown: readonly PendingRent[];
		}> {
			const recent = (await all()).filter(isRecent);
			return {
				doubtful: recent.filter(one => isDoubtful(one, time.now())),
				shown: recent.filter(isToldOnScreen),
			};
		},
		/**
		 * True for a rent that was never searched for, and that two polls settle: it was sent long
		 * enough ago.
		 */
		isQuickToSettle: ({state}: PendingRent): boolean =>
			state.kind === 'sent' && time.now() - state.at >= LONGEST_SEARCH_MS,
		/** Doubles in a list of all rents made from here, including late ones. */
		async doubles(instances: readonly Instance[]): Promise<Doubles> {
			const rents = await all();
			const found = rents.map(rent => doublesOf(rent, instances, rents));
			// Equal instances created within a minute are reported for an hour.
			const recent = found.filter((_, at) => isRecent(rents[at]));
			return {
				certain: found.flatMap(({certain}) => certain),
				perhaps: recent.flatMap(({perhaps}) => perhaps),
			};
		},
		/**
		 * True for a rent whose instance was created so recently that the service may not list it
		 * yet.
		 */
		isYoung: ({state}: PendingRent): boolean =>
			state.kind === 'created' && time.now() - state.at < SHOWN_LATE_MS,
		/** Searches for the instance of a pending rent, for at most half a minute. */
		async settle(
			pending: PendingRent,
			{signal}: {readonly signal?: AbortSignal | undefined} = {},
		): Promise<RentOutcome> {
			const already = underWay.get(pending.token);
			if (already !== undefined) return already;
			toReport.add(pending.token);
			if (!isUndecided(pending) && !isDoubtful(pending, time.now())) return rentOutcomeOf(pending);
			return track(settling, pending.token, async () => settle(settling, pending, signal));
		},
		/**
		 * Searches for instances of abandoned pending rents in an existing list: a proxy may
		 * deliver a request late. Returns the rents that did succeed.
		 */
		async review(instances: readonly Instance[]): Promise<readonly PendingRent[]> {
			const now = time.now();
			const late: PendingRent[] = [];
			for (const pending of await all()) {
				if (!isDoubtful(pending, now) && !(isUndecided(pending) && !isUnderWay(pending))) continue;
				const found = await findInstanceWithMark(settling, pending, instances);
				if (found !== undefined) late.push(found.pending);
			}
			return late;
		},
	};
}

export type RecoveryOptions = {
	/**
	 * File of the pending rents, so that the next start knows the unanswered ones.
	 * @default none: they are forgotten when the program ends
	 */
	readonly pendingRentsFile?: string | undefined;
	/**
	 * File of the journal, a line a change.
	 * @default none
	 */
	readonly journalFile?: string | undefined;
	/**
	 * Name of the caller in the journal. A profile finds its pending rents again after its key
	 * changes.
	 * @default a name made from the key
	 */
	readonly profile?: string | undefined;
	/**
	 * Name of the service in these files, if its address changes at each start.
	 * @default its address
	 */
	readonly service?: string | undefined;
	/** Called when one of these files cannot be written. The change itself stands. */
	readonly onTrouble?: ((error: unknown) => void) | undefined;
};

type Caller = {
	readonly url: string;
	readonly key: string;
	readonly time?: Time;
	readonly clock: Pick<ServiceClock, 'now'>;
};

export function openRecovery(
	plainCall: CallEndpoint,
	{
		url,
		key,
		time = realTime,
		clock,
		pendingRentsFile,
		journalFile,
		profile,
		service = url,
		onTrouble,
	}: Caller & RecoveryOptions,
) {
	const name = profile ?? fingerprint(key);
	const journal = openJournal({file: journalFile, profile: name, secret: key, onTrouble});
	/** True for an entry of this caller; older lines of callers without a profile have none. */
	const isOwn = ({change}: JournalEntry) =>
		change.profile === name || (change.profile === undefined && profile === undefined);
	const call = refusingFailures(journalled(plainCall, journal));
	const instances = instanceCalls(call);
	const listInstances = shareLists(async () => instances.list({isUrgent: true}));
	const find = createFinder({readList: listInstances, instances});
	const settling: Settling = {
		readList: listInstances,
		book: openPendingRents(pendingRentsFile),
		journal,
		time,
		serviceNow: clock.now,
		service,
		profile: name,
		onTrouble,
		underWay: new Map(),
		toReport: new Set(),
	};

	return {
		/** Calls an endpoint, and journals changes. */
		call,
		instances: {
			...instances,
			...rentingCalls(call, settling),
			...removalCalls(call, {find, startOf: instances.startOf, time, journal, plainCall}),
			/** Proof that an instance exists, or that it is gone. */
			find,
			/** Yields the states of an instance until it runs, never will, is gone, or takes too long. */
			watch: (id: number, options?: WatchOptions): AsyncGenerator<StartWatchResult, void> =>
				watchStart({show: async (of, how) => instances.show(of, how), find, time}, id, options),
		},
		pendingRents: pendingRentCalls(settling),
		journal: {
			/**
			 * Changes made from this machine by this caller, the newest first: other callers' ids
			 * mean other instances.
			 */
			read: async (): Promise<readonly JournalEntry[]> =>
				journalFile === undefined ? [] : (await readJournal(journalFile)).filter(isOwn),
			/** Last start of each instance requested from this machine. */
			starts: openOwnStarts(journalFile, isOwn),
			differs: async ({token}: PendingRent, instance: number, says: string): Promise<void> =>
				journal.answer({request: token, outcome: 'differs', instance, says: says.slice(0, 300)}),
			/** Journals a destruction that was confirmed, and cancelled before it was sent. */
			async takenBack(ids: readonly number[]): Promise<void> {
				const request = randomUUID();
				await journal.change({request, action: 'instances.destroy', target: [...ids]});
				await journal.answer({request, outcome: 'taken back'});
			},
		},
	};
}

/** A hash that distinguishes keys without revealing them. */
function fingerprint(key: string): string {
	return createHash('sha256').update(key).digest('hex').slice(0, 12);
}
