/**
 * Follows a rental to the first record of its instance, or to the moment when SSH answers. Records are compared
 * with the order; for `--exact` an instance that is not as ordered is destroyed.
 */
import type {Client} from '../../client/client.ts';
import {openAgreedLeases} from '../../renter/leases/agreed.ts';
import {readLabel} from '../../renter/words/lease.ts';
import {ApiError} from '../../client/exchange/errors.ts';
import {contradictionOf} from '../../client/rentals/made-instance.ts';
import type {PendingRent} from '../../client/rentals/pending-rent.ts';
import {pricePerHour, sentence} from '../../renter/text/format.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {differencesText} from '../../renter/orders/difference-texts.ts';
import type {Difference} from '../../renter/orders/differences.ts';
import {
	createInstanceComparison,
	PORTS_MS,
	type NotAsOrdered,
} from '../../renter/orders/instance-comparisons.ts';
import {pollUntil} from '../../renter/state/polling.ts';

import {waitForSsh, watchBoot} from '../instances/boot.ts';
import type {Context} from '../base/command.ts';
import {failed, commandOutcomeOf} from '../instances/outcomes.ts';
import {exitCodes, type ExitCode} from '../base/failure.ts';

export type Rented = {readonly id: number; readonly pending: PendingRent};

export type Followed = {
	readonly exitCode: ExitCode;
	/** The last record, if the instance was waited for. */
	readonly instance: Instance | undefined;
	readonly unlike: NotAsOrdered | undefined;
	readonly isGone: boolean;
};

/** Compares the instance with its order, and waits for it with `--wait`. */
export async function follow(
	context: Context,
	client: Client,
	{id, pending, isWaitedFor}: Rented & {readonly isWaitedFor: boolean},
): Promise<Followed> {
	const comparison = compareWithOrder(context, client, {id, pending});
	if (isWaitedFor) context.output.say(`rentty: ${id} is rented. Waiting for it to run.`);
	const isCompared = isWaitedFor || (await comparison.seeFirst());
	const isUnproven = !isCompared && context.isGiven('exact');
	const waited = isWaitedFor
		? await waitUntilEntered(context, client, {id, comparison})
		: {exitCode: isUnproven ? exitCodes.timedOut : exitCodes.fine, instance: undefined};
	const unlike = comparison.found();
	if (unlike === undefined) return {...waited, unlike, isGone: false};
	if (!context.isGiven('exact')) {
		// The instance differs from the order, even if it booted.
		const isFine = waited.exitCode === exitCodes.fine;
		const exitCode = isFine ? exitCodes.notAsOrdered : waited.exitCode;
		return {...waited, exitCode, unlike, isGone: false};
	}
	const isGone = await destroyUnlike(context, client, id);
	return {...waited, exitCode: exitCodes.notAsOrdered, unlike, isGone};
}

async function waitUntilEntered(
	context: Context,
	client: Client,
	{id, comparison}: {readonly id: number; readonly comparison: Comparison},
): Promise<Pick<Followed, 'exitCode' | 'instance'>> {
	const {output} = context;
	const booted = await watchBoot(context, client, id, comparison.see);
	const {exitCode, instance, outcome, message} = booted;
	if (outcome === 'not as ordered') return {exitCode, instance};
	if (outcome !== 'running' || instance === undefined) {
		output.say(
			`rentty: ${id} ${outcome}: ${message ?? ''}. It is kept, and may be charged: rentty destroy ${id} ends it.`,
		);
		return {exitCode, instance};
	}
	const isEnough = await comparison.seePorts();
	if (isEnough || (await waitForSsh(context, instance))) return {exitCode, instance};
	output.say(`rentty: ${id} runs, but SSH does not answer.`);
	return {exitCode: exitCodes.timedOut, instance};
}

type Comparison = {
	/** Compares a record, says and notes the differences; true if `--exact` ends the instance. */
	readonly see: (instance: Instance) => Promise<boolean>;
	/**
	 * Waits a few seconds for the first record; false if there was none. Failures are not thrown: the
	 * instance is rented all the same.
	 */
	readonly seeFirst: () => Promise<boolean>;
	/** Gives a running instance a few seconds for missing ports; true if `--exact` ends it. */
	readonly seePorts: () => Promise<boolean>;
	readonly found: () => NotAsOrdered | undefined;
};

/** Longest wait for the first record, and the time between two polls for it. */
const FIRST_MS = 5000;
const EVERY_MS = 1000;
/** Number of polls for ports that are missing at first. */
const PORT_POLLS = 2;

function compareWithOrder(context: Context, client: Client, {id, pending}: Rented): Comparison {
	const {output, now, signal, isGiven, folders, service} = context;
	const check = createInstanceComparison(pending.agreed ?? {}, now);
	const isEnough = () => isGiven('exact') && check.found() !== undefined;
	const contradictions = contradictionsOf(pending, output);

	async function see(instance: Instance): Promise<boolean> {
		if (contradictions.report(instance)) return false;
		const {lease} = readLabel(pending.agreed?.label);
		if (lease !== undefined) {
			// Others may edit the label from now on.
			const agreed = openAgreedLeases(folders.state, service());
			agreed.agree(instance, lease, client.clock.skewMs());
		}
		const fresh = check.compare(instance);
		if (fresh.length > 0) {
			const what = differencesText(fresh);
			const cost = `It costs ${pricePerHour(check.found()?.perHour)}.`;
			const end = isGiven('exact') ? '' : ` rentty destroy ${id} ends it.`;
			output.say(`rentty: ${id} is not as ordered: ${what}. ${cost}${end}`);
			await client.journal.differs(pending, id, what);
		}
		return isEnough();
	}

	async function seePorts(): Promise<boolean> {
		let polls = 0;
		const isOver = () => polls >= PORT_POLLS || !check.isOpen() || isEnough();
		if (isOver()) return isEnough();
		await pollUntil({
			everyMs: PORTS_MS,
			firstMs: PORTS_MS,
			signal,
			async ask() {
				const instance = await client.instances.show(id, {signal}).catch(() => undefined);
				if (instance !== undefined) await see(instance);
				polls += 1;
				return isOver() || undefined;
			},
		});
		return isEnough();
	}

	return {
		see,
		async seeFirst() {
			const first = await firstRecord(client, id, signal);
			if (first !== undefined) {
				await see(first);
				// Ctrl-C ends the polls; the id is printed all the same.
				if (first.actual_status === 'running') await seePorts().catch(() => undefined);
			} else if (isGiven('exact')) {
				output.say(
					`rentty: ${id} cannot be read so far, so it was not compared with the order, and is kept: it may be charged.`,
				);
			}
			return first !== undefined && !contradictions.areReported();
		},
		seePorts,
		found: check.found,
	};
}

/**
 * Says once that a record is not of this order's instance, which is then neither compared nor destroyed
 * for it.
 */
function contradictionsOf(pending: PendingRent, output: Context['output']) {
	let isReported = false;
	return {
		report(instance: Instance): boolean {
			const contradiction = contradictionOf(pending, instance);
			if (contradiction === undefined) return false;
			const what = `The service answered with ${contradiction}, so it was not compared with the order, and is kept.`;
			if (!isReported) output.say(`rentty: ${what} rentty ps lists what there is.`);
			isReported = true;
			return true;
		},
		areReported: () => isReported,
	};
}

/** The first record of the instance; undefined if none comes in time. */
async function firstRecord(
	client: Client,
	id: number,
	stop: AbortSignal,
): Promise<Instance | undefined> {
	const signal = AbortSignal.any([stop, AbortSignal.timeout(FIRST_MS)]);
	const polled = pollUntil({
		everyMs: EVERY_MS,
		mostMs: EVERY_MS,
		signal,
		ask: async () => client.instances.show(id, {signal}),
		onFailure(error) {
			if (isForbidden(error)) throw error;
			return undefined;
		},
	});
	return polled.catch(() => undefined);
}

/** A key without the right to read instances will not get it in a few seconds. */
function isForbidden(error: unknown): boolean {
	return error instanceof ApiError && (error.status === 401 || error.status === 403);
}

const REMOVAL_MS = 60_000;

/** Destroys an instance that is not as ordered; true if it is proven to be gone. */
async function destroyUnlike(
	{output, signal}: Pick<Context, 'output' | 'signal'>,
	client: Client,
	id: number,
): Promise<boolean> {
	output.say(`rentty: Destroying ${id}, for --exact was given.`);
	const removal = client.instances.remove(id, {signal, timeoutMs: REMOVAL_MS});
	const {outcome, message = outcome} = await removal.then(commandOutcomeOf, failed);
	if (outcome === 'gone') {
		output.say(`rentty: ${id} is gone. Nothing more is charged for it.`);
		return true;
	}
	output.say(
		`rentty: ${id} is not known to be gone, and may still be charged: ${sentence(message)} rentty destroy ${id} tries again.`,
	);
	return false;
}

/** A difference as `--json` shows it. */
export function differenceRecord(difference: Difference) {
	const {field, ordered, got} = difference;
	const costs = difference.field === 'price' ? difference.costs : null;
	return {field, ordered, got, costs_per_hour: costs};
}
