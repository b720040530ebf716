/** What a process changes in its database: the database itself notes it, row by row, while it is written. */
import {countOthers, noteRows} from './sqlite-dialect.ts';
import type {openSqlite} from './sqlite-dialect.ts';

/** Numbers that differ from those of before where something has changed since. */
export type Changes = {
	/** Of what an account rents, of what that costs, and of anything in other processes. */
	readonly ofAccount: (accountId: number) => number;
	/** Of what is shown of an instance, beside its offer. */
	readonly ofInstance: (id: number) => number;
	readonly ofOffer: (id: number) => number;
	/** Of the texts of an offer that replies are made of. */
	readonly ofText: (id: number) => number;
	/** Of the prices and ends of all offers. */
	readonly ofTerms: () => number;
	/** Of anything in other processes. */
	readonly ofOthers: () => number;
	/** The offers that were changed since it was called last. What is rolled back may be among them. */
	readonly takeOffers: () => ReadonlySet<number>;
	/** Begins to note what is changed by way of a connection. */
	readonly watch: (sqlite: ReturnType<typeof openSqlite>) => void;
};

type Noted = 'account' | 'instance' | 'offer' | 'text' | 'terms' | 'limits';

const shownColumns = `
	label, created_at, end_date, destroyed_at, settings, image, template_id, template_hash,
	template_name, is_bid, disk_gb, gpu_micros, storage_micros, up_micros, down_micros, actual,
	intended, current, next, message, contact, running_since, access, usage`;

const termColumns = `
	listed, end_date, dph_base_micros, storage_cost_micros, inet_up_cost_micros,
	inet_down_cost_micros`;

/** What is noted of a row, and after which statements on which table. */
const rows: ReadonlyArray<readonly [after: string, noted: Noted, id: string]> = [
	['insert on offers', 'offer', 'new.id'],
	['update on offers', 'offer', 'new.id'],
	['delete on offers', 'offer', 'old.id'],
	['update on offer_texts', 'text', 'new.offer_id'],
	['insert on offers', 'terms', '0'],
	[`update of ${termColumns} on offers`, 'terms', '0'],
	['insert on instances', 'account', 'new.account_id'],
	['update on instances', 'account', 'new.account_id'],
	[`update of ${shownColumns} on instances`, 'instance', 'new.id'],
	['insert on volumes', 'account', 'new.account_id'],
	['update on volumes', 'account', 'new.account_id'],
	['insert on mounts', 'instance', 'new.instance_id'],
	['delete on mounts', 'instance', 'old.instance_id'],
	['insert on leases', 'instance', 'new.instance_id'],
	['update on leases', 'instance', 'new.instance_id'],
	['delete on leases', 'instance', 'old.instance_id'],
	['update of compute_until, disk_until on machines', 'limits', '0'],
	// From its first word on, a machine can be silent.
	['update of heard_at on machines when old.heard_at is null', 'limits', '0'],
];

/** Before a connection is watched, anything may have changed at any time. */
export function createChanges(): Changes {
	const counts = {
		account: new Map<number, number>(),
		instance: new Map<number, number>(),
		offer: new Map<number, number>(),
		text: new Map<number, number>(),
	};
	const totals = {terms: 0, limits: 0};
	let offers = new Set<number>();
	let unwatched = 0;
	let ofOthers = () => ++unwatched;

	function note(noted: Noted, id: number): void {
		if (noted === 'terms' || noted === 'limits') totals[noted] += 1;
		else counts[noted].set(id, (counts[noted].get(id) ?? 0) + 1);
		if (noted === 'offer') offers.add(id);
	}

	return {
		ofAccount: id => (counts.account.get(id) ?? 0) + totals.limits + ofOthers(),
		ofInstance: id => counts.instance.get(id) ?? 0,
		ofOffer: id => counts.offer.get(id) ?? 0,
		ofText: id => counts.text.get(id) ?? 0,
		ofTerms: () => totals.terms + ofOthers(),
		ofOthers: () => ofOthers(),
		takeOffers() {
			const taken = offers;
			offers = new Set();
			return taken;
		},
		watch(sqlite) {
			noteRows(sqlite, rows, note);
			ofOthers = countOthers(sqlite);
		},
	};
}
