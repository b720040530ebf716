/**
 * Default jobs, which a machine runs on its idle GPUs. Each GPU has an instance of its own, so that
 * the others go on when one is rented.
 */
import type {DefaultJob} from '../../contract/nouns/default-jobs.ts';
import type {WorkSignal} from '../base/work-signal.ts';
import {Refusal} from '../base/refusal.ts';
import {plainSettings} from '../lifecycle/instance-rules.ts';
import {advance, newInstance} from '../lifecycle/rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {Database} from '../database/database.ts';
import {gpusIn} from './rules.ts';
import * as store from './store.ts';
import type {InstanceRow, MachineRow} from '../database/instance-tables.ts';
import {instancesOn} from '../lifecycle/instances-store.ts';
import {findMachine} from '../lifecycle/machines-store.ts';
import {offersOn} from '../offers/store.ts';
import type {DefaultJobRow} from '../database/provider-tables.ts';
import type {OfferRow} from '../database/schema.ts';
import {writing} from '../database/writing.ts';
import {overlaps, settleMachine} from '../lifecycle/claims.ts';
import {destroyInstances} from '../instances/destroy.ts';
import {insertOwnInstance} from '../instances/own-instances.ts';
import {ownMachine, type NamedMachine} from '../lifecycle/own-machine.ts';

type Setting = {readonly database: Database; readonly workSignal: WorkSignal};

const DISK_GB = 10;
/** End of a default job's contract, which never comes. */
const NO_END = 2e11;

/**
 * Sets the job of a machine. The same job at another price keeps running, and a start that failed
 * is
 * retried.
 *
 * @throws Refusal for a machine that is not the account's, or that was never published.
 */
export async function startDefaultJob(
	{database, workSignal}: Setting,
	accountId: number,
	{machine: id, price_gpu: price, image, args}: DefaultJob,
	now: number,
): Promise<void> {
	await writing(database, async transaction => {
		const machine = await ownMachine(transaction, {id, accountId});
		if ((await offersOn(transaction, id)).length === 0) {
			throw new Refusal('badArguments', 'Its host has published nothing.');
		}
		const job: DefaultJobRow = {
			machine_id: id,
			gpu_micros: Math.round(price * MICROS_PER_DOLLAR),
			image: image.trim(),
			args: JSON.stringify(args ?? []),
		};
		const before = await store.findDefaultJob(transaction, id);
		const isSame = before?.image === job.image && before.args === job.args;
		await store.writeDefaultJob(transaction, job);
		const running = (await jobsOn(transaction, id)).filter(
			({intended}) => !isSame || intended !== 'running',
		);
		await destroyInstances(transaction, running, now);
		await fitJob(transaction, machine, job, now);
	});
	workSignal.send(accountId);
}

/** @throws Refusal for a machine that is not the account's, or has no default job. */
export async function endDefaultJob(
	{database, workSignal}: Setting,
	named: NamedMachine,
	now: number,
): Promise<void> {
	await writing(database, async transaction => {
		const {id} = await ownMachine(transaction, named);
		if ((await store.findDefaultJob(transaction, id)) === undefined) {
			const fields = {machine_id: id, user_id: named.accountId};
			throw new Refusal('noSuchMachine', 'The machine has no default job', {fields});
		}
		await store.deleteDefaultJobRow(transaction, id);
		await destroyInstances(transaction, await jobsOn(transaction, id), now);
	});
	workSignal.send(named.accountId);
}

/** Fits a machine's default job to its present GPUs. Call it in a transaction. */
export async function fitDefaultJob(
	database: Database,
	machineId: number,
	now: number,
): Promise<void> {
	const job = await store.findDefaultJob(database, machineId);
	if (job === undefined) return;
	const machine = await findMachine(database, machineId);
	if (machine !== undefined) await fitJob(database, machine, job, now);
}

async function jobsOn(database: Database, machineId: number): Promise<readonly InstanceRow[]> {
	const present = await instancesOn(database, machineId);
	return present.filter(({default_job: isDefaultJob}) => isDefaultJob === 1);
}

async function fitJob(
	database: Database,
	machine: MachineRow,
	{image, args}: DefaultJobRow,
	now: number,
): Promise<void> {
	const offers = await offersOn(database, machine.id);
	const wanted = new Map(
		gpusIn(machine).flatMap(gpu => {
			const mask = 2 ** gpu;
			const offer = smallestWith(offers, mask);
			return offer === undefined ? [] : [[mask, offer] as const];
		}),
	);
	const present = await jobsOn(database, machine.id);
	const gone = present.filter(({gpu_mask: mask}) => !wanted.has(mask));
	await destroyInstances(database, gone, now);
	for (const {gpu_mask: mask} of present) wanted.delete(mask);
	for (const [gpuMask, offer] of wanted) {
		await insertOwnInstance(database, machine, {
			offer,
			gpuMask,
			image,
			// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `setDefaultJob` wrote it
			settings: {...plainSettings, args: JSON.parse(args) as string[]},
			label: `default job of machine ${machine.id}`,
			diskGb: DISK_GB,
			endDate: NO_END,
			// A default job begins stopped and waits for its GPU.
			state: advance(newInstance('stopped', machine.contact), {kind: 'start', hasGpus: false}),
			isDefaultJob: true,
			now,
		});
	}
	await settleMachine(database, machine.id, now);
}

/** The smallest offer with a GPU, a listed one if possible. */
function smallestWith(offers: readonly OfferRow[], mask: number): OfferRow | undefined {
	return offers
		.filter(offer => overlaps(offer.gpu_mask, mask))
		.toSorted((one, other) => other.listed - one.listed || one.num_gpus - other.num_gpus)[0];
}
