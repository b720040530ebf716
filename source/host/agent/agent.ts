/**
 * A provider's agent: it sends heartbeats of its machines, takes work for them, has a runtime do
 * it, and reports results. Failed calls are retried, and reports are queued while the market cannot
 * be reached, so that none is lost.
 */
import {sentenceOf} from '../../contract/rules/thrown.ts';
import {createRelayLinks, type LinkOptions} from '../relay/links.ts';
import type {Client} from '../../client/client.ts';
import type {Report, HostTask} from '../../contract/nouns/host-work.ts';
import {createCopies} from '../copies/copies.ts';
import {createCopyListeners} from '../copies/listeners.ts';
import {createReconciler} from './reconciler.ts';
import {createOutbox, plainText, keepReporting, reportRest} from './outbox.ts';
import {createHeartbeat, type Heartbeat, type AgentMachines} from './heartbeat.ts';
import {isKeyRefusedForGood, persist, type RetryTools, isRefused} from '../base/retry.ts';
import type {OpenRuntime, SendReport, Runtime} from '../base/runtime.ts';
import {pause, systemScheduler, type Scheduler} from '../base/scheduler.ts';
import {takeHostWork} from './take-work.ts';
import {createVolumes} from './volumes.ts';

/** The most characters of an answer in the contract; a longer answer keeps its end. */
const LONGEST_ANSWER = 512 * 1024;

type Answering = {
	readonly calls: Pick<Client['hosts'], 'answer'>;
	readonly runtime: Pick<Runtime, 'logs' | 'execute' | 'snapshot'>;
};

function createTaskAnswers({calls, runtime}: Answering, patience: RetryTools) {
	const asked = new Set<number>();

	async function answer(task: HostTask): Promise<void> {
		const text = plainText(await answerOf(runtime, task))
			.slice(-LONGEST_ANSWER)
			.toWellFormed();
		const attempt = async () => calls.answer(task.id, text, {signal: patience.signal});
		try {
			await persist(attempt, isRefused, patience);
		} catch (error) {
			// An aborted answer is no failure: its caller has disconnected.
			if (!patience.signal.aborted) patience.log(`${sentenceOf(error)}.`);
		}
	}

	/** Answers a task, unless it is being answered. */
	return async function answerOnce(task: HostTask): Promise<void> {
		if (asked.has(task.id)) return;
		asked.add(task.id);
		await answer(task);
		asked.delete(task.id);
	};
}

async function answerOf(runtime: Answering['runtime'], task: HostTask): Promise<string> {
	try {
		if (task.kind === 'snapshot') {
			if (runtime.snapshot === undefined) throw new Error('this machine cannot push images');
			return await runtime.snapshot(task);
		}
		return await (task.kind === 'logs' ? runtime.logs(task) : runtime.execute(task));
	} catch (error) {
		return `The host could not do it: ${sentenceOf(error)}\n`;
	}
}

export type HostCalls = Omit<Client['hosts'], 'publish' | 'withdraw'>;

type AgentOptions = {
	/** `client.hosts` of a client with a key of the machines' provider. */
	readonly calls: HostCalls;
	readonly openRuntime: OpenRuntime;
	/**
	 * Machines that the agent works for, where several agents share an account.
	 * @default all
	 */
	readonly share?: AgentMachines;
	/**
	 * URL and key of the market, for its relay.
	 * @default instances are reached at the machine alone
	 */
	readonly relay?: Pick<LinkOptions, 'url' | 'key' | 'pingSeconds'> | undefined;
	/** @default systemScheduler */
	readonly scheduler?: Scheduler;
	/** @default Math.random */
	readonly random?: () => number;
	/**
	 * True if the market stops and restarts together with the agent: the machines then stay listed,
	 * and no `disconnect` is sent.
	 * @default false
	 */
	readonly endsWithMarket?: boolean;
	/**
	 * Takes log lines for the provider.
	 *
	 * @default nowhere
	 */
	readonly log?: (line: string) => void;
};

type Agent = {
	/** Fulfils when the agent is closed, or earlier with the reason why it had to stop. */
	readonly ended: Promise<string | undefined>;
	/** Sends the remaining reports, disconnects the machines, and closes the runtime, within a second. */
	readonly close: () => Promise<void>;
};

const CLOSING_MS = 1000;

/**
 * Opens an agent. The first heartbeat is sent before this fulfils; an unreachable market is tried
 * again afterwards.
 *
 * @throws ApiError if the market does not accept the key.
 */
export async function openHostAgent({
	calls,
	openRuntime,
	share = {},
	relay,
	scheduler = systemScheduler,
	random = Math.random,
	endsWithMarket = false,
	log = () => undefined,
}: AgentOptions): Promise<Agent> {
	const stopping = new AbortController();
	const patience: RetryTools = {scheduler, random, log, signal: stopping.signal};
	const outbox = createOutbox();
	const report: SendReport = sent => {
		outbox.add(sent);
		if (sent.status === 'failed') log(failureOf(sent));
	};
	const runtime = openRuntime(report);
	const reconciler = createReconciler(runtime, report, patience);
	const volumes = createVolumes(runtime, patience);
	const presence = createHeartbeat(calls, runtime, share);
	const answer = createTaskAnswers({calls, runtime}, patience);
	const copies = createCopies({calls, runtime}, patience);
	const copyListeners = createCopyListeners({calls, runtime}, patience);
	const linked = withRelay(presence, {relay, runtime}, patience);
	const reporting = {
		calls,
		outbox,
		log,
		onGone(instanceIds: readonly number[]) {
			for (const id of instanceIds) reconciler.drop(id);
		},
	};

	let showAgainIn = 0;
	try {
		showAgainIn = await linked.show(stopping.signal);
	} catch (error) {
		if (isKeyRefusedForGood(error)) {
			await runtime.close();
			throw error;
		}
	}

	const ended = endOf(patience, stopping, [
		keepShowing(linked, showAgainIn, patience),
		takeHostWork(
			{calls, runtime, reconciler, volumes, answer, copies, copyListeners, share},
			patience,
		),
		keepReporting(reporting, patience),
	]);

	async function close(): Promise<void> {
		stopping.abort();
		const deadline = AbortSignal.timeout(CLOSING_MS);
		await quietly(async () => Promise.race([ended, endOfSignal(deadline)]), log);
		await quietly(async () => reportRest(reporting, deadline), log);
		if (!endsWithMarket) await quietly(async () => presence.leave(deadline), log);
		await quietly(runtime.close, log);
	}

	let closed: Promise<void> | undefined;
	return {ended, close: async () => (closed ??= close())};
}

type Relaying = Pick<AgentOptions, 'relay'> & {readonly runtime: Pick<Runtime, 'enter'>};

/** Heartbeats, each of which also offers connections to the market's relays. */
function withRelay(
	presence: Heartbeat,
	{relay, runtime: {enter}}: Relaying,
	patience: RetryTools,
): Pick<Heartbeat, 'show'> {
	if (relay === undefined || enter === undefined) return presence;
	const links = createRelayLinks({...relay, enter}, patience);
	return {
		async show(signal) {
			const seconds = await presence.show(signal);
			const {hasRelay, machines, relays} = presence.last();
			const own = hasRelay ? [{url: relay.url, pass: relay.key, isMarket: true}] : [];
			const others = relays.map(({url, ticket}) => ({url, pass: ticket, isMarket: false}));
			links.want([...own, ...others], machines);
			return seconds;
		},
	};
}

function failureOf({instance_id: id, status_msg: why}: Report): string {
	return `Instance ${id} failed: ${why ?? 'nobody said why'}`;
}

async function keepShowing(
	presence: Pick<Heartbeat, 'show'>,
	first: number,
	patience: RetryTools,
): Promise<void> {
	const {scheduler, signal} = patience;
	for (let seconds = first; !signal.aborted;) {
		await pause(scheduler, seconds, signal);
		seconds = await persist(async () => presence.show(signal), isKeyRefusedForGood, patience);
	}
}

/** Logs a failed step of closing the agent instead of throwing. */
async function quietly(attempt: () => Promise<unknown>, log: (line: string) => void) {
	try {
		await attempt();
	} catch (error) {
		log(`${sentenceOf(error)}. The host leaves nevertheless.`);
	}
}

async function endOfSignal(signal: AbortSignal): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	signal.addEventListener('abort', () => resolve(), {once: true});
	await promise;
}

/** Waits for the end of all loops. The first loop that fails ends the others. */
async function endOf(
	{signal, log}: RetryTools,
	stopping: AbortController,
	loops: ReadonlyArray<Promise<void>>,
): Promise<string | undefined> {
	let reason: string | undefined;
	const end = (error: unknown) => {
		if (signal.aborted) return;
		reason = sentenceOf(error);
		log(`${reason}. The host stops.`);
		stopping.abort();
	};
	await Promise.all(loops.map(async loop => loop.catch(end)));
	return reason;
}
