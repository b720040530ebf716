/** The tables of what machines have proven: silences, failed starts, and the marks that they got. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';
import type {Flag} from './instance-tables.ts';

/** A stretch of time in which a machine was not heard, or in which its silence is excused. */
export type MachineSilencesTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly since: number;
	readonly until: number;
	/** Maintenance that was announced. */
	readonly excused: Flag;
};

export type MachineSilenceRow = Selectable<MachineSilencesTable>;

/** A rental that could never start, as its host says. */
export type FailedStartsTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly account_id: number;
	readonly instance_id: number;
	readonly image: string;
	readonly at: number;
	readonly message: string;
	/** The machine is at fault: its host says so, or the same order ran elsewhere for others. */
	readonly counts: Generated<Flag>;
};

/** Reliability of a machine at the end of a day, or until now, and its parts. */
export type MachineDaysTable = {
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

/** A mark that a machine got, by whom, and why. */
export type MachineMarksTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	readonly at: number;
	readonly mark: 'verified' | 'unverified' | 'deverified' | 'quarantined' | 'released';
	readonly said_by: 'market' | 'operator';
	readonly why: string;
};

export type MachineMarkRow = Selectable<MachineMarksTable>;

/** Tests of machines. One without an end is under way. */
export type MachineTestsTable = {
	readonly id: GeneratedAlways<number>;
	readonly machine_id: number;
	/** The instance that tests it. */
	readonly instance_id: number;
	readonly reason: 'asked' | 'due';
	/** Word by which the instance is known on its port; nothing once it has ended. */
	readonly secret: string;
	readonly started_at: number;
	readonly ended_at: number | null;
	readonly outcome: 'passed' | 'failed' | 'unfinished' | null;
	readonly note: string | null;
};

export type MachineTestRow = Selectable<MachineTestsTable>;

export type MachineChecksTable = {
	readonly test_id: number;
	readonly name: string;
	readonly outcome: 'passed' | 'failed' | 'skipped';
	readonly said_by: 'market' | 'host';
	readonly detail: string;
	readonly value: number | null;
};

export type MachineCheckRow = Selectable<MachineChecksTable>;

export type ReliabilityTables = {
	readonly machine_tests: MachineTestsTable;
	readonly machine_checks: MachineChecksTable;
	readonly machine_silences: MachineSilencesTable;
	readonly failed_starts: FailedStartsTable;
	readonly machine_days: MachineDaysTable;
	readonly machine_marks: MachineMarksTable;
};
