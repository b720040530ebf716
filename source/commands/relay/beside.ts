/** A relay that follows its market: it asks for its ports again and again, and goes on while it is away. */
import {openClient, type Client} from '../../client/client.ts';
import {ApiError} from '../../client/exchange/errors.ts';
import {LONGEST_RELAY_WAIT} from '../../contract/nouns/relays.ts';
import {sentenceOf} from '../../contract/rules/thrown.ts';
import {isRefused, isKeyRefusedForGood, persist, type RetryTools} from '../../host/base/retry.ts';
import {pause, systemScheduler} from '../../host/base/scheduler.ts';
import {systemClock} from '../../market/base/clock.ts';
import {Refusal} from '../../market/base/refusal.ts';
import {refusalResponse, respond} from '../../market/http/answers.ts';
import {listen, stopServer, serverUrlOf, type ListenOptions} from '../../market/http/listen.ts';
import {gaugeLines, relayGauges, serveMetrics} from '../../market/service/metrics.ts';
import {openFarRelay, type FarRelay, type FarRelayOptions} from '../../market/relay/far-relay.ts';

type BesideOptions = Pick<ListenOptions, 'port' | 'tls'> &
	Pick<FarRelayOptions, 'limits' | 'pingSeconds'> & {
		/** URL of the market, and the relay's key for it. */
		readonly url: string;
		readonly key: string;
		readonly address: string;
		readonly metricsPort?: number | undefined;
		readonly log: (line: string) => void;
	};

type BesideMarket = {
	readonly name: string;
	/** The ports that it has. */
	readonly first: number;
	readonly last: number;
	/** Address at which agents dial it, as it listens. */
	readonly url: string;
	readonly metricsUrl: string | undefined;
	readonly counts: FarRelay['counts'];
	/** Fulfils when it is closed, or with the reason why it had to stop before. */
	readonly ended: Promise<string | undefined>;
	readonly close: () => Promise<void>;
};

/** @throws Error that says why it cannot be opened */
export async function openBesideMarket(options: BesideOptions): Promise<BesideMarket> {
	const {url, key, log, metricsPort, ...listening} = options;
	const client = openClient({url, key, userAgent: 'rentty-relay', repeats: 0});
	const machinesFor = async (ticket: string) => askMachines(client, ticket);
	const relay = await openFarRelay({...listening, log, machinesFor});
	const stopping = new AbortController();
	const patience = {scheduler: systemScheduler, random: Math.random, log, signal: stopping.signal};
	const letGo = async () => {
		stopping.abort();
		await relay.close();
		await client.close();
	};
	try {
		const first = await client.relays.ports({
			known: undefined,
			waitSeconds: 0,
			counts: relay.counts(),
		});
		await relay.lead(first.ports);
		const clock = {now: systemClock.now};
		const server = await listen(answer, listening, {clock, log, upgrade: relay.upgrade});
		const figures = metricsPort === undefined ? undefined : await openFigures(relay, metricsPort);
		const ended = follow({client, relay}, first.version, patience);
		return {
			name: first.name,
			first: first.first_port,
			last: first.last_port,
			url: serverUrlOf(server),
			metricsUrl: figures && serverUrlOf(figures),
			counts: relay.counts,
			ended,
			async close() {
				await letGo();
				await Promise.all([stopServer(server, 0), figures && stopServer(figures, 0), ended]);
			},
		};
	} catch (error) {
		await letGo();
		throw error;
	}
}

/** Answers all requests that are no connection of an agent. */
function answer({url}: Request): Response {
	if (new URL(url).pathname === '/healthz') return respond(200, {success: true});
	return refusalResponse(
		new Refusal('noSuchPath', 'This is a relay: there is nothing at this path.'),
	);
}

/** Asks the market which machines a ticket is for; none if it refuses the ticket. */
async function askMachines(client: Client, ticket: string): Promise<readonly number[]> {
	try {
		return await client.relays.agent(ticket);
	} catch (cause) {
		if (cause instanceof ApiError && isRefused(cause) && !isKeyRefusedForGood(cause)) return [];
		throw new Refusal('unavailable', 'The market of this relay does not answer.', {cause});
	}
}

type Following = {readonly client: Client; readonly relay: FarRelay};

/** Pause after an answer, so that a market whose answers differ each time is not asked without end. */
const PAUSE_SECONDS = 0.05;

/** Relays the ports that the market names; returns a reason if the relay must stop. */
async function follow(
	{client, relay}: Following,
	first: string,
	patience: RetryTools,
): Promise<string | undefined> {
	const {signal, scheduler, log} = patience;
	let known = first;
	const poll = async () =>
		client.relays.ports({known, waitSeconds: LONGEST_RELAY_WAIT, counts: relay.counts()}, {signal});
	try {
		while (!signal.aborted) {
			const {version, ports} = await persist(poll, isKeyRefusedForGood, patience);
			if (version !== known) await relay.lead(ports);
			known = version;
			await pause(scheduler, PAUSE_SECONDS, signal);
		}
		return undefined;
	} catch (error) {
		if (signal.aborted) return undefined;
		log(`${sentenceOf(error)}. The relay stops.`);
		return sentenceOf(error);
	}
}

async function openFigures(relay: FarRelay, port: number) {
	const write = async () => `${gaugeLines(relayGauges(relay.counts())).join('\n')}\n`;
	return serveMetrics(write, {port, address: '127.0.0.1'});
}
