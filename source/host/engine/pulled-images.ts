/**
 * Images that the agent itself has pulled: unused ones are evicted when the engine's disk gets
 * full.
 */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {replaceFile} from '../../client/files/files.ts';
import {fieldsOf, parseJson, textAt} from '../../contract/grammar/json.ts';
import {freeShare} from '../machine/trees.ts';
import {EngineError, type Engine} from './engine.ts';

export type PulledImages = {
	/**
	 * Records that an instance uses an image. @param isPulled It was pulled for that, and is the
	 * agent's own
	 */
	readonly use: (name: string, isPulled: boolean) => Promise<void>;
	/**
	 * Evicts the agent's own images, the longest unused first, until there is enough space. @param
	 * least Number of images to evict at least
	 */
	readonly freeSpace: (least?: number) => Promise<void>;
};

type Options = {
	readonly engine: Pick<Engine, 'ask'>;
	readonly folder: string;
	/** Names of images that are never removed. */
	readonly kept: readonly string[];
	readonly log: (line: string) => void;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Free share of the disk that holds images; undefined if unknown. */
	readonly free?: () => Promise<number | undefined>;
};

/** Free share of the disk to keep for the files of instances. */
const LEAST_FREE = 0.1;

/** Grace period of a requested image, which may have no container yet. */
const JUST_USED_MS = 15 * 60_000;

export function openPulledImages(options: Options): PulledImages {
	const {engine, folder, kept, log, now, free = async () => freeOf(engine)} = options;
	const file = join(folder, 'pulled-images.json');
	let known: Promise<Map<string, number>> | undefined;
	let written = Promise.resolve();

	async function list(): Promise<Map<string, number>> {
		known ??= readList(file);
		return known;
	}

	/** Serialises writes, each of the whole list. */
	async function write(): Promise<void> {
		const all = await list();
		written = written
			.then(async () => replaceFile(file, JSON.stringify(Object.fromEntries(all))))
			.catch(() => undefined);
		await written;
	}

	async function remove(name: string): Promise<boolean> {
		const all = await list();
		try {
			await engine.ask({method: 'DELETE', path: `/images/${name}`});
		} catch (error) {
			// An image used by a container stays, and is retried later.
			if (!(error instanceof EngineError && error.status === 404)) return false;
			all.delete(name);
			return false;
		}
		all.delete(name);
		log(`Image ${name} was removed: the disk is nearly full, and nobody uses it.`);
		return true;
	}

	async function isTight(): Promise<boolean> {
		const share = await free().catch(() => undefined);
		return share !== undefined && share < LEAST_FREE;
	}

	return {
		async use(name, isPulled) {
			const all = await list();
			if (!isPulled && !all.has(name)) return;
			all.set(name, now());
			await write();
		},
		async freeSpace(least = 0) {
			const unused = [...(await list())]
				.filter(([name, usedAt]) => !kept.includes(name) && now() - usedAt > JUST_USED_MS)
				.toSorted(([, one], [, other]) => one - other);
			let removed = 0;
			for (const [name] of unused) {
				// oxlint-disable-next-line no-await-in-loop -- each may be the last that is needed
				if (removed >= least && !(await isTight())) break;
				// oxlint-disable-next-line no-await-in-loop -- one after the other
				if (await remove(name)) removed += 1;
			}
			await write();
		},
	};
}

/** Times of last use, by name. */
async function readList(file: string): Promise<Map<string, number>> {
	const json = fieldsOf(parseJson(await readFile(file, 'utf8').catch(() => '')));
	const times = Object.entries(json).filter(
		(entry): entry is [string, number] => typeof entry[1] === 'number',
	);
	return new Map(times);
}

async function freeOf(engine: Pick<Engine, 'ask'>): Promise<number | undefined> {
	const root = textAt(await engine.ask({method: 'GET', path: '/info'}), 'DockerRootDir');
	return root === undefined || root === '' ? undefined : freeShare(root);
}
