/** Gets the images that instances are made of. */
import {pause} from '../scheduler.ts';
import type {Scheduler} from '../scheduler.ts';
import {messageOf, retryDelay} from '../retry.ts';
import {at, fieldsOf} from './answer.ts';
import {EngineError} from './engine.ts';
import type {Engine} from './engine.ts';
import {readImageName, registryAuth} from './image-name.ts';
import type {ImageName} from './image-name.ts';
import {createPullProgress} from './pull-progress.ts';

/** An image that nobody can have: trying again is of no use. */
export class NoImage extends Error {
	override readonly name = 'NoImage';
}

export type ImageWish = {
	readonly image: string;
	/** How a registry is shown who asks, as the renter wrote it. */
	readonly login: string;
	readonly onProgress: (message: string) => void;
	readonly signal: AbortSignal;
	readonly scheduler: Scheduler;
	readonly random: () => number;
};

export type Image = {
	readonly name: string;
	/** The ports that it says it listens on, such as `80/tcp`. */
	readonly ports: readonly string[];
};

const MOST_TRIES = 5;

/**
 * Answers an image, pulling it where it is not there.
 *
 * @throws NoImage in the engine's words.
 */
export async function obtainImage(engine: Engine, wish: ImageWish): Promise<Image> {
	const name = readImageName(wish.image);
	if (name === undefined) throw new NoImage(`"${wish.image}" is not the name of an image`);
	const there = await findImage(engine, name);
	if (there !== undefined) return there;
	for (let tries = 1; ; tries++) {
		wish.onProgress(`Pulling image: ${wish.image}`);
		const problem = await pull(engine, name, wish);
		const pulled = problem === undefined ? await findImage(engine, name) : undefined;
		if (pulled !== undefined) return pulled;
		const words = problem ?? 'the engine says that it was pulled, and does not have it';
		const why = `Image ${wish.image} cannot be pulled: ${words}`;
		if (isFinal(words) || tries === MOST_TRIES) throw new NoImage(why);
		wish.onProgress(`${why}. Trying again.`);
		await pause(wish.scheduler, retryDelay(tries, wish.random()), wish.signal);
		wish.signal.throwIfAborted();
	}
}

/** What registries say where no later answer will be another one. */
const FINAL =
	/manifest unknown|name unknown|not found|denied|unauthorized|authentication required|no such|invalid reference|no matching manifest/i;

function isFinal(words: string): boolean {
	return FINAL.test(words) && !/no such host/i.test(words);
}

async function findImage(engine: Engine, {full}: ImageName): Promise<Image | undefined> {
	try {
		const about = await engine.ask({method: 'GET', path: `/images/${full}/json`});
		const ports = Object.keys(fieldsOf(at(about, 'Config', 'ExposedPorts')));
		return {name: full, ports: ports.filter(port => /^\d{1,5}\/(?:tcp|udp)$/.test(port))};
	} catch (error) {
		if (error instanceof EngineError && error.status === 404) return undefined;
		throw error;
	}
}

/** Answers what went wrong; undefined where nothing did. */
async function pull(
	engine: Engine,
	{repository, tag}: ImageName,
	{image, login, onProgress, signal}: ImageWish,
): Promise<string | undefined> {
	const auth = registryAuth(login);
	const progress = createPullProgress(image);
	let told = progress.message();
	const question = {
		method: 'POST',
		path: '/images/create',
		query: {fromImage: repository, tag},
		...(auth !== undefined && {headers: {'x-registry-auth': auth}}),
		signal,
		patienceMs: 0,
	} as const;
	try {
		await engine.values(question, line => {
			progress.take(line);
			const message = progress.message();
			if (message !== told) onProgress(message);
			told = message;
		});
		return progress.problem();
	} catch (error) {
		signal.throwIfAborted();
		// An engine that has gone is waited for, whatever was being pulled.
		if (error instanceof EngineError && error.status === undefined) throw error;
		return messageOf(error);
	}
}
