/** Tables of machines: their terms, tests, maintenance and reliability, and figures of GPUs. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';
import type {Flag} from './instance-tables.ts';

/** Terms of machines listed by their providers. Hosts publish the terms of all others. */
type ListingsTable = {
	readonly machine_id: number;
	/** 1 if the machine is offered on these terms. */
	readonly is_on: Flag;
	/** Time of its listing or unlisting. */
	readonly since: number;
	/** Micro-dollars per GPU-hour; for a machine without GPUs, per hour. */
	readonly gpu_micros: number;
	/** Micro-dollars per GB and month. */
	readonly disk_micros: number;
	/** Micro-dollars per GB. */
	readonly up_micros: number;
	readonly down_micros: number;
	/** Least bid in micro-dollars per GPU-hour; null for no bids. */
	readonly floor_micros: number | null;
	/** Least number of GPUs that are rented together. */
	readonly min_chunk: number;
	/** End of the offers; null for none. */
	readonly end_date: number | null;
	/** Time for which it is offered, counted anew each day; null for a fixed end. */
	readonly rolling_seconds: number | null;
	/** Highest discount for paying ahead, from 0 to 1. */
	readonly discount: number;
	/** Volume space and its price; null for all free disk at the price of disk. */
	readonly volume_gb: number | null;
	readonly volume_micros: number | null;
};

type DefaultJobsTable = {
	readonly machine_id: number;
	/** The provider's bid in micro-dollars per GPU-hour, shown and never charged. */
	readonly gpu_micros: number;
	readonly image: string;
	/** JSON of the arguments of the image's start command. */
	readonly args: string;
};

export type DefaultJobRow = Selectable<DefaultJobsTable>;

export type ListingRow = Selectable<ListingsTable>;

/** GPUs that an account offers, each on one machine, by their permanent identifiers. */
type MachineGpusTable = {
	readonly account_id: number;
	readonly uuid: string;
	readonly machine_id: number;
};

/** Higher prices of an instance's offer, and its renter's answers. */
export type PriceIncreasesTable = {
	readonly id: GeneratedAlways<number>;
	readonly instance_id: number;
	/** State; an ended increase keeps its id, so that no answer can apply to another one. */
	readonly state: 'open' | 'accepted' | 'rejected' | 'gone';
	readonly created_at: number;
	/** Prices of the whole offer, in the units of instances. */
	readonly gpu_micros: number;
	readonly storage_micros: number;
	readonly up_micros: number;
	readonly down_micros: number;
	/** Time from which accepted terms apply. */
	readonly holds_from: number | null;
	/** End of the offer when it was announced; null if it had none. */
	readonly offered_until: Generated<number | null>;
	/** Time at which its renter was last notified of an increase. */
	readonly told_at: Generated<number | null>;
};

export type PriceIncreaseRow = Selectable<PriceIncreasesTable>;

export type MaintenanceTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly start_at: number;
	readonly end_at: number;
	readonly reason: string | null;
	readonly category: string | null;
	/** 1 if renters were notified of its beginning. */
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

export type ProviderTables = {
	readonly default_jobs: DefaultJobsTable;
	readonly listings: ListingsTable;
	readonly machine_gpus: MachineGpusTable;
	readonly maintenance: MaintenanceTable;
	readonly machine_reports: MachineReportsTable;
	readonly price_increases: PriceIncreasesTable;
	readonly machine_tests: MachineTestsTable;
	readonly machine_checks: MachineChecksTable;
	readonly machine_silences: MachineSilencesTable;
	readonly failed_starts: FailedStartsTable;
	readonly machine_days: MachineDaysTable;
	readonly machine_marks: MachineMarksTable;
	readonly gpu_samples: GpuSamplesTable;
};

/** Periods in which a machine was silent, or in which silence is excused. */
export type MachineSilencesTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly since: number;
	readonly until: number;
	/** 1 for announced maintenance. */
	readonly excused: Flag;
};

/** Rentals that could never start, as reported by the host. */
export type FailedStartsTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly account_id: number;
	readonly instance_id: number;
	readonly image: string;
	readonly at: number;
	readonly message: string;
	/** 1 if the machine is at fault: its host says so, or the same order ran elsewhere. */
	readonly counts: Generated<Flag>;
};

/** Reliability of a machine at the end of a day, or until now, and its parts. */
type MachineDaysTable = {
	readonly machine_id: number;
	/** Days since 1970 in UTC. */
	readonly day: number;
	readonly reliability: number;
	readonly due_seconds: number;
	readonly silent_seconds: number;
	readonly rentals: number;
	readonly failed: number;
};

export type MachineDayRow = Selectable<MachineDaysTable>;

export type MachineMarksTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly at: number;
	readonly mark: 'verified' | 'unverified' | 'deverified' | 'quarantined' | 'released';
	readonly said_by: 'market' | 'operator';
	readonly why: string;
};

export type MachineMarkRow = Selectable<MachineMarksTable>;

/** One without an end is in progress. */
export type MachineTestsTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	/** The instance that tests it. */
	readonly instance_id: number;
	readonly reason: 'asked' | 'due';
	/** Secret that identifies the instance on its port; empty after the test. */
	readonly secret: string;
	readonly started_at: number;
	readonly ended_at: number | null;
	readonly outcome: 'passed' | 'failed' | 'unfinished' | null;
	readonly note: string | null;
};

export type MachineTestRow = Selectable<MachineTestsTable>;

type MachineChecksTable = {
	readonly test_id: number;
	readonly name: string;
	readonly outcome: 'passed' | 'failed' | 'late' | 'skipped';
	readonly said_by: 'market' | 'host';
	readonly detail: string;
	readonly value: number | null;
};

export type MachineCheckRow = Selectable<MachineChecksTable>;

type GpuSamplesTable = {
	readonly gpu_name: string;
	readonly at: number;
	readonly total: number;
	readonly rented: number;
	/** JSON: a list of `MachineGroup`. */
	readonly shares: string;
};

/** Price per GPU-hour in micro-dollars, and the number of GPUs at it. */
export type Price = readonly [micros: number, gpus: number];

/** Machines that are equal in all filters of figures. */
export type MachineGroup = {
	readonly verified: boolean;
	readonly datacenter: boolean;
	/** GPUs of the machine: 1, 2, 4, 8, each for up to twice as many. */
	readonly size: number;
	readonly rented: number;
	readonly available: number;
	/** Sums over all GPUs. */
	readonly dlperf: number;
	readonly tflops: number;
	readonly rentedPrices: readonly Price[];
	readonly prices: readonly Price[];
};

export type CountedMachine = {
	readonly gpuName: string;
	readonly verified: boolean;
	readonly datacenter: boolean;
	readonly gpus: number;
	readonly rented: number;
	readonly available: number;
	readonly dlperf: number;
	readonly tflops: number;
	readonly rentedPrices: readonly Price[];
	/** Micro-dollars for a free GPU; undefined if none is available. */
	readonly micros: number | undefined;
};
