/** A simulated container: its events from start to stop, and their reports. */
import {messageOf} from '../../contract/rules/thrown.ts';
import type {Access, Work, Report, InstanceUsage} from '../../contract/nouns/host-work.ts';
import type {Entrances} from './access.ts';
import type {Cancel, Scheduler} from '../base/scheduler.ts';
import type {Machines} from './machines.ts';
import {type ScriptStep, type Script, randomOf, type SimulatedRandom} from './script.ts';
import type {OutputLine} from './training.ts';
import {DAY} from '../../contract/rules/durations.ts';

export type Container = {
	work: Work;
	isMade: boolean;
	/** Starts, the present one last. */
	readonly runs: Run[];
	/** Running time of earlier starts. */
	ranSeconds: number;
};

type Run = {
	readonly boot: number;
	readonly startedAt: number;
	/** Events so far. */
	readonly moments: ScriptStep[];
	/** Output of its `onstart`, if it is run. */
	readonly output: OutputLine[];
	endedAt: number | undefined;
	/** Cancels the next event. */
	cancel: Cancel;
};

export type Surroundings = {
	readonly seed: number;
	readonly scheduler: Scheduler;
	readonly machines: Machines;
	readonly entrances: Entrances;
	readonly onRunning: () => void;
};

/** The most starts in a log. */
const MOST_RUNS = 10;

export function makeContainer(work: Work, isMade: boolean): Container {
	return {work, isMade, runs: [], ranSeconds: 0};
}

/** Plays the script from its beginning. */
export function startSimulatedContainer(
	around: Surroundings,
	container: Container,
	script: Script,
): void {
	const run = addRun(container, around.scheduler.now());
	play({around, container, run}, script);
}

/** Resumes a container that was started earlier, with all events of its script in the past. */
export function resumeContainer(around: Surroundings, container: Container, script: Script): void {
	const last = script.moments.at(-1) ?? script.moments[0];
	const run = addRun(container, around.scheduler.now() - last.at);
	run.moments.push(...script.moments.slice(0, -1));
	void happen({around, container, run}, last);
}

export function stopSimulatedContainer({scheduler}: Surroundings, container: Container): void {
	const run = container.runs.at(-1);
	if (run === undefined || run.endedAt !== undefined) return;
	run.cancel();
	container.ranSeconds = ranSecondsOf(container, scheduler.now());
	run.endedAt = scheduler.now();
}

export function isContainerRunning({runs}: Container): boolean {
	const run = runs.at(-1);
	return run?.endedAt === undefined && run?.moments.at(-1)?.status === 'running';
}

export function reportSimulatedUsage(
	{seed, scheduler, machines}: Surroundings,
	container: Container,
): void {
	const {work, runs} = container;
	const seconds = ranSecondsOf(container, scheduler.now());
	machines.report(work.machine_id, {
		instance_id: work.instance_id,
		boot: runs.at(-1)?.boot ?? work.boot,
		usage: simulateUsage(work, seed, seconds),
		traffic: simulateTraffic(work.instance_id, seed, seconds),
	});
}

function addRun({work, runs}: Container, startedAt: number): Run {
	const run: Run = {
		boot: work.boot,
		startedAt,
		moments: [],
		output: [],
		endedAt: undefined,
		cancel: () => undefined,
	};
	runs.push(run);
	if (runs.length > MOST_RUNS) runs.shift();
	return run;
}

type Boot = {readonly around: Surroundings; readonly container: Container; readonly run: Run};

function play(booting: Boot, {moments, trouble}: Script, index = 0): void {
	const {around, container, run} = booting;
	const {scheduler, machines} = around;
	const wait = (at: number, then: () => void) => {
		run.cancel = scheduler.after(Math.max(0, run.startedAt + at - scheduler.now()), then);
	};
	const next = async (moment: ScriptStep) => {
		await happen(booting, moment);
		if (!isOver(run, moment)) play(booting, {moments, trouble}, index + 1);
	};
	const moment = moments[index];
	if (moment !== undefined) wait(moment.at, () => void next(moment));
	else if (trouble !== undefined) {
		const {at, kind, seconds} = trouble;
		wait(at, () => machines.fallIll(container.work.machine_id, kind, seconds));
	}
}

/** True if the start was stopped, or another event came first. */
function isOver({endedAt, moments}: Run, expected: ScriptStep): boolean {
	return endedAt !== undefined || moments.at(-1) !== expected;
}

/** Plays an event; before a container runs, its endpoints are opened. */
async function happen(booting: Boot, moment: ScriptStep): Promise<void> {
	const {around, container, run} = booting;
	if (moment.status !== 'running') {
		reportMoment(booting, moment);
		if (moment.status === 'exited') await around.entrances.shut(container.work.instance_id);
		return;
	}
	try {
		const say = (text: string) => void run.output.push({at: around.scheduler.now(), text});
		const access = await around.entrances.open(container.work, say);
		if (run.endedAt !== undefined) return;
		container.isMade = true;
		reportMoment(booting, moment, access);
		reportSimulatedUsage(around, container);
		around.onRunning();
	} catch (error) {
		if (run.endedAt !== undefined) return;
		const at = around.scheduler.now() - run.startedAt;
		const message = `It cannot be reached: ${messageOf(error)}`;
		reportMoment(booting, {at, status: 'exited', message});
	}
}

function reportMoment({around, container, run}: Boot, moment: ScriptStep, access?: Access): void {
	const {work} = container;
	run.moments.push(moment);
	around.machines.report(work.machine_id, {
		instance_id: work.instance_id,
		boot: run.boot,
		status: moment.status,
		status_msg: moment.message,
		...(access !== undefined && {access}),
	});
}

function ranSecondsOf({runs, ranSeconds}: Container, now: number): number {
	const run = runs.at(-1);
	if (run === undefined || run.endedAt !== undefined) return ranSeconds;
	const running = run.moments.find(({status}) => status === 'running');
	if (running === undefined) return ranSeconds;
	const crash = run.moments.find(({status}) => status === 'exited');
	const end = crash === undefined ? now : run.startedAt + crash.at;
	return ranSeconds + Math.max(0, end - run.startedAt - running.at);
}

type User = Pick<Work, 'instance_id' | 'machine_id' | 'gpu_ids' | 'disk'>;

export function simulateUsage(
	{instance_id, machine_id, gpu_ids = [], disk = 10}: User,
	seed: number,
	seconds: number,
): InstanceUsage {
	const wander = wanderer(randomOf(seed, instance_id, 'usage'), seconds);
	const machine = randomOf(seed, machine_id, 'memory');
	const memory = 2 ** machine.whole(5, 8);
	const filled = randomOf(seed, instance_id, 'disk').between(0.3, 1.5);
	const load = gpu_ids.length === 0 ? 0 : wander(20, 99);
	const full = Math.min(disk * 0.9, filled + (disk * seconds) / (seconds + DAY));
	return {
		gpu_util: rounded(load),
		gpu_temp: rounded(34 + load * 0.42 + wander(0, 4)),
		cpu_util: rounded(wander(3, 60)),
		mem_usage: rounded(memory * wander(0.05, 0.6)),
		mem_limit: memory,
		vmem_usage: rounded(gpu_ids.length * wander(4, 20)),
		disk_usage: rounded(full),
		disk_util: Math.round((full / disk) * 1000) / 1000,
	};
}

/** Bytes sent and received after so many seconds of running. */
export function simulateTraffic(
	instanceId: number,
	seed: number,
	seconds: number,
): NonNullable<Report['traffic']> {
	const random = randomOf(seed, instanceId, 'traffic');
	return {
		down: Math.round(seconds * random.around(60_000, 1.2)),
		up: Math.round(seconds * random.around(12_000, 1.2)),
	};
}

/** Makes figures that wander between two bounds within minutes. */
function wanderer(random: SimulatedRandom, seconds: number): (low: number, high: number) => number {
	return (low, high) => {
		const wave = (period: number) => {
			const phase = random.next() * 2 * Math.PI;
			return Math.sin((seconds / period) * 2 * Math.PI + phase);
		};
		const height = wave(random.between(200, 900)) * 0.7 + wave(random.between(20, 90)) * 0.3;
		return low + ((high - low) * (height + 1)) / 2;
	};
}

function rounded(value: number): number {
	return Math.round(value * 10) / 10;
}
