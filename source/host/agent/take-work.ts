/** Takes work from the market, and passes it to the reconciler, copies and tasks. */
import type {Client} from '../../client/client.ts';
import type {UnreadOrder} from '../../contract/grammar/order-lists.ts';
import type {HostTask} from '../../contract/nouns/host-work.ts';
import type {Copies} from '../copies/copies.ts';
import type {CopyListeners} from '../copies/listeners.ts';
import type {Reconciler} from './reconciler.ts';
import {isKeyRefusedForGood, persist, type RetryTools} from '../base/retry.ts';
import type {Runtime} from '../base/runtime.ts';
import {pause} from '../base/scheduler.ts';
import type {Volumes} from './volumes.ts';
import type {AgentMachines} from './heartbeat.ts';

/** Longest time for the market to wait for new work before it replies. */
const WAIT_SECONDS = 8;

/** Pause after a reply without new work that came at once. */
const IDLE_SECONDS = 0.25;

type Working = {
	readonly calls: Pick<Client['hosts'], 'takeWork'>;
	readonly runtime: Pick<Runtime, 'adopt'>;
	readonly reconciler: Reconciler;
	readonly volumes: Volumes;
	readonly share: AgentMachines;
	readonly answer: (task: HostTask) => Promise<void>;
	readonly copies: Copies;
	readonly copyListeners: CopyListeners;
};

type WorkReply = Awaited<ReturnType<Client['hosts']['takeWork']>>;

/** Takes all work once, adopts its instances, and then polls for changes until the signal fires. */
export async function takeHostWork(working: Working, patience: RetryTools): Promise<void> {
	const {scheduler, signal} = patience;
	let after = 0;
	let waitSeconds = 0;
	let isAdopted = false;

	async function poll(): Promise<WorkReply> {
		try {
			return await working.calls.takeWork({...working.share, after, waitSeconds}, {signal});
		} catch (error) {
			// The market may return restored, with other orders under revisions that are known here.
			after = 0;
			waitSeconds = 0;
			throw error;
		}
	}

	while (!signal.aborted) {
		const taken = await persist(poll, isKeyRefusedForGood, patience);
		if (taken.revision < after) {
			// The market was restored or replaced: its revisions start again.
			after = 0;
			waitSeconds = 0;
			continue;
		}
		if (!isAdopted) {
			const adopt = async () => working.runtime.adopt(taken.work);
			working.reconciler.adopt(await persist(adopt, () => false, patience));
			isAdopted = true;
		}
		await handOut(working, taken, patience);
		if (after === 0) keepOrdered(working, taken);
		if (taken.revision === after) await pause(scheduler, IDLE_SECONDS, signal);
		after = taken.revision;
		waitSeconds = WAIT_SECONDS;
	}
}

/** Removes instances, volumes and copies that no order, not even an unreadable one, refers to. */
function keepOrdered(
	{reconciler, volumes: keeping, copies: copying}: Working,
	{work, volumes, copies = [], unread = []}: WorkReply,
): void {
	const isRead = (...lists: readonly string[]) => !unread.some(({list}) => lists.includes(list));
	const copiesEnded = isRead('copies') ? copying.keepOnly(copies) : Promise.resolve();
	// An unreadable instance may mount any volume.
	if (isRead('work', 'volumes')) {
		const wanted = volumes.filter(volume => volume.wanted === 'kept');
		const mounted = work.flatMap(({mounts = []}) => mounts);
		const ids = [...wanted, ...mounted].map(({volume_id: id}) => id);
		keeping.keepOnly(new Set(ids), copiesEnded);
	}
	const kept = unread.filter(({list}) => list === 'work').map(({instanceId}) => instanceId);
	if (kept.includes(undefined)) return;
	const ids = [...work.map(({instance_id: id}) => id), ...kept];
	reconciler.keepOnly(new Set(ids.filter(id => id !== undefined)));
}

/** Most unreadable orders of a reply that the log names. */
const MOST_NAMED = 3;

function complain(unread: readonly UnreadOrder[], log: (line: string) => void): void {
	for (const {list, index, instanceId, why} of unread.slice(0, MOST_NAMED)) {
		const about = instanceId === undefined ? '' : ` about instance ${instanceId}`;
		log(`An order${about} is left out, number ${index + 1} of ${list}, for ${why}.`);
	}
	const others = unread.length - MOST_NAMED;
	if (others > 0) log(`Further orders are left out, for they cannot be read: ${others}.`);
}

async function handOut(
	{reconciler, volumes: keeping, answer, copies: copying, copyListeners}: Working,
	{work, volumes, tasks, copies = [], copy_doors: doors = [], unread = []}: WorkReply,
	{log}: RetryTools,
): Promise<void> {
	complain(unread, log);
	// A copy that still writes would make its removed volume again.
	await keeping.want(volumes, copying.cancel(copies));
	for (const each of work) reconciler.want(each);
	for (const task of tasks) void answer(task);
	copying.want(copies);
	copyListeners.want(doors);
}
