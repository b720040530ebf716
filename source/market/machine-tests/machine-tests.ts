/** Tests of machines, for which the market runs a free instance and judges its results. */
import {randomBytes, randomInt} from 'node:crypto';
import type {WorkSignal} from '../base/work-signal.ts';
import {Refusal} from '../base/refusal.ts';
import {isReachable, type ContactTimeouts} from '../lifecycle/contact-rules.ts';
import {newInstance} from '../lifecycle/rules.ts';
import type {GpuModel} from './gpu-models.ts';
import type {CardMeasurement} from './proof.ts';
import {shownMeasured} from './proof-texts.ts';
import {MOST_LATE, judgeMachineTest, type MachineCheck, testSettings} from './rules.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow, MachineRow} from '../database/instance-tables.ts';
import {findHosted} from '../lifecycle/instances-store.ts';
import {findMachine} from '../lifecycle/machines-store.ts';
import * as store from './store.ts';
import {offersOn} from '../offers/store.ts';
import {changeTrust, lastMarked, lastVerdict, planTest} from '../reliability/store.ts';
import type {MachineTestRow} from '../database/provider-tables.ts';
import type {OfferRow} from '../database/schema.ts';
import {writing, writingOn} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {settleMachine, takeGpus} from '../lifecycle/claims.ts';
import {destroyInstances} from '../instances/destroy.ts';
import {insertOwnInstance} from '../instances/own-instances.ts';
import type {Relays} from '../relay/relays.ts';
import {notifyAccount} from '../notifications/notify-renter.ts';
import {release, setVerification, showTrust} from '../reliability/reliability.ts';
import {DAY, HOUR} from '../../contract/rules/durations.ts';

/** Time until the next test, by outcome: a week, a day, or later today after an unfinished test. */
const AFTER_PASSED = 7 * DAY;
/** Random share by which the next test comes sooner or later, so that its time is unpredictable. */
const CHANCE = 0.5;
const AFTER_FAILED = DAY;
const AFTER_BROKEN_OFF = HOUR;
/** Retry interval for a machine that cannot be tested yet, such as right after a rental. */
const AFTER_REFUSED = 300;

/** Disk of the instance, in GB, and its longest life. */
const DISK_GB = 4;
const LONGEST_SECONDS = HOUR;

export type Testing = {
	readonly database: Database;
	readonly patience: ContactTimeouts;
	readonly workSignal: WorkSignal;
	readonly relays: Relays;
	/** Image of tests; undefined for the usual one. */
	readonly image?: string | undefined;
	/** GPU models that take precedence over the built-in ones. */
	readonly gpuModels?: readonly GpuModel[] | undefined;
};

type Reason = MachineTestRow['reason'];

/**
 * Begins a test of a machine, unless one is in progress.
 *
 * @throws Refusal for a machine that cannot be tested at present
 */
export async function beginTest(
	{database, patience, workSignal, image, relays}: Testing,
	machineId: number,
	{reason, now}: {readonly reason: Reason; readonly now: number},
): Promise<MachineTestRow> {
	const {test, hostAccountId, relayed} = await writing(database, async transaction => {
		const machine = await findMachine(transaction, machineId);
		if (machine === undefined || machine.removed_at !== null) {
			throw new Refusal('noSuchMachine', 'No such machine id');
		}
		const [open] = await store.openTests(transaction, machineId);
		const {account_id: accountId} = machine;
		if (open !== undefined) return {test: open, hostAccountId: accountId};
		const offer = await freeOffer(transaction, machine, {patience, now});
		const secret = randomBytes(32).toString('hex');
		const instance = await insertOwnInstance(transaction, machine, {
			offer,
			gpuMask: offer.gpu_mask,
			image: image ?? imageFor(machine),
			settings: testSettings(secret),
			label: `self-test of machine ${machine.id}`,
			diskGb: DISK_GB,
			endDate: now + LONGEST_SECONDS,
			state: newInstance('running', machine.contact),
			isDefaultJob: false,
			now,
		});
		const given = await relays.give(transaction, {id: instance.id, machineId, now});
		await settleMachine(transaction, machineId, now);
		const begun = {machine_id: machineId, instance_id: instance.id, reason, secret};
		const made = await store.insertTest(transaction, {...begun, started_at: now});
		if (reason === 'asked') {
			await refuseTooMany(transaction, 'machineTest', {accountId, at: machineId, now});
		}
		return {test: made, hostAccountId: accountId, relayed: given};
	});
	await relays.open(relayed);
	workSignal.send(hostAccountId);
	return test;
}

/** The largest offer of a machine with free GPUs. */
async function freeOffer(
	database: Database,
	machine: MachineRow,
	{patience, now}: {readonly patience: ContactTimeouts; readonly now: number},
): Promise<OfferRow> {
	if (machine.made_up === 1) throw untestable('The market made it up: there is nothing to test.');
	if (!isReachable(machine, patience, now) || machine.heard_at === null) {
		throw untestable('Its host is not heard. Start rentty host on it.');
	}
	const offers = (await offersOn(database, machine.id)).filter(({listed}) => listed === 1);
	if (offers.length === 0) throw untestable('It is not listed: rentty host price lists it.');
	for (const offer of offers.toSorted((one, other) => other.num_gpus - one.num_gpus)) {
		const claim = {machineId: machine.id, gpuMask: offer.gpu_mask, bidMicros: 0};
		if (await takeGpus(database, claim, now)) return offer;
	}
	throw untestable('All its GPUs are in use: it can be tested when some are free.');
}

function untestable(why: string): Refusal {
	return new Refusal('badArguments', `The machine cannot be tested: ${why}`);
}

/** Image with Python, and for GPUs with PyTorch. */
function imageFor({num_gpus: gpus}: MachineRow): string {
	return gpus > 0 ? 'pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime' : 'python:3.13-slim';
}

/** Begins due tests, with those of their companions. A test that cannot begin is tried again soon. */
export async function beginDueTests(testing: Testing, now: number): Promise<void> {
	for (const id of await store.dueForTest(testing.database, now)) {
		const hasBegun = await beginIfPossible(testing, id, now);
		await writingOn(testing.database, {machines: [id], payers: false}, async transaction =>
			planTest(transaction, id, now + (hasBegun ? AFTER_BROKEN_OFF : AFTER_REFUSED)),
		);
		if (hasBegun) await beginCompanions(testing, id, {reason: 'due', now});
	}
}

async function beginIfPossible(testing: Testing, id: number, now: number): Promise<boolean> {
	try {
		await beginTest(testing, id, {reason: 'due', now});
		return true;
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return false;
	}
}

/**
 * Begins the tests of machines that might answer with the same cards, at the same moment: others of
 * the same provider, those that claim the same GPU, and, if a test is due, all of the model.
 */
export async function beginCompanions(
	testing: Testing,
	machineId: number,
	{reason, now}: {readonly reason: Reason; readonly now: number},
): Promise<void> {
	const companions = await store.companionsOf(testing.database, machineId, reason);
	for (const id of companions) await beginIfPossible(testing, id, now);
}

/** The instance of a test; undefined if gone. */
export async function instanceOf(
	database: Database,
	{instance_id: id, machine_id: machineId}: MachineTestRow,
): Promise<InstanceRow | undefined> {
	const machine = await findMachine(database, machineId);
	if (machine === undefined) return undefined;
	return findHosted(database, {id, accountId: machine.account_id});
}

export type Finished = {
	readonly checks: readonly MachineCheck[];
	/** Least measured speed of each of its GPUs; undefined if none has answered correctly. */
	readonly measured?: CardMeasurement | undefined;
	/** Reason why the test was aborted; undefined for a finished one. */
	readonly brokenOff?: string;
};

/** Ends a test: stores its checks, removes its instance, and marks the machine. */
export async function finishTest(
	{database, workSignal}: Pick<Testing, 'database' | 'workSignal'>,
	test: MachineTestRow,
	{checks, measured, brokenOff}: Finished,
	now: number,
): Promise<void> {
	const hostAccountId = await writing(database, async transaction => {
		const machine = await findMachine(transaction, test.machine_id);
		const late = await store.lateInARow(transaction, test.machine_id, MOST_LATE);
		const verdict = judgeMachineTest(checks, brokenOff, late);
		const end = {ended_at: now, outcome: verdict.outcome, note: verdict.note};
		if (!(await store.endTest(transaction, test.id, end, checks))) return undefined;
		const instance = await instanceOf(transaction, test);
		if (instance !== undefined) await destroyInstances(transaction, [instance], now);
		if (machine === undefined) return undefined;
		if (checks.some(({name}) => name === 'gpu_proof')) {
			const shown = measured === undefined ? null : JSON.stringify(shownMeasured(measured, now));
			await changeTrust(transaction, machine.id, {measured: shown});
			await showTrust(transaction, machine.id, now);
		}
		await mark(transaction, machine, {...verdict, begunAt: test.started_at}, now);
		return machine.account_id;
	});
	if (hostAccountId !== undefined) workSignal.send(hostAccountId);
}

/** Quarantine of a machine under test: one that is newer than the test is kept, and another follows. */
async function quarantineOf(
	database: Database,
	{id, quarantine}: MachineRow,
	begunAt: number,
): Promise<'none' | 'answered' | 'kept'> {
	if (quarantine === null) return 'none';
	return begunAt < (await lastMarked(database, id, 'quarantined')) ? 'kept' : 'answered';
}

const pauses = {passed: AFTER_PASSED, failed: AFTER_FAILED, unfinished: AFTER_BROKEN_OFF} as const;

async function mark(
	database: Database,
	machine: MachineRow,
	{outcome, note, begunAt}: ReturnType<typeof judgeMachineTest> & {readonly begunAt: number},
	now: number,
): Promise<void> {
	const chance = outcome === 'passed' ? 1 + CHANCE * (randomInt(2001) / 1000 - 1) : 1;
	const quarantine = await quarantineOf(database, machine, begunAt);
	await planTest(
		database,
		machine.id,
		now + (quarantine === 'kept' ? 0 : pauses[outcome] * chance),
	);
	if (outcome === 'unfinished') return;
	const word = {saidBy: 'market', why: note, now} as const;
	const isPassed = outcome === 'passed';
	if (isPassed && quarantine === 'answered') await release(database, machine, word);
	const before = await lastVerdict(database, machine.id);
	// The operator's verdict stands until the operator hands verification back to the tests.
	if (before?.said_by !== 'operator') {
		const was = machine.verification ?? 'unverified';
		const failed = was === 'unverified' ? 'unverified' : 'deverified';
		await setVerification(database, machine, isPassed ? 'verified' : failed, word);
	}
	if (isPassed) return;
	await notifyAccount(database, machine.account_id, {
		kind: 'host:verification_failed',
		subject: `Machine ${machine.id} has failed its test`,
		message: note,
		at: now,
	});
}
