/** Sees which GPUs are gone from the machine, and tells whoever rents them, and whoever offers them. */
import {lostPlaces} from '../machine/gpu-names.ts';
import {messageOf} from '../retry.ts';
import {lostSentence} from './gpus.ts';
import type {Life} from './life.ts';
import {tellStatus} from './world.ts';
import type {World} from './world.ts';

/** A tool that says nothing may be busy: so often in a row, there is nothing left that it could name. */
const SILENT_LOOKS = 3;

export function watchGpus(world: World, lives: ReadonlyMap<number, Life>): () => Promise<void> {
	const {names, list, onLost} = world.machineGpus;
	const told = new WeakSet<Life>();
	let published = '';
	let silent = 0;

	async function publish(lost: readonly number[]): Promise<void> {
		if (String(lost) === published) return;
		try {
			await onLost(lost);
			published = String(lost);
		} catch (error) {
			world.log(`Could not say which GPUs are gone: ${messageOf(error)}. Trying again.`);
		}
	}

	return async function look(): Promise<void> {
		if (names.length === 0) return;
		const present = await list();
		silent = present.size === 0 ? silent + 1 : 0;
		if (silent > 0 && silent < SILENT_LOOKS) return;
		const lost = lostPlaces(names, present);
		for (const life of lives.values()) {
			const gone = (life.work.gpu_ids ?? []).find(id => lost.includes(id));
			if (gone === undefined || told.has(life)) continue;
			told.add(life);
			await tellLost(world, life, names[gone] ?? '');
		}
		await publish(lost);
	};
}

async function tellLost(world: World, {work}: Life, name: string): Promise<void> {
	const {instance_id, boot} = work;
	await tellStatus(world, {instance_id, boot, status: 'failed', status_msg: lostSentence(name)});
}
