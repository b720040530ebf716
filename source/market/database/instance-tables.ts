/** Tables of machines, instances, volumes, charges, tasks, copies and leases. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';

export type InstanceTables = {
	readonly charges: ChargesTable;
	readonly instances: InstancesTable;
	readonly instance_ssh_keys: InstanceSshKeysTable;
	readonly leases: LeasesTable;
	readonly machines: MachinesTable;
	readonly moments: MomentsTable;
	readonly mounts: MountsTable;
	readonly copies: CopiesTable;
	readonly tasks: TasksTable;
	readonly volumes: VolumesTable;
};

/** True and false as both databases keep them. */
export type Flag = 0 | 1;

/** Contact with a machine's host: recent heartbeat, silent for too long, or lost. */
export type Contact = 'heard' | 'silent' | 'lost';

/** Its offers have its hardware. */
type MachinesTable = {
	readonly id: Generated<number>;
	/** Account whose key publishes the machine and takes its work. */
	readonly account_id: number;
	/** Id of the provider in offers. */
	readonly host_id: number;
	/** The host's own name for the machine. */
	readonly name: string;
	readonly num_gpus: number;
	/** Mask of the GPUs in use outside of the market. */
	readonly busy_mask: Generated<number>;
	readonly listed: Generated<Flag>;
	/** 1 for a made-up machine, with a simulated host. */
	readonly made_up: Generated<Flag>;
	/** Time of the host's last heartbeat. */
	readonly heard_at: number | null;
	readonly contact: Generated<Contact>;
	/** 1 if silent for too long to be rented. A machine never heard can be rented. */
	readonly absent: Generated<Flag>;
	/** 1 during announced maintenance, in which it cannot be rented. */
	readonly in_maintenance: Generated<Flag>;
	readonly removed_at: Generated<number | null>;
	/** Time of the first heartbeat; null for made-up machines. */
	readonly known_since: Generated<number | null>;
	/** Verification mark; null for none, and for made-up machines, whose offers have theirs. */
	readonly verification: Generated<string | null>;
	/** Last computed reliability, from 0 to 1. */
	readonly reliability: Generated<number | null>;
	/** JSON of what the market measured of its GPUs, with the time; null for a machine without it. */
	readonly measured: Generated<string | null>;
	/** Time of the next test; null for a machine that was never tested. */
	readonly test_due_at: Generated<number | null>;
	/** Reason why it cannot be rented until it passes a test; null for none. */
	readonly quarantine: Generated<string | null>;
	/**
	 * 1 if the market reached its ports at the last check, 0 if not; null for a machine without
	 * checks.
	 */
	readonly reached: Generated<Flag | null>;
	/** Time since which checks at one address have all succeeded; null for none. */
	readonly reached_since: Generated<number | null>;
	/** Count of consecutive failed checks. */
	readonly reach_misses: Generated<number>;
	/** Times of the last and the next check; null for none. */
	readonly reach_checked_at: Generated<number | null>;
	readonly reach_due_at: Generated<number | null>;
	/** JSON of the last publication without the name; null for a made-up machine. */
	readonly publication: Generated<string | null>;
	/** End of computing charges after too long a silence; null while it is heard. */
	readonly compute_until: Generated<number | null>;
	readonly disk_until: Generated<number | null>;
};

export type InstancesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** Offer that the instance was made from, which has the hardware. */
	readonly ask_id: number;
	readonly machine_id: number;
	readonly host_account_id: number;
	readonly label: string | null;
	readonly created_at: number;
	/** End of the contract. The offer may end earlier or later meanwhile. */
	readonly end_date: number;
	readonly destroyed_at: number | null;
	/** JSON: `InstanceSettings`, which holds secrets. */
	readonly settings: string;
	readonly image: string;
	readonly template_id: number | null;
	readonly template_hash: string | null;
	readonly template_name: string | null;
	/** 1 for an interruptible instance. */
	readonly is_bid: Flag;
	/** Mask of its GPUs while it runs. */
	readonly gpu_mask: number;
	readonly disk_gb: number;
	/** Micro-dollars an hour while it runs, or its bid. */
	readonly gpu_micros: number;
	/** Micro-dollars per GB and month. */
	readonly storage_micros: number;
	/** Micro-dollars per GB. */
	readonly up_micros: number;
	readonly down_micros: number;
	// Fields of the state machine in `lifecycle/rules.ts`.
	readonly actual: string | null;
	readonly reported: string | null;
	readonly intended: string;
	readonly current: string;
	readonly next: string;
	readonly message: string | null;
	readonly contact: Contact;
	/** Start of its wait for GPUs. */
	readonly waiting_since: number | null;
	readonly running_since: number | null;
	/** Moment up to which it was charged. */
	readonly billed_until: number;
	readonly boot: number;
	readonly container: number;
	/** Revision of the host's work with its last change. */
	readonly revision: number;
	/** The instance's API key, until the instance runs. Afterwards only a hash is kept. */
	readonly handover: string | null;
	/** JSON of its addresses. */
	readonly access: string | null;
	/** JSON of its usage. */
	readonly usage: string | null;
	/** Highest traffic counters of its container, as its host has told them. */
	readonly bytes_up: Generated<number>;
	readonly bytes_down: Generated<number>;
	/**
	 * Time until which the connection is known to be busy with this traffic; 0 before the first
	 * count.
	 */
	readonly bytes_at: Generated<number>;
	/** Rest of the deposit in micro-dollars, used before the account's credit. */
	readonly deposit_micros: Generated<number>;
	/** Discount on computing and disk while a deposit is left, from 0 to 1. */
	readonly deposit_rate: Generated<number>;
	/** Months that the deposit was paid for. */
	readonly deposit_months: Generated<number>;
	/** Discount received from this deposit so far, in micro-dollars. */
	readonly discount_micros: Generated<number>;
	/** 1 for the provider's default job, which runs on idle GPUs and is no rental. */
	readonly default_job: Generated<Flag>;
	/** The renter's idempotency mark; each mark creates one instance. */
	readonly mark: Generated<string | null>;
	/** SHA-256 of everything that its start depends on; null if a failed start is no evidence. */
	readonly order_hash: Generated<string | null>;
	/**
	 * Address and first port at which the relay that renters are shown forwards to the instance.
	 */
	readonly relay: Generated<string | null>;
	readonly relay_port: Generated<number | null>;
	/** Relay beside the market; null for the market's own. */
	readonly relay_id: Generated<number | null>;
	/** Key whose cap the instance counts for; null if it was rented without a cap. */
	readonly capped_by: Generated<number | null>;
	/** Tells it from an instance of a restored market; null for one of an earlier version. */
	readonly serial: Generated<string | null>;
};

type InstanceSshKeysTable = {readonly instance_id: number; readonly ssh_key_id: number};

export type VolumesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** Offer of its machine, which has the hardware. */
	readonly ask_id: number;
	readonly machine_id: number;
	readonly host_account_id: number;
	readonly label: string | null;
	readonly size_gb: number;
	/** Micro-dollars per GB and month. */
	readonly storage_micros: number;
	readonly created_at: number;
	readonly end_date: number;
	readonly destroyed_at: number | null;
	readonly billed_until: number;
	readonly revision: number;
	/** Last message about copies into the volume, or about its clones. */
	readonly message: Generated<string | null>;
	readonly clone_of: Generated<number | null>;
	/** Price of an unfinished clone; null for all other volumes. */
	readonly agreed_micros: Generated<number | null>;
	/** The caller's idempotency mark; each mark creates one volume. */
	readonly wish: Generated<string | null>;
	/** Tells it from a volume of a restored market; null for one of an earlier version. */
	readonly serial: Generated<string | null>;
};

export type MountsTable = {
	readonly instance_id: number;
	readonly volume_id: number;
	readonly path: string;
};

/** Charges, a row per source, item, day and price. */
export type ChargesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly source: 'instance' | 'volume';
	readonly source_id: number;
	/** Computing, disk, traffic in and out, or the early end of a deposit. */
	readonly item: ChargeItem;
	/** Days since 1970 in UTC. */
	readonly day: number;
	/** Micro-dollars for one unit: an hour, a GB and month, a GB. */
	readonly rate_micros: number;
	/** Milliseconds of computing, GB-milliseconds of disk, bytes. */
	readonly quantity: number;
	/** Cost of the quantity at the rate, rounded once. */
	readonly amount_micros: number;
	/** The part of the amount that was paid from a deposit, and not from credit. */
	readonly prepaid_micros: Generated<number>;
	readonly first_at: number;
	readonly last_at: number;
};

export type ChargeItem = 'gpu' | 'disk' | 'bwd' | 'bwu' | 'end';

export type TasksTable = {
	readonly id: GeneratedAlways<number>;
	/** SHA-256 of the token in the result's URL. */
	readonly token_hash: string;
	readonly host_account_id: number;
	readonly instance_id: number;
	/** JSON of the task. */
	readonly request: string;
	readonly revision: number;
	readonly created_at: number;
	readonly answer: string | null;
};

export type CopyKind = 'instance' | 'volume';

export type CopiesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly source_kind: CopyKind;
	readonly source_id: number;
	readonly source_machine_id: number;
	readonly source_host_account_id: number;
	readonly target_kind: CopyKind;
	readonly target_id: number;
	/** Machine of the target, whose host makes the copy. */
	readonly machine_id: number;
	readonly host_account_id: number;
	readonly source_path: string;
	readonly target_path: string;
	/** SSH key with which that host logs in to the source. */
	readonly public_key: string | null;
	/** JSON of the SSH listener that the source's host has opened for this key. */
	readonly door: string | null;
	readonly revision: number;
	/** Revision of the source's host's work; 0 without work for it. */
	readonly source_revision: number;
	readonly created_at: number;
	readonly ended_at: number | null;
	/** Deadline of a clone; null for other copies. */
	readonly ends_at: Generated<number | null>;
};

export type CopyRow = Selectable<CopiesTable>;
export type InstanceRow = Selectable<InstancesTable>;
export type MachineRow = Selectable<MachinesTable>;
export type VolumeRow = Selectable<VolumesTable>;
export type ChargeRow = Selectable<ChargesTable>;

type LeasesTable = {
	readonly instance_id: number;
	readonly ends_at: number | null;
	readonly max_cost_micros: number | null;
	readonly action: 'stop' | 'destroy' | 'stop-destroy';
	readonly grace_seconds: number;
	/** 1 if only the deadline ends the lease, not the cost. */
	readonly keep: Flag;
	readonly changed_at: number;
};

export type LeaseRow = Selectable<LeasesTable>;

/** Times of the last runs of recurring work. */
type MomentsTable = {readonly name: string; readonly at: number};
