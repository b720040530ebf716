/**
 * Deliveries to webhooks: at least once, with a growing backoff, and without delaying each other.
 */
import type {Log} from '../base/log.ts';
import type {MarketClock} from '../base/clock.ts';
import type {Database} from '../database/database.ts';
import {
	claimDeliveries,
	dueWebhooks,
	endDelivery,
	putOffDelivery,
	type Delivery,
	type DueWebhook,
} from './store.ts';
import {createSweeper} from '../base/sweeper.ts';
import type {Poster} from './posting.ts';

/** Body of a webhook request, in the same form for every kind. */
type Event = {
	readonly eventId: string;
	readonly accountId: number;
	readonly slug: string;
	readonly subject: string;
	readonly message: string;
	readonly at: number;
};

export function formatEventBody({eventId, accountId, slug, subject, message, at}: Event): string {
	return JSON.stringify({
		event_id: eventId,
		user_id: accountId,
		notif_type: slug,
		subject,
		message,
		timestamp: at,
	});
}

/** Backoff between attempts; after the last of them a delivery is given up. */
const PAUSES_SECONDS = [10, 60, 600, 3600] as const;

/** Time after which a claimed delivery is sent again, because its process may have been killed. */
const CLAIMED_SECONDS = 30;

/** Requests at once: to one webhook, and to all. */
const MOST_OF_ONE = 4;
const MOST_IN_ALL = 64;

type Sending = {readonly personId: number; readonly requests: Set<Promise<void>>};

type Deliveries = {
	/** Sends due deliveries, and fulfils when all were answered. */
	readonly deliver: () => Promise<void>;
	readonly start: () => void;
	/** Aborts requests in progress, which are sent again later. */
	readonly stop: () => Promise<void>;
};

type Options = {
	readonly database: Database;
	readonly clock: Pick<MarketClock, 'now'>;
	readonly poster: Poster;
	readonly log: Log;
};

export function createDeliveries({database, clock, poster, log}: Options): Deliveries {
	const stopped = new AbortController();
	const {signal} = stopped;
	const sending = new Map<number, Sending>();
	const underWay = () => [...sending.values()].flatMap(({requests}) => [...requests]);

	async function send(delivery: Delivery): Promise<void> {
		const {account_id: accountId, event_id: eventId, attempts: attempt} = delivery;
		const {url, secret, slug, subject, message, happened_at: at} = delivery;
		const body = formatEventBody({eventId, accountId, slug, subject, message, at});
		const problem = await poster.post({
			url,
			secret,
			body,
			eventId,
			attempt,
			now: clock.now(),
			signal,
		});
		// An aborted request has no known outcome, and stays claimed.
		if (problem !== undefined && signal.aborted) return;
		const now = clock.now();
		const pause = PAUSES_SECONDS[attempt - 1];
		const isOver = problem === undefined || problem.isFinal || pause === undefined;
		if (isOver) await endDelivery(database, delivery, {isTaken: problem === undefined, now});
		else await putOffDelivery(database, delivery, now + pause);
	}

	async function begin({webhookId, personId}: DueWebhook): Promise<void> {
		const mine = sending.get(webhookId)?.requests ?? new Set();
		const most = Math.min(MOST_OF_ONE - mine.size, MOST_IN_ALL - underWay().length);
		if (most <= 0 || signal.aborted) return;
		const now = clock.now();
		const claim = {webhookId, most, now, again: now + CLAIMED_SECONDS};
		const claimed = await claimDeliveries(database, claim);
		for (const delivery of claimed) {
			const sent = send(delivery)
				.catch((error: unknown) => log(`sending to a webhook failed: ${String(error)}`))
				.finally(() => {
					mine.delete(sent);
					if (mine.size === 0) sending.delete(webhookId);
				});
			sending.set(webhookId, {personId, requests: mine.add(sent)});
		}
	}

	/** Count of requests under way to the webhooks of each person. */
	function loads(): ReadonlyMap<number, number> {
		const counts = new Map<number, number>();
		for (const {personId, requests} of sending.values()) {
			counts.set(personId, (counts.get(personId) ?? 0) + requests.size);
		}
		return counts;
	}

	async function beginDue(): Promise<void> {
		const due = await dueWebhooks(database, clock.now());
		const counts = loads();
		const loadOf = ({personId}: DueWebhook) => counts.get(personId) ?? 0;
		// Nobody's slow webhooks, however many, keep the places from others.
		for (const one of due.toSorted((a, b) => loadOf(a) - loadOf(b))) await begin(one);
	}

	const turns = createSweeper(beginDue, clock, {log});

	return {
		async deliver() {
			await turns.sweep();
			while (sending.size > 0) {
				await Promise.race(underWay());
				await turns.sweep();
			}
		},
		start: turns.start,
		async stop() {
			stopped.abort();
			await turns.stop();
			await Promise.all(underWay());
		},
	};
}
