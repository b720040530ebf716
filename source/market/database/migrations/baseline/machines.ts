import {sql} from 'kysely';

export const machineTables = [
	sql`
		create table machines (
			id integer primary key,
			account_id integer not null references accounts (id),
			host_id integer not null,
			name text not null,
			num_gpus integer not null,
			busy_mask integer not null default 0,
			listed integer not null default 1,
			made_up integer not null default 0,
			heard_at double precision,
			contact text not null default 'lost',
			compute_until double precision,
			disk_until double precision,
			absent integer not null default 0,
			publication text,
			in_maintenance integer not null default 0,
			removed_at double precision,
			known_since double precision,
			verification text,
			reliability double precision,
			quarantine text,
			test_due_at double precision,
			unique (account_id, name)
		)`,
	sql`create index machines_by_contact on machines (contact, heard_at)`,
	sql`create index machines_by_test on machines (test_due_at) where test_due_at is not null`,
	sql`
		create table listings (
			machine_id integer primary key references machines (id),
			is_on integer not null,
			since double precision not null,
			gpu_micros integer not null,
			disk_micros integer not null,
			up_micros integer not null,
			down_micros integer not null,
			floor_micros integer,
			min_chunk integer not null,
			end_date double precision,
			rolling_seconds double precision,
			discount double precision not null,
			volume_gb double precision,
			volume_micros integer
		)`,
	sql`create index listings_by_end on listings (end_date) where is_on = 1`,
	sql`
		create table maintenance (
			id integer primary key,
			machine_id integer not null references machines (id),
			start_at double precision not null,
			end_at double precision not null,
			reason text,
			category text,
			is_told integer not null default 0
		)`,
	sql`create index maintenance_by_machine on maintenance (machine_id)`,
	sql`
		create table machine_reports (
			id integer primary key,
			machine_id integer not null references machines (id),
			account_id integer not null references accounts (id),
			instance_id integer,
			problem text not null,
			message text not null,
			created_at double precision not null
		)`,
	sql`create index machine_reports_by_machine on machine_reports (machine_id, created_at)`,
	sql`
		create table machine_silences (
			id integer primary key,
			machine_id integer not null references machines (id),
			since double precision not null,
			until double precision not null,
			excused integer not null
		)`,
	sql`create index machine_silences_by_machine on machine_silences (machine_id, until)`,
	sql`
		create table failed_starts (
			id integer primary key,
			machine_id integer not null references machines (id),
			account_id integer not null references accounts (id),
			instance_id integer not null,
			image text not null,
			at double precision not null,
			message text not null
		)`,
	sql`create index failed_starts_by_machine on failed_starts (machine_id, at)`,
	sql`create index failed_starts_by_image on failed_starts (image, at)`,
	sql`
		create table machine_days (
			machine_id integer not null references machines (id),
			day integer not null,
			reliability double precision not null,
			due_seconds double precision not null,
			silent_seconds double precision not null,
			rentals integer not null,
			failed integer not null,
			primary key (machine_id, day)
		)`,
	sql`
		create table machine_marks (
			id integer primary key,
			machine_id integer not null references machines (id),
			at double precision not null,
			mark text not null,
			said_by text not null,
			why text not null
		)`,
	sql`create index machine_marks_by_machine on machine_marks (machine_id, at)`,
	sql`
		create table machine_tests (
			id integer primary key,
			machine_id integer not null references machines (id),
			instance_id integer not null,
			reason text not null,
			secret text not null,
			started_at double precision not null,
			ended_at double precision,
			outcome text,
			note text
		)`,
	sql`create index machine_tests_by_machine on machine_tests (machine_id, id)`,
	sql`create index machine_tests_under_way on machine_tests (id) where ended_at is null`,
	sql`
		create table machine_checks (
			test_id integer not null references machine_tests (id),
			name text not null,
			outcome text not null,
			said_by text not null,
			detail text not null,
			value double precision,
			primary key (test_id, name)
		)`,
	sql`
		create table default_jobs (
			machine_id integer primary key references machines (id),
			gpu_micros integer not null,
			image text not null,
			args text not null
		)`,
];
