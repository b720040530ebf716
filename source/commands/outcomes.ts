/** Outcomes of one action on several instances: printed one by one, summed up in one exit code. */
import {isTrouble} from '../renter/instance/condition.ts';
import type {FleetRow} from '../renter/fleet/fleet-state.ts';
import {evidenceFor} from '../renter/fleet/sweepable.ts';
import {paidAhead} from '../renter/instance/cost.ts';
import {MISSING, money, pricePerHour, sentence} from '../renter/text/format.ts';
import type {Context} from './command.ts';
import {exitCodeOf, exitCodeOfAll, exitCodes, failureMessage, type ExitCode} from './failure.ts';
import {instanceName} from './instance-facts.ts';

export type Outcome = {
	/** One word for it: `gone`, `stopped`, `refused`. */
	readonly outcome: string;
	readonly exitCode: ExitCode;
	/** Further remark as a sentence. */
	readonly message?: string | undefined;
};

/** Does something to all of them at once, and tells of each as soon as it is known. */
export async function doToAll(
	context: Pick<Context, 'signal' | 'isJson' | 'output'>,
	rows: readonly FleetRow[],
	act: (row: FleetRow) => Promise<Outcome>,
): Promise<ExitCode> {
	const codes = await Promise.all(
		rows.map(async row => {
			const outcome = await act(row).catch((error: unknown) => {
				context.signal.throwIfAborted();
				return failed(error);
			});
			tell(context, row, outcome);
			return outcome.exitCode;
		}),
	);
	return exitCodeOfAll(codes);
}

/** It is shown neither by its record nor by a list, and nothing proves that it is gone. */
export function unlisted({isAccepted}: {readonly isAccepted: boolean}): Outcome {
	const what = isAccepted ? 'it was accepted, and is not listed' : 'it is not listed';
	const message = `${what}; that is no proof that it is gone, and it may still be charged`;
	return {outcome: 'not listed', exitCode: exitCodes.timedOut, message};
}

export function failed(error: unknown): Outcome {
	const exitCode = exitCodeOf(error);
	return {outcome: 'failed', exitCode, message: failureMessage(error)};
}

function tell(
	{isJson, output}: Pick<Context, 'isJson' | 'output'>,
	row: FleetRow,
	{outcome, exitCode, message}: Outcome,
): void {
	const {instance, rate} = row;
	const {id, label = null} = instance;
	// An instance that was not ended goes on costing.
	const perHour = exitCode === exitCodes.fine ? undefined : rate.atMost;
	if (isJson) {
		const evidence = isTrouble(row.condition) ? evidenceFor(row) : null;
		const cost = {at_most_per_hour: perHour ?? null};
		output.json({id, label, outcome, message: message ?? null, ...cost, evidence});
		return;
	}
	const costs = perHour === undefined ? '' : ` It may cost ${pricePerHour(perHour)}.`;
	const more = message === undefined ? '' : `: ${message}`;
	const said = `${instanceName(instance)} ${outcome}${more}`;
	// Only what goes on is a sentence, so that one word after a name stays what it is.
	output.line(more + costs === '' ? said : sentence(said) + costs);
}

/** The review before something is done: what it is about, a line each. */
export function reviewLines(rows: readonly FleetRow[], stateOf: (row: FleetRow) => string) {
	return rows.map(row => {
		const {instance, rate, seen} = row;
		const data = seen.hasRun ? 'ran, has data' : 'never ran';
		const price = rate.atMost === undefined ? MISSING : `up to ${pricePerHour(rate.atMost)}`;
		const evidence = isTrouble(row.condition) ? [evidenceFor(row)] : [];
		const left = paidAhead([row]);
		const ahead = left > 0 ? [`${money(left)} paid ahead is left`] : [];
		return `  ${[instanceName(instance), stateOf(row), data, price, ...ahead, ...evidence].join('  ')}`;
	});
}
