/** Takes work from the market, and hands it to the reconciler, copies and tasks. */
import {messageOf} from '../contract/rules/thrown.ts';
import type {Client} from '../client/client.ts';
import type {Task, VolumeWork} from '../contract/nouns/host-work.ts';
import type {Copies} from './copies.ts';
import type {CopyDoors} from './copy-doors.ts';
import type {Reconciler} from './reconciler.ts';
import {isShutOut, persist, type Patience} from './retry.ts';
import type {Runtime} from './runtime.ts';
import {pause} from './scheduler.ts';
import type {Share} from './heartbeat.ts';

/** Longest time for the market to wait for new work before it replies. */
const WAIT_SECONDS = 8;

/** Pause after a reply without new work that came at once. */
const IDLE_SECONDS = 0.25;

type Working = {
	readonly calls: Pick<Client['hosts'], 'takeWork'>;
	readonly runtime: Pick<Runtime, 'adopt' | 'keepVolume' | 'removeVolume'>;
	readonly reconciler: Reconciler;
	/** Machines whose work is taken. */
	readonly share: Share;
	readonly answer: (task: Task) => Promise<void>;
	readonly copies: Copies;
	readonly copyDoors: CopyDoors;
};

type Taken = Awaited<ReturnType<Client['hosts']['takeWork']>>;

/** Takes all work once, adopts its instances, and then takes changes until the signal fires. */
export async function takeWork(working: Working, patience: Patience): Promise<void> {
	const {scheduler, signal} = patience;
	let after = 0;
	let waitSeconds = 0;
	let isAdopted = false;
	while (!signal.aborted) {
		const query = {...working.share, after, waitSeconds};
		const attempt = async () => working.calls.takeWork(query, {signal});
		const taken = await persist(attempt, isShutOut, patience);
		if (taken.revision < after) {
			// The market was restored or replaced: its revisions begin anew.
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
		if (after === 0) working.reconciler.keepOnly(new Set(taken.work.map(work => work.instance_id)));
		if (taken.revision === after) await pause(scheduler, IDLE_SECONDS, signal);
		after = taken.revision;
		waitSeconds = WAIT_SECONDS;
	}
}

async function handOut(
	{runtime, reconciler, answer, copies: copying, copyDoors}: Working,
	{work, volumes, tasks, copies = [], copy_doors: doors = []}: Taken,
	{log}: Patience,
): Promise<void> {
	for (const volume of volumes) {
		try {
			await settleVolume(runtime, volume);
		} catch (error) {
			log(`Could not settle volume ${volume.volume_id}: ${messageOf(error)}.`);
		}
	}
	for (const each of work) reconciler.want(each);
	for (const task of tasks) void answer(task);
	copying.want(copies);
	copyDoors.want(doors);
}

async function settleVolume(runtime: Working['runtime'], volume: VolumeWork): Promise<void> {
	return volume.wanted === 'kept'
		? runtime.keepVolume(volume)
		: runtime.removeVolume(volume.volume_id);
}
