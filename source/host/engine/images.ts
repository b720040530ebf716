import {codeOf, messageOf} from '../../contract/rules/thrown.ts';
import {pause, type Scheduler} from '../base/scheduler.ts';
import {retryDelay, CannotStart} from '../base/retry.ts';
import {at, fieldsOf, listOf, parseJson} from '../../contract/grammar/json.ts';
import {EngineError, type Engine} from './engine.ts';
import {readImageName, registryAuth, type ImageName} from './image-name.ts';
import type {PulledImages} from './pulled-images.ts';
import {limitPull, type PullLimit} from './pull-limit.ts';
import {createPullProgress} from './pull-progress.ts';
import {readFile} from 'node:fs/promises';
import {replaceFile} from '../../client/files/files.ts';
import {join} from 'node:path';
import {lookup} from 'node:dns/promises';
import {isPublicAddress} from '../../contract/rules/public-address.ts';

type Resolve = (host: string) => Promise<readonly string[]>;

const resolveHost: Resolve = async host =>
	(await lookup(host, {all: true})).map(({address}) => address);

/** True for an image id, which would also match images of other users. */
function isImageId(name: string): boolean {
	const digits = name.replace(/^sha256[:@]/i, '');
	return digits.length >= 12 && digits.length <= 64 && /^[a-f\d]+$/i.test(digits);
}

/**
 * Refuses the provider's own images, and registries in the machine's own network.
 *
 * @throws CannotStart
 */
export async function refuseLocalImage(
	text: string,
	{registry}: ImageName,
	resolve: Resolve = resolveHost,
): Promise<void> {
	if (isImageId(text.trim())) {
		throw new CannotStart(
			`"${text}" is the number of an image, by which none is pulled. Give its name in a registry, such as ubuntu:24.04 or ghcr.io/one/two@sha256:….`,
		);
	}
	if (await resolvesToPublicAddresses(registry, resolve)) return;
	throw new CannotStart(
		`The registry ${registry} is on this machine or in its network: nothing is pulled from there. Push the image to a registry that everybody reaches, or ask the provider to allow local images.`,
	);
}

export async function resolvesToPublicAddresses(
	registry: string,
	resolve: Resolve = resolveHost,
): Promise<boolean> {
	const host = registry.replace(/:\d*$/, '');
	if (!isHostName(host)) return false;
	const addresses = await resolve(host).catch(() => []);
	// A name without an address is left to the engine, which has its own name server.
	return addresses.every(isPublicAddress);
}

/**
 * False for an address in any notation, and for a single word, which is a name of the local
 * network.
 */
function isHostName(host: string): boolean {
	const last = host.split('.').at(-1) ?? '';
	if (/^(?:localhost|local|internal|lan|home|corp|intranet|localdomain)$/i.test(last)) return false;
	return host.includes('.') && /^[a-z][a-z\d-]*$/i.test(last);
}

type ImageRequest = {
	readonly image: string;
	/** Registry login as the renter wrote it. */
	readonly login: string;
	/** True if images of the machine, and registries in its network, are allowed. */
	readonly allowsLocal: boolean;
	/** Folder with the list of images that needed a login. */
	readonly folder: string;
	readonly pulled: PulledImages;
	readonly onProgress: (message: string) => void;
	/** Receives an engine's own messages, for the provider only: they may name private machines. */
	readonly log: (line: string) => void;
	readonly signal: AbortSignal;
	readonly scheduler: Scheduler;
	readonly random: () => number;
};

type Image = {
	readonly name: string;
	/** Exposed ports of the image, such as `80/tcp`. */
	readonly ports: readonly string[];
};

/** A request whose signal also fires when the pull's time is over. */
type LimitedRequest = ImageRequest & {readonly limit: PullLimit};

const MOST_TRIES = 5;

/**
 * Returns an image, pulled if missing. An image that needed a login is pulled each time, so that its
 * registry checks the login.
 *
 * @throws CannotStart
 */
export async function obtainImage(engine: Engine, request: ImageRequest): Promise<Image> {
	const {allowsLocal, folder, login, pulled} = request;
	const name = await allowedName(request);
	const mustShow = login !== '' || (await isLocked(folder, name.repository));
	const there = mustShow ? undefined : await findImage(engine, name, allowsLocal);
	if (there !== undefined) {
		await pulled.use(there.name, false);
		return there;
	}
	const isNew = !mustShow || (await findImage(engine, name, true)) === undefined;
	await pulled.freeSpace();
	const image = await pullInTime(engine, name, request);
	await pulled.use(image.name, isNew);
	return image;
}

async function pullInTime(engine: Engine, name: ImageName, request: ImageRequest): Promise<Image> {
	const limit = limitPull(request.scheduler);
	try {
		return await pullAgain(engine, name, {
			...request,
			limit,
			signal: AbortSignal.any([request.signal, limit.signal]),
		});
	} catch (error) {
		request.signal.throwIfAborted();
		if (!limit.signal.aborted) throw error;
		const why = 'its registry is too slow, and the GPUs that wait for it are given back';
		throw new CannotStart(`Image ${request.image} cannot be pulled: ${why}`, {cause: error});
	} finally {
		limit.end();
	}
}

/** Pulls until the image is present. @throws CannotStart */
async function pullAgain(engine: Engine, name: ImageName, request: LimitedRequest): Promise<Image> {
	const {image, folder, login, log, pulled} = request;
	for (let tries = 1; ; tries++) {
		request.onProgress(`Pulling image: ${image}`);
		if (login !== '') await noteLocked(folder, name.repository);
		const problem = await pull(engine, name, request);
		const got = problem === undefined ? await findImage(engine, name, true) : undefined;
		if (got !== undefined) return got;
		const message = problem ?? 'the engine says that it was pulled, and does not have it';
		log(`Image ${image} cannot be pulled: ${message}`);
		const {why, isFinal, isFull = false} = reasonOf(message);
		if (isFull) await pulled.freeSpace(1);
		const sentence = `Image ${image} cannot be pulled: ${why}`;
		if (isFinal || tries === MOST_TRIES) throw new CannotStart(sentence);
		request.onProgress(`${sentence}. Trying again.`);
		await pause(request.scheduler, retryDelay(tries, request.random()), request.signal);
		request.signal.throwIfAborted();
	}
}

async function allowedName({image, allowsLocal}: ImageRequest): Promise<ImageName> {
	const name = readImageName(image);
	if (name === undefined) throw new CannotStart(`"${image}" is not the name of an image`);
	if (!allowsLocal) await refuseLocalImage(image, name);
	return name;
}

/**
 * Final errors of engines, in words for the renter. The engine's own words may name machines of the
 * provider's network.
 */
const reasons: ReadonlyArray<readonly [words: RegExp, why: string]> = [
	[
		/denied|unauthorized|authentication required|forbidden/i,
		'its registry asks for a login, or for another one (unauthorized)',
	],
	[
		/no matching manifest|no image found.{0,200}for architecture|choosing.{0,200}image.{0,200}arch/i,
		'its registry has none for the processor of this machine',
	],
	[
		/manifest unknown|name unknown|not found|no such (?!host)|invalid reference/i,
		'its registry has no such image (manifest unknown)',
	],
];

function reasonOf(text: string) {
	const why = reasons.find(([pattern]) => pattern.test(text))?.[1];
	if (why !== undefined && !/no such host/i.test(text)) return {why, isFinal: true};
	if (/no space left/i.test(text)) {
		return {why: "the machine's disk is full", isFinal: false, isFull: true};
	}
	if (/too ?many ?requests|rate limit/i.test(text)) {
		return {why: 'its registry takes no more requests for a while', isFinal: false};
	}
	return {why: 'its registry does not answer as one', isFinal: false};
}

/** @param isAnybodys True to accept an image that was never pulled, such as one built here. */
async function findImage(
	engine: Engine,
	{full}: ImageName,
	isAnybodys: boolean,
): Promise<Image | undefined> {
	try {
		const about = await engine.ask({method: 'GET', path: `/images/${full}/json`});
		if (!isAnybodys && listOf(at(about, 'RepoDigests')).length === 0) return undefined;
		const ports = Object.keys(fieldsOf(at(about, 'Config', 'ExposedPorts')));
		return {name: full, ports: ports.filter(port => /^\d{1,5}\/(?:tcp|udp)$/.test(port))};
	} catch (error) {
		if (error instanceof EngineError && error.status === 404) return undefined;
		throw error;
	}
}

/** Pulls an image and returns the problem; undefined on success. */
async function pull(
	engine: Engine,
	{repository, tag}: ImageName,
	{image, login, limit, onProgress, signal}: LimitedRequest,
): Promise<string | undefined> {
	const auth = registryAuth(login);
	const progress = createPullProgress(image);
	let reported = progress.message();
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
			limit.note(progress.size());
			const message = progress.message();
			if (message !== reported) onProgress(message);
			reported = message;
		});
		return progress.problem();
	} catch (error) {
		signal.throwIfAborted();
		// An unreachable engine is a temporary failure, not one of the image.
		if (error instanceof EngineError && error.status === undefined) throw error;
		return messageOf(error);
	}
}

async function isLocked(folder: string, repository: string): Promise<boolean> {
	return (await readLocked(folder)).includes(repository);
}

/** The last change of a list of images: each reads what the one before has written. */
let noted: Promise<void> = Promise.resolve();

/** Records an image before its pull, so that an agent killed meanwhile has not missed one. */
async function noteLocked(folder: string, repository: string): Promise<void> {
	const noting = addLocked(noted, folder, repository);
	noted = noting.catch(() => undefined);
	await noting;
}

async function addLocked(before: Promise<void>, folder: string, repository: string): Promise<void> {
	await before;
	const known = await readLocked(folder);
	if (known.includes(repository)) return;
	await replaceFile(fileIn(folder), JSON.stringify([...known, repository]), {isDurable: true});
}

/** @throws Error if there is a list that cannot be read: any image might be in it. */
async function readLocked(folder: string): Promise<readonly unknown[]> {
	const text = await readFile(fileIn(folder), 'utf8').catch((cause: unknown) => {
		if (codeOf(cause) === 'ENOENT') return '';
		throw new Error('the machine cannot read which images need a login', {cause});
	});
	return listOf(parseJson(text));
}

function fileIn(folder: string): string {
	return join(folder, 'locked-images.json');
}
