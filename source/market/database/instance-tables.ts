/** The tables of what is rented, from whom, and what it costs. */
import type {Generated, GeneratedAlways, Selectable} from 'kysely';

/** True and false as both databases keep them. */
export type Flag = 0 | 1;

/** Contact with a machine's host: heard, silent for too long, or lost. */
export type Contact = 'heard' | 'silent' | 'lost';

/** A machine of a provider. Its hardware stands with its offers, as they have it on the wire. */
export type MachinesTable = {
	readonly id: Generated<number>;
	/** Account whose key published the machine, and takes its work. */
	readonly account_id: number;
	/** The provider as offers name it. */
	readonly host_id: number;
	/** The host's own name for it. */
	readonly name: string;
	readonly num_gpus: number;
	/** GPUs that are in use outside of the market, a bit each. */
	readonly busy_mask: Generated<number>;
	readonly listed: Generated<Flag>;
	/** The market made it up, with a simulated host. */
	readonly made_up: Generated<Flag>;
	/** Time of the host's last heartbeat. */
	readonly heard_at: number | null;
	readonly contact: Generated<Contact>;
	/** It was not heard for so long that nobody can rent it. Those that never were can be rented. */
	readonly absent: Generated<Flag>;
	/** Its provider works on it, as was announced: nobody can rent it. */
	readonly in_maintenance: Generated<Flag>;
	/** Time of removal by its provider. */
	readonly removed_at: Generated<number | null>;
	/** Its host was heard for the first time; null of machines that were made up. */
	readonly known_since: Generated<number | null>;
	/** Mark that it got; null where it never got one, and of made-up machines, whose offers have theirs. */
	readonly verification: Generated<string | null>;
	/** From 0 to 1, as it was worked out last. */
	readonly reliability: Generated<number | null>;
	/** Time of its next test; null of a machine that was never tested. */
	readonly test_due_at: Generated<number | null>;
	/** Reason why nobody can rent it until it passes a test; null where everybody can. */
	readonly quarantine: Generated<string | null>;
	/** JSON: what its host published last, without its name; null of one that was made up. */
	readonly publication: Generated<string | null>;
	/** Until when what is on it is charged for, where it was silent for too long: null once it is heard. */
	readonly compute_until: Generated<number | null>;
	readonly disk_until: Generated<number | null>;
};

export type InstancesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** The offer that it was made from, where its hardware stands. */
	readonly ask_id: number;
	readonly machine_id: number;
	readonly host_account_id: number;
	readonly label: string | null;
	readonly created_at: number;
	/** Until when it is rented. Its offer may end earlier or later by now. */
	readonly end_date: number;
	readonly destroyed_at: number | null;
	/** JSON: `InstanceSettings`, which holds secrets. */
	readonly settings: string;
	readonly image: string;
	readonly template_id: number | null;
	readonly template_hash: string | null;
	readonly template_name: string | null;
	/** The instance can be outbid. */
	readonly is_bid: Flag;
	/** The machine's GPUs that it has while it runs, a bit each. */
	readonly gpu_mask: number;
	readonly disk_gb: number;
	/** Micro-dollars an hour while it runs: the bid, where it is one. */
	readonly gpu_micros: number;
	/** Micro-dollars per GB and month. */
	readonly storage_micros: number;
	/** Micro-dollars per GB. */
	readonly up_micros: number;
	readonly down_micros: number;
	// What `lifecycle/rules.ts` moves.
	readonly actual: string | null;
	readonly reported: string | null;
	readonly intended: string;
	readonly current: string;
	readonly next: string;
	readonly message: string | null;
	readonly contact: Contact;
	/** Since when it waits for GPUs. */
	readonly waiting_since: number | null;
	readonly running_since: number | null;
	/** All before this moment has been charged. */
	readonly billed_until: number;
	readonly boot: number;
	readonly container: number;
	/** The revision of its host's work in which it changed last. */
	readonly revision: number;
	/** Its own API key, until its host has it; nowhere else is it kept but as a hash. */
	readonly handover: string | null;
	/** JSON: how it is reached. */
	readonly access: string | null;
	/** JSON: what it uses. */
	readonly usage: string | null;
	/** Last counter of its host. */
	readonly bytes_up: Generated<number>;
	readonly bytes_down: Generated<number>;
	/** Until when its line was busy with them, as far as is known; 0 before any were counted. */
	readonly bytes_at: Generated<number>;
	/** Money paid ahead for it that is left, in micro-dollars: used before the account's credit. */
	readonly deposit_micros: Generated<number>;
	/** Discount on computing and disk while a deposit is left, from 0 to 1. */
	readonly deposit_rate: Generated<number>;
	/** Months that the deposit was paid for. */
	readonly deposit_months: Generated<number>;
	/** Discount received from this deposit so far, in micro-dollars. */
	readonly discount_micros: Generated<number>;
	/** It is its provider's default job: it runs where nobody rents, and counts as no rental. */
	readonly default_job: Generated<Flag>;
	/** The renter's own mark of the request that made it; each makes one instance. */
	readonly mark: Generated<string | null>;
	/** SHA-256 of all that its start depends on; null of one whose failure says nothing. */
	readonly order_hash: Generated<string | null>;
};

export type InstanceSshKeysTable = {readonly instance_id: number; readonly ssh_key_id: number};

export type VolumesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	/** An offer of its machine, where the hardware stands. */
	readonly ask_id: number;
	readonly machine_id: number;
	readonly host_account_id: number;
	readonly label: string | null;
	readonly size_gb: number;
	/** Micro-dollars per GB and month. */
	readonly storage_micros: number;
	readonly created_at: number;
	/** Until when it is rented. */
	readonly end_date: number;
	readonly destroyed_at: number | null;
	readonly billed_until: number;
	readonly revision: number;
	/** The last word about copies into it, or about its clones. */
	readonly message: Generated<string | null>;
	/** The volume whose content it was made with. */
	readonly clone_of: Generated<number | null>;
	/** Price of a clone that is not whole; null where it is, and of all others. */
	readonly agreed_micros: Generated<number | null>;
	/** The caller's own word for the request that made it: the same one makes no other. */
	readonly wish: Generated<string | null>;
};

export type MountsTable = {
	readonly instance_id: number;
	readonly volume_id: number;
	readonly path: string;
};

/** Charges: one item of one source on one day at one price. */
export type ChargesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly source: 'instance' | 'volume';
	readonly source_id: number;
	/** Computing, disk, traffic in and out, and the end of what was paid ahead for longer. */
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

/** A question to a host about an instance: logs, or a command. */
export type TasksTable = {
	readonly id: GeneratedAlways<number>;
	/** SHA-256 of the word in the address where the answer will be. */
	readonly token_hash: string;
	readonly host_account_id: number;
	readonly instance_id: number;
	/** JSON: what the host is asked. */
	readonly request: string;
	readonly revision: number;
	readonly created_at: number;
	readonly answer: string | null;
};

/** Ends of a copy. */
export type CopyKind = 'instance' | 'volume';

/** A copy of files from one instance or volume into another of the same account. */
export type CopiesTable = {
	readonly id: GeneratedAlways<number>;
	readonly account_id: number;
	readonly source_kind: CopyKind;
	readonly source_id: number;
	readonly source_machine_id: number;
	readonly source_host_account_id: number;
	readonly target_kind: CopyKind;
	readonly target_id: number;
	/** Machine of the target, whose host does it. */
	readonly machine_id: number;
	readonly host_account_id: number;
	readonly source_path: string;
	readonly target_path: string;
	/** The key by which that host enters the source meanwhile. */
	readonly public_key: string | null;
	/** JSON: the door that the source's host has opened for this key. */
	readonly door: string | null;
	readonly revision: number;
	/** The revision of the work of the source's host; 0 while it has none. */
	readonly source_revision: number;
	readonly created_at: number;
	readonly ended_at: number | null;
	/** When a clone ends that is not whole by then; null of all other copies. */
	readonly ends_at: Generated<number | null>;
};

export type CopyRow = Selectable<CopiesTable>;
export type InstanceRow = Selectable<InstancesTable>;
export type MachineRow = Selectable<MachinesTable>;
export type VolumeRow = Selectable<VolumesTable>;
export type ChargeRow = Selectable<ChargesTable>;

/** Leases: time and action by which the market ends an instance. */
export type LeasesTable = {
	readonly instance_id: number;
	readonly ends_at: number | null;
	readonly max_cost_micros: number | null;
	readonly action: 'stop' | 'destroy' | 'stop-destroy';
	readonly grace_seconds: number;
	/** Nothing but the deadline ends the lease. */
	readonly keep: Flag;
	readonly changed_at: number;
};

export type LeaseRow = Selectable<LeasesTable>;

/** Times at which recurring work was done last. */
export type MomentsTable = {readonly name: string; readonly at: number};
