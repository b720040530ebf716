/** Scheduled jobs of the service that end an instance: they go by no lease, and may act beside it. */
import type {Client} from '../../client/client.ts';
import {ApiError, MarketError} from '../../client/exchange/errors.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {JobRecord} from '../../contract/nouns/scheduled-jobs.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {isoMinute, jobEnd, jobTimes} from '../nouns/scheduled-jobs.ts';

/** What one of them does and when, and what it does not go by. */
export type StoppingJob = {
	readonly who: 'job';
	readonly isConfirmed: false;
	readonly says: string;
	readonly cannot: string;
};

type Asking = {
	readonly client: Pick<Client, 'scheduledJobs' | 'clock'>;
	readonly signal: AbortSignal;
};

/** All that may still stop or destroy it; one that says so where that cannot be known. */
export async function stoppingJobs(
	{client, signal}: Asking,
	{id}: Instance,
): Promise<readonly StoppingJob[]> {
	try {
		const {jobs, unreadable} = await client.scheduledJobs.list({signal});
		const now = client.clock.now() / 1000;
		const found = jobs.flatMap(job => stopping(job, id, now));
		const some = `${unreadable.count} of the scheduled jobs cannot be read`;
		return unreadable.count === 0 ? found : [...found, unknown(some)];
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof ApiError && error.hasNoCall) return [];
		const why = error instanceof MarketError ? error.why : messageOf(error);
		return [unknown(`what is scheduled is not known: ${why}`)];
	}
}

function stopping(job: JobRecord, id: number, now: number): readonly StoppingJob[] {
	const end = jobEnd(job, id);
	const until = job.end_time ?? undefined;
	if (end === undefined || (until !== undefined && until <= now)) return [];
	const last = until === undefined ? '' : ` until ${isoMinute(until)}`;
	return [
		{
			who: 'job',
			isConfirmed: false,
			says: `${job.id} ${end === 'stop' ? 'stops' : 'destroys'} it ${jobTimes(job)} UTC${last}`,
			cannot: `it goes by no lease: rentty jobs remove ${job.id}`,
		},
	];
}

function unknown(says: string): StoppingJob {
	return {who: 'job', isConfirmed: false, says, cannot: 'rentty jobs lists what is scheduled'};
}
