/** Outcomes of one action on several instances: printed one by one, summed up in one exit code. */
import type {Halt, Removal} from '../client/rentals/removal.ts';
import {troubleOf} from '../renter/actions/instance-actions.ts';
import type {FleetRow} from '../renter/fleet/fleet-state.ts';
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

/** The outcome of a removal or a halt, as the client has confirmed it. */
export function outcomeOf(result: Removal | Halt): Outcome {
	const {timedOut} = exitCodes;
	switch (result.outcome) {
		case 'gone':
		case 'stopped':
			return {outcome: result.outcome, exitCode: exitCodes.fine};
		case 'still listed': {
			const what = result.isAccepted ? 'it was accepted' : 'nobody answered';
			const message = `${what}, and it is listed all the same`;
			return {outcome: result.outcome, exitCode: timedOut, message};
		}
		case 'still running':
			return {outcome: result.outcome, exitCode: timedOut};
		case 'unlisted': {
			const what = result.isAccepted ? 'it was accepted, and is not listed' : 'it is not listed';
			const message = `${what}; that is no proof that it is gone, and it may still be charged`;
			return {outcome: 'not listed', exitCode: timedOut, message};
		}
		case 'refused':
			return {...failed(result.error), outcome: result.outcome};
		case 'unknown': {
			const message = 'the instances cannot be listed at present';
			return {outcome: result.outcome, exitCode: timedOut, message};
		}
	}
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
		const evidence = troubleOf(row) ?? null;
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
		const trouble = troubleOf(row);
		const left = paidAhead([row]);
		const ahead = left > 0 ? [`${money(left)} paid ahead is left`] : [];
		return `  ${[instanceName(instance), stateOf(row), data, price, ...ahead, ...(trouble === undefined ? [] : [trouble])].join('  ')}`;
	});
}
