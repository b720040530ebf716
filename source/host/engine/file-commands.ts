/** Lists, measures and removes files of a container, for `execute` tasks. */
import {
	createContainer,
	findContainer,
	readContainerLog,
	removeContainer,
	startContainer,
	waitForContainerEnd,
} from './container-calls.ts';
import {numberAt, textAt} from '../../contract/grammar/json.ts';
import {CONTAINER_HOME} from './container-inside.ts';
import {CONTAINER_RIGHTS} from './container-plan.ts';
import type {Engine} from './engine.ts';
import {readCommandOutput} from './exec.ts';
import {containerName, hostLabelsOf, INSTANCE_LABEL, lookName, type EngineSetup} from './setup.ts';

const programs = new Set(['ls', 'rm', 'du']);

const LONGEST_MS = 15_000;
const MOST_LINES = 20_000;

/** Output of a program, errors included. The line is split at blanks. */
export async function runContainerFileCommand(
	setup: EngineSetup,
	instanceId: number,
	line: string,
): Promise<string> {
	const words = line.split(/\s+/).filter(word => word !== '');
	const [program = ''] = words;
	if (!programs.has(program)) return `${program}: command not found\n`;
	const {engine} = setup;
	const found = await findContainer(engine, containerName(setup, instanceId));
	if (found === undefined) throw new Error('it has no container yet');
	if (!found.isRunning) {
		const name = lookName(setup, instanceId);
		return inTurn(name, async () => runBeside(setup, {instanceId, container: found.id, words}));
	}
	return readCommandOutput(
		engine,
		{container: found.id, words, folder: CONTAINER_HOME},
		LONGEST_MS,
	);
}

/** The last command for each stopped container, by the name that all of its commands share. */
const last = new Map<string, Promise<string>>();

async function inTurn(name: string, run: () => Promise<string>): Promise<string> {
	const before = last.get(name)?.catch(() => undefined);
	const mine = before === undefined ? run() : before.then(run);
	last.set(name, mine);
	try {
		return await mine;
	} finally {
		if (last.get(name) === mine) last.delete(name);
	}
}

/** Names of a container's limits; zero or a missing one is no limit. */
const LIMITS = ['Memory', 'MemorySwap', 'PidsLimit', 'ShmSize'];

/** Names of the CPU limit: Podman reports both forms and accepts one alone. */
const PROCESSORS = {podman: ['CpuQuota', 'CpuPeriod'], docker: ['NanoCpus']};

function limitsIn(about: unknown, {isPodman}: Engine): Readonly<Record<string, number>> {
	const names = [...LIMITS, ...PROCESSORS[isPodman ? 'podman' : 'docker']];
	const all = names.map(name => [name, numberAt(about, 'HostConfig', name) ?? 0] as const);
	return Object.fromEntries(all.filter(([, limit]) => limit > 0));
}

type Beside = {
	readonly instanceId: number;
	readonly container: string;
	readonly words: readonly string[];
};

/**
 * Runs a command for a stopped container in another one of the same image and volumes. Files outside
 * the volumes are those of the image.
 */
async function runBeside(
	setup: EngineSetup,
	{instanceId, container, words}: Beside,
): Promise<string> {
	const {engine} = setup;
	const about = await engine.ask({method: 'GET', path: `/containers/${container}/json`});
	const name = lookName(setup, instanceId);
	await removeContainer(engine, name);
	await createContainer(engine, name, {
		Image: textAt(about, 'Image'),
		Entrypoint: words,
		Cmd: [],
		User: '0',
		WorkingDir: CONTAINER_HOME,
		// A killed agent may leave it: the next one finds it as one of the instance's.
		Labels: {...hostLabelsOf(setup), [INSTANCE_LABEL]: String(instanceId)},
		HostConfig: {
			...limitsIn(about, engine),
			...CONTAINER_RIGHTS,
			VolumesFrom: [container],
			NetworkMode: 'none',
		},
	});
	try {
		await startContainer(engine, name);
		await waitForContainerEnd(engine, name, AbortSignal.timeout(LONGEST_MS)).catch(() => undefined);
		return await readContainerLog(engine, name, MOST_LINES);
	} finally {
		await removeContainer(engine, name);
	}
}
