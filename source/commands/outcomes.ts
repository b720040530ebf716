/** What came of one thing done to several instances: told one by one, and as one exit code. */
import type {FleetRow} from '../console/fleet/fleet-state.ts';
import {MISSING, pricePerHour, sentence} from '../console/format.ts';
import {printable} from '../console/terminal/output/text-width.ts';
import type {Context} from './command.ts';
import {exitCodeOf, exitCodeOfAll, exitCodes, messageOf} from './failure.ts';
import type {ExitCode} from './failure.ts';
import {nameOf} from './instance-facts.ts';

export type Outcome = {
	/** One word for it: `gone`, `stopped`, `refused`. */
	readonly outcome: string;
	readonly exitCode: ExitCode;
	/** What else is to be said of it: a sentence. */
	readonly message?: string | undefined;
};

/** Does something to all of them at once, and tells of each as soon as it is known. */
export async function doToAll(
	context: Context,
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

export function failed(error: unknown): Outcome {
	const exitCode = exitCodeOf(error);
	return {outcome: 'failed', exitCode, message: messageOf(error)};
}

function tell(
	{isJson, output}: Context,
	row: FleetRow,
	{outcome, exitCode, message}: Outcome,
): void {
	const {instance, rate} = row;
	const {id, label = null} = instance;
	// What did not happen goes on costing.
	const perHour = exitCode === exitCodes.fine ? undefined : rate.atMost;
	if (isJson) {
		output.json({id, label, outcome, message: message ?? null, at_most_per_hour: perHour ?? null});
		return;
	}
	const costs = perHour === undefined ? '' : ` It may cost ${pricePerHour(perHour)}.`;
	const more = message === undefined ? '' : `: ${sentence(printable(message))}`;
	output.line(`${printable(nameOf(instance))} ${outcome}${more}${costs}`);
}

/** The review before something is done: what it is about, a line each. */
export function reviewLines(rows: readonly FleetRow[], stateOf: (row: FleetRow) => string) {
	return rows.map(row => {
		const {instance, rate, seen} = row;
		const data = seen.hasRun ? 'ran, has data' : 'never ran';
		const price = rate.atMost === undefined ? MISSING : `up to ${pricePerHour(rate.atMost)}`;
		return `  ${[nameOf(instance), stateOf(row), data, price].map(printable).join('  ')}`;
	});
}
