/** A host whose instances are containers, and somebody who has a key to them. */
import {mkdtempSync, readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {removeFolder} from '../remove-folder.ts';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect} from 'vitest';
import type {Report, Work} from '../../../source/contract/nouns/host-work.ts';
import {listOf, textAt} from '../../../source/contract/grammar/json.ts';
import {containerRuntime, type ContainerOptions} from '../../../source/host/engine/containers.ts';
import type {Engine, EngineRequest} from '../../../source/host/engine/engine.ts';
import {
	findIsolationSupport,
	noIsolationSupport,
} from '../../../source/host/engine/isolation-support.ts';
import {siteOf} from '../../../source/host/instance/site.ts';
import {noteRest} from './at-rest.ts';
import {IMAGE, openTestEngine} from './engine.ts';
import {workOf} from './host.ts';
import {openSshUser} from './open-ssh.ts';
import {skipFor} from '../missing.ts';

const address = '127.0.0.1';

/** What happens in containers is waited for. */
export const waiting = {interval: 50};

/** Containers take seconds where others use the machine, too. */
export const patient = {timeout: 240_000};

/**
 * An engine for all tests of a file, or why they are left out: their names say it then.
 *
 * @param missing What else is not there that they need.
 */
export async function prepareContainers(missing?: string) {
	const {engine, problem = missing} = await openTestEngine();
	skipFor(problem);
	afterAll(async () => engine?.close());
	return {
		engine,
		isSkipped: problem !== undefined,
		shown: problem === undefined ? '' : ` (skipped: ${problem})`,
		openHost: async (options: HostOptions = {}) => {
			if (engine === undefined) throw new Error('there is no engine');
			const own = await engine.open();
			const means = await findIsolationSupport(own);
			await own.close();
			const limits = engine.canLimit ? means.limits : noIsolationSupport.limits;
			return openContainerHost(engine.open, {means: {...means, limits}, ...options});
		},
	};
}

type HostOptions = Partial<Omit<ContainerOptions, 'engine' | 'folder'>>;

/** A host with a folder of its own, and a user with a key. */
async function openContainerHost(open: () => Promise<Engine>, options: HostOptions) {
	const rest = noteRest();
	const folder = mkdtempSync(join(tmpdir(), 'rentty-containers-'));
	const user = openSshUser();
	const key = user.makeKey('mine');
	const told: Report[] = [];
	const log: string[] = [];
	// The image of the tests is this machine's own, and so is the registry.
	const usual = {address, allowsLocalImages: true, log: (line: string) => void log.push(line)};
	let changed = options;
	const heard = hearing(open);
	const begin = async () =>
		containerRuntime({...usual, ...changed, engine: await heard.open(), folder})(report =>
			told.push(report),
		);
	let runtime = await begin();
	const last = () => told.findLast(report => report.status !== undefined);
	const engine = await open();
	return {
		folder,
		user,
		key,
		engine,
		told,
		log,
		get runtime() {
			return runtime;
		},
		/** Has something done before each question that the engine is asked. */
		hear: heard.listen,
		/** Ends the agent's part, and begins it anew. */
		async reopen(change: HostOptions = {}) {
			await runtime.close();
			changed = {...changed, ...change};
			told.length = 0;
			runtime = await begin();
		},
		/** Ends the agent's part and all containers, as the end of the machine does, and begins anew. */
		async machineEnds() {
			await runtime.close();
			told.length = 0;
			await endMachine(folder, engine);
			runtime = await begin();
		},
		work: (work: Partial<Work> = {}) =>
			workOf({image: IMAGE, gpu_ids: [], public_keys: [key.publicKey], ...work}),
		until: async (status: Report['status']) => {
			// Where it does not, all that it says is shown.
			await expect.poll(last, waiting).toMatchObject({status});
			return last();
		},
		ssh: async (command: string) =>
			user.ssh(last()?.access?.ssh_port ?? portOf(told), key.file, [command]),
		port: () => portOf(told),
		async [Symbol.asyncDispose]() {
			await runtime.remove(7);
			await runtime.remove(8);
			await runtime.close();
			await engine.close();
			removeFolder(folder);
			user[Symbol.dispose]();
			await rest.end();
		},
	};
}

type Listener = (question: EngineRequest) => Promise<void>;

const deaf: Listener = async () => undefined;

/** An engine whose questions are heard before it is asked. */
function hearing(open: () => Promise<Engine>) {
	let before = deaf;
	return {
		listen: (listener: Listener) => void (before = listener),
		async open(): Promise<Engine> {
			const engine = await open();
			const ask: Engine['ask'] = async question => {
				await before(question);
				return engine.ask(question);
			};
			return {...engine, ask};
		},
	};
}

/** Ends all containers, and has the instance look as if it had been started before that. */
async function endMachine(folder: string, engine: Engine): Promise<void> {
	const path = siteOf(realpathSync(folder), 7).record;
	const record = readFileSync(path, 'utf8');
	writeFileSync(path, record.replace(/("machineStart":")[^"]*/, '$1another start'));
	for (const one of listOf(await engine.ask({method: 'GET', path: '/containers/json'}))) {
		await engine.ask({method: 'POST', path: `/containers/${textAt(one, 'Id')}/kill`});
	}
}

function portOf(told: readonly Report[]): number {
	return told.findLast(report => report.access !== undefined)?.access?.ssh_port ?? 0;
}
