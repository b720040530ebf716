/** What is done every now and then: it is seen whether the engine answers, and what is used. */
import type {Illness} from '../runtime.ts';
import type {Cancel} from '../scheduler.ts';
import {watchGpus} from '../machine/lost-gpus.ts';
import type {Life} from './life.ts';
import {measure} from './measuring.ts';
import type {Loads} from './measuring.ts';
import {tellStatus} from './world.ts';
import type {World} from './world.ts';

export type Rounds = {
	/** From now on, there is something to look after on a machine. */
	readonly begin: (machineId: number) => void;
	/** A machine whose engine does not answer can do nothing. */
	readonly unwell: () => ReadonlyMap<number, Illness>;
	readonly end: () => void;
};

const ROUND_SECONDS = 10;

/** The disk is measured in one round of so many. */
const DISK_ROUNDS = 6;

const PATIENCE_MS = 5000;

export function createRounds(world: World, lives: ReadonlyMap<number, Life>): Rounds {
	const machines = new Set<number>();
	const lookAtGpus = watchGpus({
		machineGpus: world.machineGpus,
		running: () => [...lives.values()].map(({work}) => work),
		fail: async ({instance_id, boot}, status_msg) =>
			tellStatus(world, {instance_id, boot, status: 'failed', status_msg}),
		log: world.log,
	});
	let unwell: ReadonlyMap<number, Illness> = new Map();
	let count = 0;
	let cancel: Cancel | undefined;
	let isOver = false;

	async function round(): Promise<void> {
		const isWell = await answers(world);
		unwell = new Map(isWell ? [] : [...machines].map(id => [id, 'silent'] as const));
		const withDisk = count % DISK_ROUNDS === 0;
		count += 1;
		if (isWell) {
			await lookAtGpus();
			const loads = await loadsOf(world, [...lives.values()]);
			await Promise.allSettled(
				[...lives.values()].map(async life => measure(world, life, {withDisk, loads})),
			);
		}
	}

	function plan(): void {
		if (isOver) return;
		cancel = world.scheduler.after(ROUND_SECONDS, () => void round().then(plan));
	}

	return {
		begin(machineId) {
			machines.add(machineId);
			if (cancel === undefined) plan();
		},
		unwell: () => unwell,
		end() {
			isOver = true;
			cancel?.();
		},
	};
}

/** What the GPUs do, where somebody has rented some. */
async function loadsOf({measureGpus}: World, lives: readonly Life[]): Promise<Loads> {
	const usesGpus = lives.some(({work: {gpu_ids: ids = []}}) => ids.length > 0);
	return usesGpus ? measureGpus() : new Map();
}

async function answers({engine}: World): Promise<boolean> {
	try {
		await engine.ask({method: 'GET', path: '/_ping', patienceMs: PATIENCE_MS});
		return true;
	} catch {
		return false;
	}
}
