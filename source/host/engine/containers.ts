/**
 * Runs instances as containers of Docker or Podman. Containers survive the agent, and the next one
 * finds them by their labels. An SSH session is a command that the engine runs inside, and files
 * are read and written on the volumes of the instance.
 */
import {messageOf, sentenceOf} from '../../contract/rules/thrown.ts';
import {mkdirSync, realpathSync} from 'node:fs';
import type {HostTask} from '../../contract/nouns/host-work.ts';
import {CannotStart, retryDelay} from '../base/retry.ts';
import type {
	Driver,
	Host,
	Remains,
	Starting,
	HostInstance,
	UsageMeasurement,
	Running,
} from '../instance/instance.ts';
import {openInstances} from '../instance/instances.ts';
import type {PortAddresses} from '../machine/port-choice.ts';
import {idsIn, selectLogLines, USUAL_TAIL} from '../instance/site.ts';
import {measuring, noGpus} from '../machine/machine-gpus.ts';
import {freeBytes, sizeOf} from '../machine/trees.ts';
import type {OpenRuntime} from '../base/runtime.ts';
import {sharedMachine} from '../sandbox/resource-limits.ts';
import {backgroundScheduler, pause} from '../base/scheduler.ts';
import {bringUp} from './bring-up.ts';
import {
	findContainer,
	findVolumeFolder,
	keepVolume,
	listContainers,
	listVolumes,
	readContainerLog,
	removeContainer,
	removeVolume,
	stopContainer,
	waitForContainerEnd,
	type FoundContainer,
	readStatsTraffic,
	readStatsUsage,
	listNetworks,
	removeNetwork,
} from './container-calls.ts';
import {devicesFor} from './container-gpus.ts';
import {containerInside} from './container-inside.ts';
import {EngineError} from './engine.ts';
import {runContainerFileCommand} from './file-commands.ts';
import {readImageName} from './image-name.ts';
import {obtainImage} from './images.ts';
import {noIsolationSupport} from './isolation-support.ts';
import {openPulledImages} from './pulled-images.ts';
import {createSnapshots, unpause} from './snapshots.ts';
import {
	BOOT_LABEL,
	CONTAINER_LABEL,
	containerName,
	INSTANCE_LABEL,
	hostLabelsOf,
	lookName,
	ownLabel,
	ownVolumes,
	engineVolumeName,
	type EngineSetup,
} from './setup.ts';

export type ContainerOptions = PortAddresses &
	Pick<EngineSetup, 'engine' | 'folder'> &
	Partial<
		Pick<
			EngineSetup,
			| 'warm'
			| 'serviceUrl'
			| 'limitsDisk'
			| 'machine'
			| 'means'
			| 'allowsLocalImages'
			| 'pushRegistries'
		> &
			Pick<Host, 'gpus' | 'measureGpus' | 'log'>
	> & {
		/**
		 * Free share of the disk that holds images, if it is known from elsewhere than the engine.
		 */
		readonly diskSpace?: {readonly free: () => Promise<number | undefined>};
	};

export function containerRuntime(options: ContainerOptions): OpenRuntime {
	const {engine, address, gpus = noGpus, serviceUrl, limitsDisk = true} = options;
	const {listen = address, portRange, isDirect} = options;
	const {measureGpus = measuring('none'), allowsLocalImages = false, pushRegistries = []} = options;
	const {log = () => undefined, means = noIsolationSupport, warm = [], diskSpace} = options;
	const {machine = sharedMachine(gpus.names.length)} = options;
	mkdirSync(options.folder, {recursive: true, mode: 0o700});
	const folder = realpathSync(options.folder);
	const scheduler = backgroundScheduler;
	const common = {folder, gpus, log, scheduler, random: Math.random};
	const rules = {serviceUrl, limitsDisk, means, machine, allowsLocalImages, pushRegistries};
	const kept = warm.map(image => readImageName(image)?.full ?? image);
	const pulled = openPulledImages({engine, folder, kept, log, now: Date.now, ...diskSpace});
	const setup = {...common, ...rules, engine, address, listen, pulled, warm};
	const driver = containerDriver(setup);
	const reach = {address, listen, portRange, isDirect};
	const host = {...common, reach, driver, measureGpus, graceMs: GRACE_MS, endsOnClose: false};
	return report => openInstances({...host, report});
}

const GRACE_MS = 10_000;

const PATIENCE_MS = 5000;

export function containerDriver(setup: EngineSetup): Driver {
	const {engine} = setup;
	const nameHere = ({id}: HostInstance) => containerName(setup, id);
	const snapshots = createSnapshots(setup);
	const end = new AbortController();
	void warmUp(setup, end.signal);
	return {
		start: async starting => start(setup, starting),
		stop: async (instance, graceMs) => stopContainer(engine, nameHere(instance), graceMs),
		async remove(instance) {
			for (const name of [lookName(setup, instance.id), nameHere(instance)]) {
				await removeContainer(engine, name);
			}
			for (const {name} of ownVolumes(setup, instance.id)) await removeVolume(engine, name);
			await removeNetwork(engine, nameHere(instance));
		},
		list: async () => listOwn(setup),
		async inspect(instance) {
			await removeContainer(engine, lookName(setup, instance.id));
			const found = await findContainer(engine, nameHere(instance));
			// Paused by an agent that was killed during a snapshot.
			if (found?.isPaused === true) await unpause(engine, nameHere(instance));
			return remainsOf(found);
		},
		async answers() {
			const asked = engine.ask({method: 'GET', path: '/_ping', patienceMs: PATIENCE_MS});
			return asked.then(
				() => true,
				() => false,
			);
		},
		message: ({image = '', launch}) => `success, running ${image}/${launch?.mode ?? 'args'}`,
		isEnteredDirectly: ({launch}) => launch?.sshDirect === true || launch?.mode === 'jupyter',
		finalReason: error => (isFinal(error) ? messageOf(error) : undefined),
		reason: reasonOf,
		keepVolume: async ({volume_id: id}) =>
			keepVolume(engine, engineVolumeName(setup, id), hostLabelsOf(setup)),
		removeVolume: async id => removeVolume(engine, engineVolumeName(setup, id)),
		listVolumes: async () => listRented(setup),
		volumeFolder: async ({volume_id: id}) => findVolumeFolder(engine, engineVolumeName(setup, id)),
		logs: async (instance, task) => logsOf(setup, nameHere(instance), task),
		execute: async ({id}, command) => runContainerFileCommand(setup, id, command),
		snapshot: async (instance, task, say) => snapshots.take(nameHere(instance), task, say),
		async close() {
			end.abort();
			await snapshots.close();
			await engine.close();
		},
	};
}

/** Pulls images that instances will probably use, one after the other. */
async function warmUp(setup: EngineSetup, signal: AbortSignal): Promise<void> {
	for (const image of setup.warm) {
		const request = {image, login: '', allowsLocal: true, onProgress: () => undefined, signal};
		// oxlint-disable-next-line no-await-in-loop -- the line is left to instances
		await obtainImage(setup.engine, {...setup, ...request}).then(
			({name}) => setup.log(`Image ${name} is there.`),
			(error: unknown) =>
				signal.aborted || setup.log(`Not there before it is rented: ${sentenceOf(error)}.`),
		);
		if (signal.aborted) return;
	}
}

/** Instances with containers or networks. */
async function listOwn(setup: EngineSetup): Promise<readonly number[]> {
	const label = ownLabel(setup);
	const containers = await listContainers(setup.engine, label);
	const networks = await listNetworks(setup.engine, label);
	return idsIn([...containers, ...networks].map(labels => String(labels[INSTANCE_LABEL])));
}

/** Rented volumes, without instances' own. */
async function listRented(setup: EngineSetup): Promise<readonly number[]> {
	const prefix = engineVolumeName(setup, '');
	const names = await listVolumes(setup.engine, ownLabel(setup));
	const own = names.filter(name => name.startsWith(prefix));
	return idsIn(own.map(name => name.slice(prefix.length)));
}

function remainsOf(found: FoundContainer | undefined): Remains | undefined {
	if (found === undefined) return undefined;
	const {isRunning, wasStarted, labels} = found;
	return {
		isRunning,
		ending: wasStarted ? endOf(found) : undefined,
		boot: Number(labels[BOOT_LABEL]) || 0,
		container: Number(labels[CONTAINER_LABEL]) || 0,
	};
}

/** Reason without the path of the engine's socket, which is none of the renter's business. */
function reasonOf(error: unknown): string {
	const isAway = error instanceof EngineError && error.status === undefined;
	return isAway ? 'the container engine of the machine does not answer' : messageOf(error);
}

/** True for a final failure, by the engine's status; a taken port may become free. */
function isFinal(error: unknown): boolean {
	if (error instanceof CannotStart) return true;
	if (!(error instanceof EngineError) || error.status === undefined) return false;
	return !/in use|already allocated|is full|no space left|disappeared/i.test(error.message);
}

async function start(setup: EngineSetup, starting: Starting): Promise<Running> {
	const {instance, work, signal, openSshServer} = starting;
	const {engine} = setup;
	const gpus = await devicesFor(setup.gpus, work);
	const found = await bringUp({setup, starting, gpus});
	signal.throwIfAborted();
	const {id: container, address, pid, mounts, pipes} = found;
	await openSshServer(containerInside({engine, container, address, pid, mounts: mounts, pipes}));
	return {
		ended: async ending => waitUntilEnded(setup, containerName(setup, instance.id), ending),
		measure: async withDisk => measure(setup, {id: instance.id, container, withDisk}),
		release: async () => undefined,
	};
}

/** Waits until a container ends by itself, also while the engine restarts. */
async function waitUntilEnded(
	{engine, scheduler, random}: EngineSetup,
	name: string,
	signal: AbortSignal,
): Promise<string> {
	for (let failures = 0; ;) {
		signal.throwIfAborted();
		try {
			await waitForContainerEnd(engine, name, signal);
			const found = await findContainer(engine, name);
			if (found?.isRunning !== true) return endOf(found);
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof EngineError && error.status === 404) return endOf(undefined);
			failures += 1;
			await pause(scheduler, retryDelay(failures, random()), signal);
		}
	}
}

function endOf(found: FoundContainer | undefined): string {
	if (found === undefined) return 'Its container was removed on the machine.';
	if (found.ranOutOfMemory) return 'It used more memory than it has, and was ended.';
	const {exitCode} = found;
	return exitCode === undefined ? 'Its program ended.' : `Its program ended with code ${exitCode}.`;
}

type Measuring = {
	readonly id: number;
	readonly container: string;
	readonly withDisk: boolean;
};

/** Measures a container's usage. Without control groups the engine reports fewer figures. */
export async function measure(
	setup: EngineSetup,
	{id, container, withDisk}: Measuring,
): Promise<UsageMeasurement> {
	const query = {stream: 'false'};
	const path = `/containers/${container}/stats`;
	const stats = await setup.engine.ask({method: 'GET', path, query}).catch(() => undefined);
	const traffic = readStatsTraffic(stats);
	const disk = withDisk ? await diskOf(setup, id) : undefined;
	return {
		usage: readStatsUsage(stats),
		...(traffic !== undefined && {traffic}),
		...(disk !== undefined && {disk}),
	};
}

/** Bytes written to its own disk and its own volumes, and the free space there. */
async function diskOf(setup: EngineSetup, id: number): Promise<UsageMeasurement['disk']> {
	const name = containerName(setup, id);
	const found = await findContainer(setup.engine, name, {withSize: true}).catch(() => undefined);
	if (found?.writtenBytes === undefined) return undefined;
	const paths = new Set(ownVolumes(setup, id).map(({path}) => path));
	const folders = found.mounts.filter(({path}) => paths.has(path)).map(({folder}) => folder);
	const [first] = folders;
	if (first === undefined) return {bytes: found.writtenBytes, free: undefined};
	const bytes = await sizeOf(folders);
	if (bytes === undefined) return undefined;
	const free = await freeBytes(first).catch(() => undefined);
	return {bytes: found.writtenBytes + bytes, free};
}

const MOST_SEARCHED_LINES = 20_000;

async function logsOf({engine}: EngineSetup, name: string, task: HostTask): Promise<string> {
	const {filter = '', tail = USUAL_TAIL} = task;
	if (tail <= 0) return '';
	const text = await readContainerLog(engine, name, filter === '' ? tail : MOST_SEARCHED_LINES);
	return selectLogLines(text, task);
}
