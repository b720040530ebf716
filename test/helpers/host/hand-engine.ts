/** A host whose engine has one container, of instance 7, that a test runs, ends and counts by hand. */
import {expect} from 'vitest';
import type {Report, Work} from '../../../source/contract/nouns/host-work.ts';
import type {Driver, Running} from '../../../source/host/instance/instance.ts';
import {openInstances} from '../../../source/host/instance/instances.ts';
import {readRecord} from '../../../source/host/instance/record.ts';
import {siteOf} from '../../../source/host/instance/site.ts';
import {measuring, noGpus} from '../../../source/host/machine/machine-gpus.ts';
import {createHandScheduler} from '../hand-scheduler.ts';
import {workOf} from './host.ts';
import {waitFor} from '../wait-for.ts';

type HandContainer = {
	isMade: boolean;
	isRunning: boolean;
	/** Bytes since its start, as engines count them; undefined where the engine counts none. */
	up: number | undefined;
};

async function untilAborted(signal: AbortSignal): Promise<never> {
	const {promise, reject} = Promise.withResolvers<never>();
	const abort = () => reject(new Error('nobody watches any more'));
	signal.addEventListener('abort', abort);
	if (signal.aborted) abort();
	return promise;
}

function driverOf(container: HandContainer): Driver {
	const running: Running = {
		ended: untilAborted,
		async measure() {
			const {up} = container;
			return {usage: {}, ...(up !== undefined && {traffic: {up, down: 0}})};
		},
		release: async () => undefined,
	};
	return {
		async start() {
			if (!container.isRunning) container.up = 0;
			Object.assign(container, {isMade: true, isRunning: true});
			return running;
		},
		stop: async () => void (container.isRunning = false),
		remove: async () => void Object.assign(container, {isMade: false, isRunning: false}),
		list: async () => (container.isMade ? [7] : []),
		async inspect() {
			const {isMade, isRunning} = container;
			return isMade ? {isRunning, ending: isRunning ? undefined : 'It ended.'} : undefined;
		},
		answers: async () => true,
		message: () => 'success',
		isEnteredDirectly: () => true,
		finalReason: () => undefined,
		reason: String,
		keepVolume: async () => undefined,
		removeVolume: async () => undefined,
		listVolumes: async () => [],
		volumeFolder: async () => '',
		logs: async () => '',
		execute: async () => '',
		close: async () => undefined,
	};
}

export function openHandEngine(folder: string) {
	const container: HandContainer = {isMade: false, isRunning: false, up: 0};

	function openHost() {
		const told: Report[] = [];
		const scheduler = createHandScheduler();
		const runtime = openInstances({
			folder,
			reach: {address: '127.0.0.1', listen: '127.0.0.1'},
			driver: driverOf(container),
			gpus: noGpus,
			measureGpus: measuring('none'),
			graceMs: 0,
			endsOnClose: false,
			report: report => told.push(report),
			log: () => undefined,
			scheduler,
			random: () => 0,
		});
		return {
			...runtime,
			told,
			/** Starts it, and waits until it runs. */
			async run(work: Partial<Work> = {}): Promise<void> {
				told.length = 0;
				await runtime.start(workOf(work));
				await waitFor(() => expect(told.at(-1)?.status).toBe('running'));
			},
			/** The bytes that it tells after so many of this start. */
			async tells(up: number | undefined): Promise<number | undefined> {
				container.up = up;
				told.length = 0;
				await waitFor(async () => {
					await scheduler.pass(2);
					expect(told.some(one => one.usage !== undefined)).toBe(true);
				});
				// It is told before it is recorded.
				await waitFor(async () => {
					const record = await readRecord(siteOf(folder, 7).record);
					expect(record?.startTraffic.up).toBe(up ?? record?.startTraffic.up);
				});
				return told.at(-1)?.traffic?.up;
			},
		};
	}

	return {container, openHost};
}
