/** Keeps an agent's sessions with the relays of its market open. */
import {randomUUID} from 'node:crypto';
import {RELAY_SESSIONS} from '../../contract/rules/relay.ts';
import {sentenceOf} from '../../contract/rules/thrown.ts';
import {retryDelay, type RetryTools} from '../base/retry.ts';
import {pause} from '../base/scheduler.ts';
import {dialRelay, RelayRefused} from './dial.ts';
import {createNearness} from './nearness.ts';
import {serveRelay, type RelayServing} from './serve.ts';

type OfferedRelay = {
	readonly url: string;
	/** The agent's key for the market's own relay, and a ticket for others. */
	readonly pass: string;
	readonly isMarket: boolean;
};

type RelayLinks = {
	/** Opens sessions with these relays for some machines, and ends those with others. */
	readonly want: (relays: readonly OfferedRelay[], machines: readonly number[]) => void;
};

export type LinkOptions = RelayServing & {
	/** URL of the market, and the agent's key for it. */
	readonly url: string;
	readonly key: string;
};

type Link = {
	/** Present relay and ticket: tickets expire. */
	relay: OfferedRelay;
	readonly machines: readonly number[];
	readonly stopping: AbortController;
};

/** Minimum duration of a healthy session, after which the backoff starts again. */
const FINE_MS = 10_000;

export function createRelayLinks(
	{url: market, key: _key, ...serving}: LinkOptions,
	patience: RetryTools,
): RelayLinks {
	const {scheduler, random, log} = patience;
	const start = randomUUID();
	const links = new Map<string, Link>();
	const nearness = createNearness(market);

	async function dial({relay, machines, stopping: {signal}}: Link): Promise<void> {
		const lookup = relay.isMarket ? undefined : await nearness.lookupFor(relay.url);
		const {url, pass} = relay;
		const socket = await dialRelay({url, pass, machines, start, lookup}, signal);
		await serveRelay(socket, serving, signal);
	}

	/** Keeps one session open, with a growing backoff after failures. */
	async function keep(link: Link, isFirst: boolean): Promise<void> {
		const {signal} = link.stopping;
		for (let failures = 0; !signal.aborted;) {
			const startedAt = performance.now();
			try {
				await dial(link);
			} catch (error) {
				if (signal.aborted) return;
				if (isFirst && failures === 0) log(`${sentenceOf(error)}. Trying again.`);
				// A relay's refusal of the key is no news: heartbeats get it, too, and they end the
				// agent.
				if (error instanceof RelayRefused && error.status < 500) failures += 4;
			}
			failures = performance.now() - startedAt > FINE_MS ? 1 : failures + 1;
			await pause(scheduler, retryDelay(failures, random()), signal);
		}
	}

	function open(relay: OfferedRelay, machines: readonly number[]): void {
		const link = {relay, machines, stopping: new AbortController()};
		links.set(relay.url, link);
		for (let index = 0; index < RELAY_SESSIONS; index += 1) void keep(link, index === 0);
	}

	function end(url: string): void {
		links.get(url)?.stopping.abort();
		links.delete(url);
	}

	const endAll = () => links.forEach((_, url) => end(url));
	patience.signal.addEventListener('abort', endAll, {once: true});
	return {
		want(relays, machines) {
			if (patience.signal.aborted) return;
			const wanted = new Map(machines.length === 0 ? [] : relays.map(relay => [relay.url, relay]));
			for (const [url, link] of links) {
				const isSame = link.machines.join() === machines.join();
				if (!wanted.has(url) || !isSame) end(url);
			}
			for (const [url, relay] of wanted) {
				const link = links.get(url);
				if (link === undefined) open(relay, machines);
				else link.relay = relay;
			}
		},
	};
}
