/** Sends what is in the outbox, a batch at a time. */
import {messageOf} from '../contract/rules/thrown.ts';
import type {Client} from '../client/client.ts';
import type {Outbox} from './outbox.ts';
import {isRefused, isShutOut, persist, type Patience} from './retry.ts';
import {pause} from './scheduler.ts';

/** The most that the market takes at once. */
const REPORTS_AT_ONCE = 1000;

/** Time for gathering reports before they are sent. */
const GATHERING_SECONDS = 0.25;

type Reporting = {
	readonly calls: Pick<Client['hosts'], 'report'>;
	readonly outbox: Outbox;
	/** Told of the instances that the market does not know. */
	readonly onGone: (instanceIds: readonly number[]) => void;
};

/** Sends what there is and what comes, until the signal fires. */
export async function keepReporting(reporting: Reporting, patience: Patience): Promise<void> {
	const {scheduler, signal, log} = patience;
	while (!signal.aborted) {
		await reporting.outbox.wait(signal);
		await pause(scheduler, GATHERING_SECONDS, signal);
		if (signal.aborted) return;
		try {
			await persist(async () => reportBatch(reporting, signal), isRefused, patience);
		} catch (error) {
			if (isShutOut(error) || !isRefused(error)) throw error;
			log(`${messageOf(error)}. What was reported is lost.`);
		}
	}
}

/** Sends all that there is. */
export async function reportRest(reporting: Reporting, signal: AbortSignal): Promise<void> {
	while ((await reportBatch(reporting, signal)) > 0);
}

/** Sends one batch, and answers how much it was. What cannot be sent stays, unless it is refused. */
async function reportBatch(
	{calls, outbox, onGone}: Reporting,
	signal: AbortSignal,
): Promise<number> {
	const batch = outbox.take(REPORTS_AT_ONCE);
	if (batch.length === 0) return 0;
	try {
		onGone(await calls.report(batch, {signal}));
	} catch (error) {
		if (!isRefused(error) || isShutOut(error)) outbox.putBack(batch);
		throw error;
	}
	return batch.length;
}
