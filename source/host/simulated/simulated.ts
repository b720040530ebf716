/**
 * Simulated runtime: containers pull, start, run, crash and get stuck by scripts. Its state is lost
 * when the process ends, and the next one recreates the reported state.
 */
import type {HostTask, Work} from '../../contract/nouns/host-work.ts';
import {selectLogLines} from '../instance/site.ts';
import {
	type ScriptStep,
	randomOf,
	writeScript,
	type Script,
	type ScriptSettings,
	usualRates,
	type FailureRates,
} from './script.ts';
import {trainingLines, type OutputLine} from './training.ts';
import type {MachineFacts} from '../../contract/nouns/hosts.ts';
import {type Entrances, madeUpEntrances} from './access.ts';
import type {BootState, OpenRuntime} from '../base/runtime.ts';
import {backgroundScheduler, type Cancel, type Scheduler} from '../base/scheduler.ts';
import {
	isContainerRunning,
	makeContainer,
	resumeContainer,
	startSimulatedContainer,
	stopSimulatedContainer,
	reportSimulatedUsage,
	type Container,
	type Surroundings,
} from './container.ts';
import {createMachines} from './machines.ts';

export type SimulationOptions = {
	/**
	 * Seed of the pseudo-random numbers.
	 *
	 * @default 1
	 */
	readonly seed?: number;
	/** @default usualRates */
	readonly rates?: FailureRates;
	/**
	 * Speed-up of starts over real machines: at 8, most take less than 10 seconds.
	 * @default 1
	 */
	readonly speed?: number;
	/** @default backgroundScheduler */
	readonly scheduler?: Scheduler;
	/**
	 * Entrances of instances.
	 * @default made-up addresses that lead nowhere
	 */
	readonly entrances?: Entrances;
	/**
	 * Facts of a machine.
	 * @default none
	 */
	readonly factsOf?: (machineId: number) => SimulatedFacts | undefined;
};

type SimulatedFacts = Partial<Pick<MachineFacts, 'inet_down' | 'public_ipaddr'>>;

const USAGE_SECONDS = 10;

type Simulation = {
	readonly around: Surroundings;
	readonly script: (work: Work, hasContainer: boolean) => Script;
	readonly containers: Map<number, Container>;
};

export function simulate(options: SimulationOptions = {}): OpenRuntime {
	const {seed = 1, rates = usualRates, speed = 1, factsOf = () => undefined} = options;
	const {scheduler = backgroundScheduler} = options;
	const {entrances = madeUpEntrances(factsOf)} = options;
	return tell => {
		const machines = createMachines(tell, scheduler);
		const containers = new Map<number, Container>();
		const usage = createUsageRounds(scheduler, () => {
			const running = [...containers.values()].filter(isContainerRunning);
			for (const container of running) reportSimulatedUsage(around, container);
			return running.length > 0;
		});
		const around = {seed, scheduler, machines, entrances, onRunning: usage.begin};
		const script = scripts({seed, rates, speed}, factsOf);
		const simulation: Simulation = {around, script, containers};
		return {
			adopt: async all => adopt(simulation, all),
			start: async work => start(simulation, work),
			async refresh(work) {
				const container = containers.get(work.instance_id);
				if (container === undefined) return;
				container.work = work;
				entrances.admit(work);
			},
			async stop(instanceId) {
				const container = containers.get(instanceId);
				if (container !== undefined) stopSimulatedContainer(around, container);
				await entrances.shut(instanceId);
			},
			async remove(instanceId, keepsKey) {
				const container = containers.get(instanceId);
				if (container !== undefined) stopSimulatedContainer(around, container);
				await entrances.remove(instanceId, keepsKey);
				containers.delete(instanceId);
			},
			keepVolume: entrances.keepVolume,
			removeVolume: entrances.removeVolume,
			listVolumes: entrances.listVolumes,
			async logs(task) {
				return logOf(reach(simulation, task), task, scheduler.now());
			},
			async execute(task) {
				const {work, isMade} = reach(simulation, task);
				if (!isMade) throw new Error('it has no container yet');
				return entrances.execute(work, task.command ?? '');
			},
			files: entrances.files,
			unwell: machines.unwell,
			async close() {
				for (const container of containers.values()) stopSimulatedContainer(around, container);
				usage.end();
				machines.close();
				await entrances.close();
			},
		};
	};
}

function scripts(settings: ScriptSettings, factsOf: NonNullable<SimulationOptions['factsOf']>) {
	return (work: Work, hasContainer: boolean): Script => {
		const guess = randomOf(settings.seed, work.machine_id, 'network').around(900, 0.6);
		return writeScript(
			{
				instanceId: work.instance_id,
				boot: work.boot,
				image: work.image ?? '',
				mode: work.launch?.mode ?? 'args',
				hasContainer,
				hasOnstart: work.onstart !== undefined && work.onstart !== '',
				megabits: Math.max(1, factsOf(work.machine_id)?.inet_down ?? guess),
			},
			settings,
		);
	};
}

/** Resumes instances without an API key in their work, which were reported before. */
function adopt({around, script, containers}: Simulation, all: readonly Work[]) {
	const there = all.filter(work => work.wanted !== 'gone' && typeof work.api_key !== 'string');
	const held = new Map<number, BootState>();
	for (const work of there) {
		const {instance_id: id, boot, container: number, serial} = work;
		const container = makeContainer(work, true);
		containers.set(id, container);
		const isStarted = work.wanted === 'running';
		held.set(id, {boot, container: number, serial, isStarted});
		if (isStarted) resumeContainer(around, container, script(work, false));
	}
	return held;
}

function start({around, script, containers}: Simulation, work: Work): void {
	const container = containers.get(work.instance_id) ?? makeContainer(work, false);
	container.work = work;
	containers.set(work.instance_id, container);
	startSimulatedContainer(around, container, script(work, container.isMade));
}

function reach({around, containers}: Simulation, {instance_id: id}: HostTask): Container {
	const container = containers.get(id);
	if (container === undefined) throw new Error('it has no container yet');
	if (around.machines.unwell().has(container.work.machine_id)) {
		throw new Error('its machine does not answer');
	}
	return container;
}

/** Repeats an action at intervals, until it has nothing to do. */
function createUsageRounds(scheduler: Scheduler, round: () => boolean) {
	let cancel: Cancel | undefined;
	function begin(): void {
		cancel ??= scheduler.after(USAGE_SECONDS, () => {
			cancel = undefined;
			if (round()) begin();
		});
	}
	return {
		begin,
		end() {
			cancel?.();
		},
	};
}

export type SimulatedRun = {
	readonly startedAt: number;
	readonly moments: readonly ScriptStep[];
	readonly output: readonly OutputLine[];
	readonly endedAt: number | undefined;
};

type Logged = {readonly work: Work; readonly runs: readonly SimulatedRun[]};

export function logOf({work, runs}: Logged, task: HostTask, now: number): string {
	const lines = runs.flatMap(run =>
		task.daemon_logs === true ? hostLines(work, run) : containerLines(work, run, now),
	);
	return selectLogLines(lines.map(print).join('\n'), task);
}

function print({at, text}: OutputLine): string {
	return `${new Date(at * 1000).toISOString()} ${text}`;
}

function hostLines(
	{instance_id: id}: Work,
	{startedAt, moments, endedAt}: SimulatedRun,
): readonly OutputLine[] {
	const requested = {at: startedAt, text: `C.${id}: start requested`};
	const happened = moments.map(({at, message}) => ({
		at: startedAt + at,
		text: `C.${id}: ${message}`,
	}));
	const ended = endedAt === undefined ? [] : [{at: endedAt, text: `C.${id}: stopped`}];
	return [requested, ...happened, ...ended];
}

function containerLines(
	work: Work,
	{startedAt, moments, output, endedAt}: SimulatedRun,
	now: number,
): readonly OutputLine[] {
	const running = moments.find(({status}) => status === 'running');
	const crash = moments.find(({status}) => status === 'exited');
	const crashed = crash === undefined ? [] : [{at: startedAt + crash.at, text: crash.message}];
	if (running === undefined) return crashed;
	const at = startedAt + running.at;
	const end = Math.min(endedAt ?? now, crash === undefined ? now : startedAt + crash.at);
	const greeted = greetings(work, output.length > 0).map(text => ({at, text}));
	const trained = trainingLines(work.instance_id, at, end);
	return [...greeted, ...output, ...trained, ...crashed].toSorted(
		(one, other) => one.at - other.at,
	);
}

/** @param isRun True if `onstart` is run, and its own output is logged. */
function greetings(
	{launch, onstart = '', args = [], label}: Work,
	isRun: boolean,
): readonly string[] {
	const name = label === undefined || label === null || label === '' ? [] : [`Label: ${label}`];
	const started = onstart === '' || isRun ? [] : ['Running onstart', 'onstart: done'];
	const ssh = ['Server listening on 0.0.0.0 port 22.', 'Server listening on :: port 22.'];
	const jupyter = ['Jupyter Server is running at https://0.0.0.0:8080/'];
	if (launch?.mode === 'jupyter') return [...name, ...ssh, ...jupyter, ...started];
	if (launch?.mode === 'ssh') return [...name, ...ssh, ...started];
	return [...name, `Started with: ${JSON.stringify(args)}`];
}
