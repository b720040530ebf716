/** Row changes of the database: triggers note them while it is written. */
import {textColumns} from '../offers/text-rules.ts';

/** Numbers that differ from those of before where something has changed since. */
export type Changes = {
	/** Of what an account rents, of what that costs, and of anything in other processes. */
	readonly ofAccount: (accountId: number) => number;
	/** Of what is shown of an instance, beside its offer. */
	readonly ofInstance: (id: number) => number;
	readonly ofOffer: (id: number) => number;
	/** Of the texts of an offer that replies are made of. */
	readonly ofText: (id: number) => number;
	/** Of anything that replies show of offers. */
	readonly ofOffers: () => number;
	/** Of the prices and ends of all offers. */
	readonly ofTerms: () => number;
	/** Of anything in other processes. */
	readonly ofOthers: () => number;
	/** The offers that were changed since it was called last. What is rolled back may be among them. */
	readonly takeOffers: () => ReadonlySet<number>;
	/** Reads what was committed until now, where the database does not tell it while it is written. */
	readonly catchUp: () => Promise<void>;
	/** Tells of accounts whose machines have new work, where that may be of another process. */
	readonly onWork: (listener: (accountId: number) => void) => void;
	/** Tells that the database was away, and can be reached again. */
	readonly onBack: (listener: () => void) => void;
	/** True if this process does the work that one of several does for all. */
	readonly leads: () => Promise<boolean>;
	/** Counts of connections to the database, where there are several. */
	readonly connections: () => Connections | undefined;
	/** Begins to note what is changed. */
	readonly watch: (begin: (note: Note, back: () => void) => Watched) => void;
};

/** Connections of a process: open, in use, and calls that wait for one. */
export type Connections = {
	readonly open: number;
	readonly lent: number;
	readonly waiting: number;
};

/** Change notes of a database. */
export type Watched = {
	readonly connections?: () => Connections;
	/** A number that differs where something may have changed that nobody told. */
	readonly others: () => number;
	readonly catchUp?: () => Promise<void>;
	readonly leads?: () => Promise<boolean>;
};

export type Note = (noted: Noted, id: number) => void;

type Noted = 'account' | 'instance' | 'offer' | 'text' | 'terms' | 'limits' | 'work';

export type NotedRow = readonly [after: string, noted: Noted, id: string];

const shownColumns = `
	label, created_at, end_date, destroyed_at, settings, image, template_id, template_hash,
	template_name, is_bid, disk_gb, gpu_micros, storage_micros, up_micros, down_micros, actual,
	intended, current, next, message, contact, running_since, access, usage`;

const termColumns = `
	listed, end_date, dph_base_micros, storage_cost_micros, inet_up_cost_micros,
	inet_down_cost_micros`;

/** Noted rows, with the statements and tables that note them. */
export const notedRows: readonly NotedRow[] = [
	['insert on offers', 'offer', 'new.id'],
	['update on offers', 'offer', 'new.id'],
	['delete on offers', 'offer', 'old.id'],
	[`update of ${textColumns.join(', ')} on offers`, 'text', 'new.id'],
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

const nothing = async (): Promise<void> => undefined;
const always = async (): Promise<boolean> => true;
const ignore = (): undefined => undefined;

/** Before a connection is watched, anything may have changed at any time. */
export function createChanges(): Changes {
	const counts = {
		account: new Map<number, number>(),
		instance: new Map<number, number>(),
		offer: new Map<number, number>(),
		text: new Map<number, number>(),
	};
	const totals = {offers: 0, terms: 0, limits: 0};
	let offers = new Set<number>();
	let unwatched = 0;
	let ofOthers = () => ++unwatched;
	let catchUp: Changes['catchUp'] = nothing;
	let leads: Changes['leads'] = always;
	let connections: Changes['connections'] = ignore;
	let onWork: (accountId: number) => void = ignore;
	let onBack: () => void = ignore;

	function note(noted: Noted, id: number): void {
		if (noted === 'work') onWork(id);
		else if (noted === 'terms' || noted === 'limits') totals[noted] += 1;
		else counts[noted].set(id, (counts[noted].get(id) ?? 0) + 1);
		if (noted === 'offer') offers.add(id);
		if (noted === 'offer' || noted === 'text') totals.offers += 1;
	}

	return {
		ofAccount: id => (counts.account.get(id) ?? 0) + totals.limits + ofOthers(),
		ofInstance: id => counts.instance.get(id) ?? 0,
		ofOffer: id => counts.offer.get(id) ?? 0,
		ofText: id => counts.text.get(id) ?? 0,
		ofOffers: () => totals.offers + ofOthers(),
		ofTerms: () => totals.terms + ofOthers(),
		ofOthers: () => ofOthers(),
		takeOffers() {
			const taken = offers;
			offers = new Set();
			return taken;
		},
		catchUp: async () => catchUp(),
		onWork(listener) {
			onWork = listener;
		},
		onBack(listener) {
			onBack = listener;
		},
		leads: async () => leads(),
		connections: () => connections(),
		watch(begin) {
			const watched = begin(note, () => onBack());
			ofOthers = watched.others;
			catchUp = watched.catchUp ?? catchUp;
			leads = watched.leads ?? leads;
			connections = watched.connections ?? connections;
		},
	};
}
