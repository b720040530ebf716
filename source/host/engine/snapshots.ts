/**
 * Pushes the disk of a container as an image. The disk is exported and imported, not committed: a
 * commit would keep the container's settings, which hold secrets of its renter.
 */
import type {HostTask} from '../../contract/nouns/host-work.ts';
import {at, fieldsOf, listOf, numberAt, textAt} from '../../contract/grammar/json.ts';
import {freeBytes} from '../machine/trees.ts';
import {undefinedIf404, readFound} from './container-calls.ts';
import {readImageName, writeAuth, type ImageName} from './image-name.ts';
import {resolvesToPublicAddresses} from './images.ts';
import type {Engine} from './engine.ts';
import type {EngineSetup} from './setup.ts';

type Taking = {
	readonly name: string;
	readonly task: HostTask;
	readonly say: (message: string) => void;
	readonly signal: AbortSignal;
	/** Runs while no other disk is read, because the free space is checked at the beginning. */
	readonly inTurn: (read: () => Promise<void>) => Promise<void>;
};

type Say = Taking['say'];

/** Snapshots of a host's containers: one at a time per container, and one disk is read at a time. */
export function createSnapshots(setup: EngineSetup) {
	const closing = new AbortController();
	const running = new Map<string, Promise<string>>();
	let last = Promise.resolve();
	const inTurn: Taking['inTurn'] = async read => {
		const turn = last.then(read);
		last = turn.catch(() => undefined);
		return turn;
	};
	return {
		/**
		 * Takes a snapshot and returns the name of the pushed image.
		 *
		 * @throws Error with a reason for the renter.
		 */
		async take(name: string, task: HostTask, say: Say): Promise<string> {
			if (running.has(name)) throw new Error('another one of the instance is being made');
			const taking = {name, task, say, signal: closing.signal, inTurn};
			const pushed = pushSnapshot(setup, taking).finally(() => running.delete(name));
			running.set(name, pushed);
			return pushed;
		},
		/** Ends snapshots in progress, so that no container stays paused. */
		async close(): Promise<void> {
			closing.abort(new Error('the host was closed meanwhile'));
			await Promise.allSettled(running.values());
		},
	};
}

async function pushSnapshot(setup: EngineSetup, taking: Taking): Promise<string> {
	const {engine} = setup;
	const {task, say, signal, inTurn} = taking;
	const image = await allowedTarget(setup, task);
	// An earlier agent may have left the image.
	await dropImage(engine, image);
	if (task.needs_login === true && task.login === undefined) {
		throw new Error('the login of its registry was sent once, and is lost: ask for it again');
	}
	if (task.login === undefined && (await isLocked(image, signal))) throw new Error(NO_LOGIN);
	try {
		say('Snapshot: reading the disk');
		await inTurn(async () => makeImage(setup, taking, image));
		signal.throwIfAborted();
		await push(setup, taking, image);
	} finally {
		await dropImage(engine, image);
	}
	return image.full;
}

/**
 * The image of a snapshot. Its tag must begin with the instance's id, so that it replaces no other
 * image.
 */
async function allowedTarget(setup: EngineSetup, task: HostTask): Promise<ImageName> {
	const {image: text = '', instance_id: id} = task;
	const image = readImageName(text);
	if (image === undefined || !image.tag.startsWith(`${id}-`)) {
		throw new Error(`"${text}" is not the name of a snapshot of instance ${id}`);
	}
	const {registry} = image;
	const isAllowed = setup.allowsLocalImages || (await resolvesToPublicAddresses(registry));
	if (isAllowed && setup.pushRegistries.includes(registry)) return image;
	throw new Error(`this machine does not push to ${registry}`);
}

const NO_LOGIN = 'its registry asks for a login, or for another one (unauthorized)';

const REGISTRY_TIMEOUT_MS = 10_000;

/**
 * True if a registry accepts no push without a login, checked before minutes are spent on the disk.
 * Without an answer the push is tried: the engine may reach the registry another way.
 */
async function isLocked({registry, repository}: ImageName, signal: AbortSignal): Promise<boolean> {
	const path = `/v2${repository.slice(registry.length)}/blobs/uploads/`;
	for (const scheme of ['https', 'http']) {
		const given = {
			method: 'POST',
			redirect: 'manual',
			signal: AbortSignal.any([signal, AbortSignal.timeout(REGISTRY_TIMEOUT_MS)]),
		} as const;
		const url = `${scheme}://${registry}${path}`;
		const answer = await fetch(url, given).catch(() => undefined);
		await answer?.body?.cancel();
		if (answer !== undefined) return answer.status === 401 || answer.status === 403;
	}
	return false;
}

async function dropImage(engine: Engine, {full}: ImageName): Promise<void> {
	await undefinedIf404(engine.ask({method: 'DELETE', path: `/images/${full}`}));
}

async function makeImage(
	{engine, folder}: EngineSetup,
	{name, task, signal}: Taking,
	{repository, tag}: ImageName,
): Promise<void> {
	signal.throwIfAborted();
	const path = `/containers/${name}`;
	const about = await engine.ask({method: 'GET', path: `${path}/json`, query: {size: 'true'}});
	const found = readFound(about);
	const mostBytes = await spaceFor(about, found?.mounts[0]?.folder ?? folder);
	const origin = await engine.ask({method: 'GET', path: `/images/${textAt(about, 'Image')}/json`});
	const query = {fromSrc: '-', changes: changesOf(at(origin, 'Config'))};
	let id: string | undefined;
	let problem: string | undefined;
	const pauses = task.pause !== false && found?.isRunning === true;
	if (pauses) await engine.ask({method: 'POST', path: `${path}/pause`});
	try {
		await engine.pipe(
			{method: 'GET', path: `${path}/export`, signal, patienceMs: 0, mostBytes},
			{method: 'POST', path: '/images/create', query, signal, patienceMs: 0},
			line => {
				problem = problemIn(line) ?? problem;
				id = /^sha256:[\da-f]{64}$/.exec(textAt(line, 'status') ?? '')?.[0] ?? id;
			},
		);
	} finally {
		if (pauses) await unpause(engine, name);
	}
	if (id === undefined) throw new Error(problem ?? 'its disk could not be made an image');
	const tagged = {repo: repository, tag};
	await engine.ask({method: 'POST', path: `/images/${id}/tag`, query: tagged});
}

/**
 * Space for the image in bytes. The image is stored beside the container's disk until it is pushed,
 * and the disk of a container that is not paused may grow meanwhile.
 */
async function spaceFor(about: unknown, folder: string): Promise<number> {
	const free = (await freeBytes(folder).catch(() => undefined)) ?? Infinity;
	if ((numberAt(about, 'SizeRootFs') ?? 0) <= free) return free;
	throw new Error("the machine's disk has no room for the image");
}

function problemIn(line: unknown): string | undefined {
	return textAt(line, 'errorDetail', 'message') ?? textAt(line, 'error');
}

export async function unpause(engine: Engine, name: string): Promise<void> {
	await engine.ask({method: 'POST', path: `/containers/${name}/unpause`}).catch(() => undefined);
}

/** Settings of the container's image as Dockerfile instructions. */
function changesOf(config: unknown): readonly string[] {
	const list = (name: string) => listOf(at(config, name));
	const word = (name: string) => textAt(config, name) ?? '';
	return [
		...list('Env').flatMap(line => {
			const [, key, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(String(line)) ?? [];
			// Values that need quotes are left out, because engines parse quotes differently.
			return key === undefined || !/^[\w./:@%+,=-]*$/.test(value) ? [] : [`ENV ${key}=${value}`];
		}),
		...(list('Entrypoint').length > 0 ? [`ENTRYPOINT ${JSON.stringify(list('Entrypoint'))}`] : []),
		...(list('Cmd').length > 0 ? [`CMD ${JSON.stringify(list('Cmd'))}`] : []),
		...Object.keys(fieldsOf(at(config, 'ExposedPorts')))
			.filter(port => /^\d{1,5}\/(?:tcp|udp)$/.test(port))
			.map(port => `EXPOSE ${port}`),
		...(/^[\w.:-]+$/.test(word('User')) ? [`USER ${word('User')}`] : []),
		...(/^\/[\w./-]*$/.test(word('WorkingDir')) ? [`WORKDIR ${word('WorkingDir')}`] : []),
	];
}

const MEGABYTE = 1e6;

async function push(
	{engine, log}: EngineSetup,
	{task, say, signal}: Taking,
	{full, registry, repository, tag}: ImageName,
): Promise<void> {
	const layers = new Map<string, {readonly bytes: number; readonly of: number}>();
	let problem: string | undefined;
	const question = {
		method: 'POST',
		path: `/images/${repository}/push`,
		query: {tag},
		// Engines want an auth header for registries without a login too.
		headers: {'x-registry-auth': writeAuth({...task.login, serveraddress: registry})},
		signal,
		patienceMs: 0,
	} as const;
	say(`Snapshot: pushing ${full}`);
	await engine
		.values(question, line => {
			problem = problemIn(line) ?? problem;
			const [id, bytes] = [textAt(line, 'id'), numberAt(line, 'progressDetail', 'current')];
			const of = numberAt(line, 'progressDetail', 'total') ?? 0;
			if (id === undefined || bytes === undefined || of <= 0) return;
			layers.set(id, {bytes: Math.min(bytes, of), of});
			const sum = (name: 'bytes' | 'of') =>
				Math.round([...layers.values()].reduce((all, one) => all + one[name], 0) / MEGABYTE);
			say(`Snapshot: pushing ${full}, ${sum('bytes')} of ${sum('of')} MB`);
		})
		.catch((error: unknown) => {
			signal.throwIfAborted();
			problem = error instanceof Error ? error.message : String(error);
		});
	if (problem === undefined) return;
	log(`Image ${full} cannot be pushed: ${problem}`);
	const isRefused = /denied|unauthorized|authentication required|forbidden/i.test(problem);
	throw new Error(isRefused ? NO_LOGIN : 'its registry did not take the image');
}
