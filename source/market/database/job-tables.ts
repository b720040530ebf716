import type {GeneratedAlways, Selectable} from 'kysely';
import type {Frequency, JobKind} from '../../contract/nouns/scheduled-jobs.ts';

/** Calls about instances that are made at set times, in UTC. */
export type ScheduledJobsTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** The key that made it, with which it runs. */
	readonly key_id: number;
	readonly instance_id: number;
	/** The call that it makes: an instance has one job for each. */
	readonly kind: JobKind;
	readonly api_endpoint: string;
	readonly request_method: string;
	/** JSON, as it was given. */
	readonly request_body: string;
	readonly start_at: number;
	readonly end_at: number;
	/** Sunday is 0; null where it runs on all days. */
	readonly day: number | null;
	readonly hour: number | null;
	readonly minute: number;
	readonly frequency: Frequency;
	/** Null once it has ended. */
	readonly next_at: number | null;
	readonly last_at: number | null;
	readonly last_result: string | null;
};
export type ScheduledJobRow = Selectable<ScheduledJobsTable>;
