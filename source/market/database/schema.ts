import type {AccountTables} from './account-tables.ts';
import type {NotificationTables} from './notification-tables.ts';
import type {Generated, GeneratedAlways, Selectable} from 'kysely';
import type {Flag, InstanceRow, InstanceTables} from './instance-tables.ts';
import type {ProviderTables} from './provider-tables.ts';
import type {RelayTables} from './relay-tables.ts';

export type Tables = AccountTables &
	NotificationTables &
	InstanceTables &
	ProviderTables &
	RelayTables & {
		readonly offers: OffersTable;
		readonly secrets: SecretsTable;
		readonly ssh_keys: SshKeysTable;
		readonly templates: TemplatesTable;
		readonly template_versions: TemplateVersionsTable;
		readonly template_uses: TemplateUsesTable;
		readonly tallies: TalliesTable;
	};

type SshKeysTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** The whole line: type, data, comment. */
	readonly public_key: string;
	/** The key data alone, the same for the same key. */
	readonly blob: string;
	readonly created_at: number;
	readonly deleted_at: number | null;
	/** Instance of an instance's own key; null for the account's keys. */
	readonly instance_id: Generated<number | null>;
};

/** Counts of things of a kind that a holder made, for kinds that leave no rows. */
type TalliesTable = {
	readonly kind: string;
	/** Account, team, machine or instance. */
	readonly holder: number;
	/** Time of the first one; the count restarts a day later. */
	readonly since: number;
	readonly count: number;
};

/** Environment variables of an account. */
type SecretsTable = {
	readonly account_id: number;
	readonly name: string;
	/**
	 * Value in plain text, because instances receive it: only its owner may read the database file.
	 */
	readonly value: string;
};

/** Facts of an offer from its host, with the API's names and units. */
export type OfferFacts = {
	readonly listed: Flag;
	readonly machine_id: number;
	readonly host_id: number;
	readonly cluster_id: number | null;
	readonly bundle_id: number | null;
	readonly hosting_type: number | null;
	readonly hostname: string | null;
	readonly num_gpus: number;
	readonly gpu_name: string;
	readonly gpu_arch: string | null;
	readonly gpu_ram: number | null;
	readonly gpu_total_ram: number | null;
	readonly gpu_frac: number | null;
	/** A JSON list of numbers. */
	readonly gpu_ids: string | null;
	readonly gpu_lanes: number | null;
	readonly gpu_mem_bw: number | null;
	readonly gpu_max_power: number | null;
	readonly gpu_max_temp: number | null;
	readonly gpu_display_active: Flag | null;
	readonly bw_nvlink: number | null;
	readonly compute_cap: number | null;
	readonly cuda_max_good: number | null;
	readonly driver_version: string | null;
	readonly cpu_name: string | null;
	readonly cpu_arch: string | null;
	readonly cpu_cores: number | null;
	readonly cpu_cores_effective: number | null;
	readonly cpu_ghz: number | null;
	readonly cpu_ram: number | null;
	readonly has_avx: Flag | null;
	readonly disk_name: string | null;
	readonly disk_space: number | null;
	readonly disk_bw: number | null;
	readonly pci_gen: number | null;
	readonly pcie_bw: number | null;
	readonly mobo_name: string | null;
	readonly os_version: string | null;
	readonly inet_up: number | null;
	readonly inet_down: number | null;
	readonly direct_port_count: number | null;
	readonly static_ip: Flag | null;
	readonly public_ipaddr: string | null;
	readonly geolocation: string | null;
	readonly geolocode: number | null;
	/** Micro-dollars an hour for all GPUs of the offer. */
	readonly dph_base_micros: number;
	/** Micro-dollars an hour; null for an offer without bids. */
	readonly min_bid_micros: number | null;
	/** Micro-dollars per GB and month. */
	readonly storage_cost_micros: number;
	/** Micro-dollars per GB. */
	readonly inet_up_cost_micros: number | null;
	/** Micro-dollars per GB. */
	readonly inet_down_cost_micros: number | null;
	readonly credit_discount_max: number | null;
	readonly rentable: Flag;
	readonly rented: Flag;
	readonly external: Flag | null;
	readonly verification: string | null;
	readonly is_vm_deverified: Flag | null;
	readonly vms_enabled: Flag | null;
	readonly isolation: string | null;
	/** JSON of what the market measured of the machine's GPUs; null for none. */
	readonly measured: string | null;
	readonly reliability: number | null;
	readonly reliability_mult: number | null;
	readonly expected_reliability: number | null;
	readonly score: number | null;
	readonly dlperf: number | null;
	readonly total_flops: number | null;
	readonly start_date: number | null;
	readonly end_date: number | null;
	/** Offer that represents its machine's volume space; null for none. */
	readonly avail_vol_ask_id: number | null;
	/** Price of the volume space in micro-dollars per GB and month. */
	readonly avail_vol_micros: number | null;
	/** Free GB of the volume space. */
	readonly avail_vol_size: number | null;
};

/** Offer columns that searches compare, computed from the facts. */
export type OfferKeys = {
	/** GPU name in its compared form. */
	readonly gpu_key: string;
	/** The two letters at the end of the location, in lower case. */
	readonly country: string | null;
	readonly driver_vers: number | null;
	readonly verified: Flag | null;
	/** Mask of its GPUs; offers with a common bit exclude each other. */
	readonly gpu_mask: number;
	/** Lowest bid that its host accepts; `min_bid_micros` is the present winning bid. */
	readonly floor_bid_micros: number | null;
};

type OffersTable = {readonly id: number} & OfferFacts &
	OfferKeys & {
		/** Prices at the default disk size, by which an index can sort. */
		readonly default_dph_total: GeneratedAlways<number>;
		readonly default_dlperf_per_dph: GeneratedAlways<number | null>;
		readonly default_flops_per_dph: GeneratedAlways<number | null>;
	};

export type OfferRow = Selectable<OffersTable>;

/** Instance joined with its offer. Columns of both come from the instance. */
export type RentedRow = InstanceRow & Omit<OfferRow, keyof InstanceRow>;
export type RentedColumn =
	| `instances.${keyof InstanceRow}`
	| `offers.${Exclude<keyof OfferRow, keyof InstanceRow>}`;
export type OfferTableColumn = keyof OffersTable;
export type NewOffer = {readonly id: number} & OfferFacts;

type TemplatesTable = {
	readonly id: GeneratedAlways<number>;
	/** Account of the creator; 0 for the market itself. */
	readonly creator_id: number;
	/** The first half of the SHA-256 of `content`, in hexadecimal. */
	readonly hash_id: string;
	/** JSON with sorted keys: the creator, and every editable field. */
	readonly content: string;
	readonly recommended: Flag;
	readonly count_created: Generated<number>;
	readonly created_at: number;
	/** Time of the last instance made from it. */
	readonly recent_create_date: Generated<number | null>;
	/** Time of deletion. A deleted template keeps its id, so that no other reuses it. */
	readonly deleted_at: Generated<number | null>;
} & TemplateKeys;

/** Template columns that searches compare, copied from the content. */
export type TemplateKeys = {
	readonly name: string;
	readonly image: string;
	readonly tag: string;
	readonly default_tag: string;
	readonly docker_login_repo: string;
	readonly jup_direct: Flag;
	readonly ssh_direct: Flag;
	readonly use_ssh: Flag;
	readonly private: Flag;
	readonly recommended_disk_space: number;
};

/** Earlier versions of edited templates, by the hashes that still name them. */
type TemplateVersionsTable = {
	readonly template_id: number;
	readonly hash_id: string;
	readonly content: string;
};

/** Uses of templates that their counts do not include yet. */
type TemplateUsesTable = {
	readonly id: GeneratedAlways<number>;
	readonly template_id: number;
	readonly at: number;
};

export type TemplateRow = Selectable<TemplatesTable>;
