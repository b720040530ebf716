import {sql} from 'kysely';

/** Hourly price in dollars with a disk of 8 GB, by the same steps in the same order as a search. */
const defaultTotal = sql`
	cast(dph_base_micros as double precision) / 1000000.0
	+ cast(storage_cost_micros as double precision) / 1000000.0 * 8.0 / 720.0`;

/** Tested columns that a rental does not change. */
const TESTED = 'id, verified, num_gpus, end_date, listed';

/**
 * Indexes for the usual orders, of all offers and of a GPU: the key, and then the columns that most
 * searches test, so that only matching rows are read. No index has the availability, which every
 * rental would write.
 */
export const searchIndexes = [
	['offers_by_score', `score desc, ${TESTED}`],
	['offers_by_price', `default_dph_total, ${TESTED}`],
	['offers_by_value', `default_dlperf_per_dph desc, ${TESTED}`],
	['offers_by_gpu_and_score', `gpu_key, score desc, ${TESTED}`],
	['offers_by_gpu_and_price', `gpu_key, default_dph_total, ${TESTED}`],
	['offers_by_gpu_and_value', `gpu_key, default_dlperf_per_dph desc, ${TESTED}`],
	['offers_by_gpu', 'gpu_key, verified, num_gpus, end_date, listed'],
] as const;

export const offerTables = [
	sql`
		create table offers (
			id integer primary key,
			listed integer not null,
			machine_id integer not null,
			host_id integer not null,
			cluster_id integer,
			bundle_id integer,
			hosting_type integer,
			hostname text,
			num_gpus integer not null,
			gpu_name text not null,
			gpu_key text not null,
			gpu_arch text,
			gpu_ram integer,
			gpu_total_ram integer,
			gpu_frac double precision,
			gpu_ids text,
			gpu_lanes integer,
			gpu_mem_bw double precision,
			gpu_max_power double precision,
			gpu_max_temp double precision,
			gpu_display_active integer,
			bw_nvlink double precision,
			compute_cap integer,
			cuda_max_good double precision,
			driver_version text,
			driver_vers integer,
			cpu_name text,
			cpu_arch text,
			cpu_cores integer,
			cpu_cores_effective double precision,
			cpu_ghz double precision,
			cpu_ram integer,
			has_avx integer,
			disk_name text,
			disk_space double precision,
			disk_bw double precision,
			pci_gen double precision,
			pcie_bw double precision,
			mobo_name text,
			os_version text,
			inet_up double precision,
			inet_down double precision,
			direct_port_count integer,
			static_ip integer,
			public_ipaddr text,
			geolocation text,
			country text,
			geolocode integer,
			dph_base_micros integer not null,
			min_bid_micros integer,
			storage_cost_micros integer not null,
			inet_up_cost_micros integer,
			inet_down_cost_micros integer,
			credit_discount_max double precision,
			rentable integer not null,
			rented integer not null,
			external integer,
			verification text,
			verified integer,
			is_vm_deverified integer,
			vms_enabled integer,
			reliability double precision,
			reliability_mult double precision,
			expected_reliability double precision,
			score double precision,
			dlperf double precision,
			total_flops double precision,
			start_date double precision,
			end_date double precision,
			gpu_mask integer not null default 1,
			floor_bid_micros integer,
			isolation text,
			avail_vol_ask_id integer,
			avail_vol_micros integer,
			avail_vol_size double precision,
			default_dph_total double precision not null generated always as (${defaultTotal}) stored,
			default_dlperf_per_dph double precision generated always as (dlperf / nullif(${defaultTotal}, 0)) stored,
			default_flops_per_dph double precision generated always as (total_flops / nullif(${defaultTotal}, 0)) stored
		)`,
	sql`create index offers_by_machine on offers (machine_id)`,
	...searchIndexes.map(
		([name, columns]) => sql`create index ${sql.ref(name)} on offers (${sql.raw(columns)})`,
	),
	sql`
		create table gpu_samples (
			gpu_name text not null,
			at integer not null,
			total integer not null,
			rented integer not null,
			shares text not null,
			primary key (gpu_name, at)
		)`,
	sql`create index gpu_samples_by_time on gpu_samples (at)`,
];
