/** Outcomes of what a command does to instances: a line each, and one exit code. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Halt, Removal} from '../../client/rentals/removal.ts';
import {troubleEvidence} from '../../renter/actions/instance-actions.ts';
import type {FleetRow} from '../../renter/fleet/fleet-state.ts';
import {pricePerHour, sentence} from '../../renter/text/format.ts';
import type {Context} from '../base/command.ts';
import {
	exitCodeOf,
	exitCodeOfAll,
	exitCodes,
	failureMessage,
	type ExitCode,
} from '../base/failure.ts';
import {instanceName, recordLabel} from './facts.ts';

export type CommandOutcome = {
	/** A word for the outcome: `gone`, `stopped`, `refused`. */
	readonly outcome: string;
	readonly exitCode: ExitCode;
	readonly message?: string | undefined;
};

/** Acts on all instances at once, and prints each outcome as soon as it is known. */
export async function doToAll(
	context: Pick<Context, 'signal' | 'isJson' | 'output'>,
	rows: readonly FleetRow[],
	act: (row: FleetRow) => Promise<CommandOutcome>,
): Promise<ExitCode> {
	const codes = await Promise.all(
		rows.map(async row => {
			const outcome = await act(row).catch((error: unknown) => {
				context.signal.throwIfAborted();
				return failed(error);
			});
			printOutcome(context, row, outcome);
			return outcome.exitCode;
		}),
	);
	return exitCodeOfAll(codes);
}

/** The outcome of a removal or a halt, as the client has confirmed it. */
export function commandOutcomeOf(result: Removal | Halt): CommandOutcome {
	const {timedOut} = exitCodes;
	switch (result.outcome) {
		case 'gone':
			return {outcome: result.outcome, exitCode: exitCodes.fine};
		case 'stopped': {
			const message = priceAfterStop(result.instance);
			return {outcome: result.outcome, exitCode: exitCodes.fine, message};
		}
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

/** A remark where a stopped instance is still said to cost its GPUs; undefined if it is not. */
function priceAfterStop({id, instance: present}: Instance): string | undefined {
	const gpus = present?.gpuCostPerHour ?? 0;
	if (gpus <= 0) return undefined;
	const price = pricePerHour(Math.max(gpus, present?.totalHour ?? 0));
	return `its record still names ${price}, as if it ran: rentty ps ${id} shows whether that ends`;
}

export function failed(error: unknown): CommandOutcome {
	const exitCode = exitCodeOf(error);
	return {outcome: 'failed', exitCode, message: failureMessage(error)};
}

function printOutcome(
	{isJson, output}: Pick<Context, 'isJson' | 'output'>,
	row: FleetRow,
	{outcome, exitCode, message}: CommandOutcome,
): void {
	const {instance, rate} = row;
	const {id, label} = instance;
	// An instance that was not ended goes on costing.
	const perHour = exitCode === exitCodes.fine ? undefined : rate.atMost;
	if (isJson) {
		const evidence = troubleEvidence(row) ?? null;
		const cost = {at_most_per_hour: perHour ?? null};
		const named = {id, label: recordLabel(label)};
		output.json({...named, outcome, message: message ?? null, ...cost, evidence});
		return;
	}
	const costs = perHour === undefined ? '' : ` It may cost ${pricePerHour(perHour)}.`;
	const more = message === undefined ? '' : `: ${message}`;
	const line = `${instanceName(instance)} ${outcome}${more}`;
	// An outcome stays one word after the name, unless something more is to be said.
	output.line(more + costs === '' ? line : sentence(line) + costs);
}

export type Counts = {
	/** Count of rented instances. */
	readonly all: number;
	/** True if others, which could not be read, may be meant as well. */
	readonly isPart: boolean;
};

/** Success is only partial where more instances may have been meant. */
export function orPart(code: ExitCode, isPart: boolean): ExitCode {
	return isPart && code === exitCodes.fine ? exitCodes.partlyFailed : code;
}
