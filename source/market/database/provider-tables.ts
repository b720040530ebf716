/** The tables of what providers say of their machines, and what renters say to it. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';
import type {Flag} from './instance-tables.ts';

/** Terms of a machine that its provider has listed. Others are offered as their hosts publish them. */
export type ListingsTable = {
	readonly machine_id: number;
	/** It is offered on these terms. */
	readonly is_on: Flag;
	/** Since when it is offered, or no longer. */
	readonly since: number;
	/** Micro-dollars per GPU and hour; of a machine without any, for all of it. */
	readonly gpu_micros: number;
	/** Micro-dollars per GB and month. */
	readonly disk_micros: number;
	/** Micro-dollars per GB. */
	readonly up_micros: number;
	readonly down_micros: number;
	/** Least bid in micro-dollars per GPU and hour; null where bids are not taken. */
	readonly floor_micros: number | null;
	/** Least number of GPUs that are rented together. */
	readonly min_chunk: number;
	/** Null for as long as the machine is there. */
	readonly end_date: number | null;
	/** Time for which it is offered, counted anew each day; null where its end stays. */
	readonly rolling_seconds: number | null;
	/** Share of the price that is saved by paying in advance. */
	readonly discount: number;
	/** Room for volumes, and its price; null for all that is free, at the price of disk. */
	readonly volume_gb: number | null;
	readonly volume_micros: number | null;
};

/** Default jobs of machines, for GPUs that nobody rents. */
export type DefaultJobsTable = {
	readonly machine_id: number;
	/** Its provider's bid in micro-dollars per GPU and hour. It is shown, and never paid. */
	readonly gpu_micros: number;
	readonly image: string;
	/** JSON: arguments of the image's start command. */
	readonly args: string;
};

export type DefaultJobRow = Selectable<DefaultJobsTable>;

export type ListingRow = Selectable<ListingsTable>;

/** Higher prices of the offer of an instance, as they wait for its renter's answer. */
export type PriceIncreasesTable = {
	readonly id: GeneratedAlways<number>;
	readonly instance_id: number;
	/** One that is gone keeps its number, so that no answer is taken for that to another. */
	readonly state: 'open' | 'accepted' | 'rejected' | 'gone';
	readonly created_at: number;
	/** Prices of the whole offer, in the units of instances. */
	readonly gpu_micros: number;
	readonly storage_micros: number;
	readonly up_micros: number;
	readonly down_micros: number;
	/** Time from which accepted terms hold. */
	readonly holds_from: number | null;
};

export type PriceIncreaseRow = Selectable<PriceIncreasesTable>;

/** Announced maintenance of a machine. */
export type MaintenanceTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly start_at: number;
	readonly end_at: number;
	readonly reason: string | null;
	readonly category: string | null;
	/** Its renters were told that it begins soon. */
	readonly is_told: Generated<Flag>;
};

export type MaintenanceRow = Selectable<MaintenanceTable>;

/** Reports of renters about a machine. */
export type MachineReportsTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly account_id: number;
	readonly instance_id: number | null;
	readonly problem: string;
	readonly message: string;
	readonly created_at: number;
};

export type MachineReportRow = Selectable<MachineReportsTable>;

/** Tables of what providers say of their machines, and what their renters answer. */
export type ProviderTables = {
	readonly default_jobs: DefaultJobsTable;
	readonly listings: ListingsTable;
	readonly maintenance: MaintenanceTable;
	readonly machine_reports: MachineReportsTable;
	readonly price_increases: PriceIncreasesTable;
};
