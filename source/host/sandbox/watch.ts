/** Hears when what runs in an instance has ended by itself, and tells it. */
import {messageOf} from '../retry.ts';
import {endFamily} from './ending.ts';
import {closeDoor} from '../instance/instance.ts';
import type {Around, Instance} from '../instance/instance.ts';
import {note} from '../instance/log-files.ts';
import {isRunning} from '../machine/processes.ts';
import {readCode, writeUnknownCode} from './workload.ts';

const LOOK_MS = 500;

/** @param exited Fulfils at its end; without it, what runs is looked for now and then. */
export function watchEnd(around: Around, instance: Instance, exited?: Promise<void>): void {
	let isLeft = false;
	const {root} = instance.record;
	const end = () => {
		if (isLeft) return;
		instance.leave();
		void sayEnded(around, instance);
	};
	const timer =
		exited === undefined && root !== undefined
			? setInterval(() => {
					void isRunning(root).then(runs => runs || end());
				}, LOOK_MS).unref()
			: undefined;
	instance.leave = () => {
		isLeft = true;
		clearInterval(timer);
	};
	void exited?.then(end);
}

async function sayEnded({tell}: Around, instance: Instance): Promise<void> {
	const {site, record, work} = instance;
	if (work === undefined) return;
	const {instance_id, boot} = work;
	const code = await readCode(site);
	const status_msg = endingOf(code);
	// What is told of its end stays so, also for an agent that comes later.
	if (code === undefined) await writeUnknownCode(site);
	try {
		await closeDoor(instance);
		await endFamily(record, 0);
	} catch (error) {
		await note(site, `C.${instance_id}: ${messageOf(error)}`);
	}
	await note(site, `C.${instance_id}: ${status_msg}`);
	tell({instance_id, boot, status: 'exited', status_msg});
}

/** Shells add this to the number of the signal that ended a program. */
const SIGNALS_FROM = 128;

/** How a workload ended, by its code, where somebody could write that down. */
export function endingOf(code: number | undefined): string {
	if (code === undefined || Number.isNaN(code)) return 'It was ended from outside.';
	if (code > SIGNALS_FROM && code < SIGNALS_FROM + 65) {
		return `Its program was ended by signal ${code - SIGNALS_FROM} (exit code ${code}).`;
	}
	return `Its program ended with exit code ${code}.`;
}
