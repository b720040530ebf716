/** Row changes of the database, noted by triggers. */
import {offerTextColumns} from '../offers/text-rules.ts';

/** Change counters: a number that differs from an earlier one means a change. */
export type ChangeNumbers = {
	/** Number for an account's rentals and their costs, and for any change in other processes. */
	readonly ofAccount: (accountId: number) => number;
	/** Number for the shown fields of an instance, without its offer's. */
	readonly ofInstance: (id: number) => number;
	readonly ofOffer: (id: number) => number;
	/** Number for the texts of an offer, of which replies are made. */
	readonly ofText: (id: number) => number;
	/** Number for all shown fields of offers. */
	readonly ofOffers: () => number;
	/** Number for the prices and ends of all offers. */
	readonly ofTerms: () => number;
	/** Number for any change in other processes. */
	readonly ofOthers: () => number;
	/** Returns the offers changed since the last call, rolled back ones perhaps included. */
	readonly takeOffers: () => ReadonlySet<number>;
	/** Reads committed changes, in a database that does not report them at once. */
	readonly catchUp: () => Promise<void>;
	/** Listens for accounts with new work that another process may have written. */
	readonly onWork: (listener: (accountId: number) => void) => void;
	/** Listens for a return of the database. */
	readonly onBack: (listener: () => void) => void;
	/** True if this process leads, and so does the recurring work of all. */
	readonly leads: () => Promise<boolean>;
	/** Counts of connections to the database; undefined for a database without a pool. */
	readonly connections: () => Connections | undefined;
	readonly watch: (begin: (note: NoteChange, back: () => void) => ChangeFeed) => void;
};

/** Connections of a process: open, in use, and calls that wait for one. */
type Connections = {
	readonly open: number;
	readonly lent: number;
	readonly waiting: number;
};

export type ChangeFeed = {
	readonly connections?: () => Connections;
	/** Number that differs after a possible change that no trigger reported here. */
	readonly others: () => number;
	readonly catchUp?: () => Promise<void>;
	readonly leads?: () => Promise<boolean>;
};

export type NoteChange = (noted: Noted, id: number) => void;

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
	[`update of ${offerTextColumns.join(', ')} on offers`, 'text', 'new.id'],
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
	// Only after a first heartbeat can a host be silent.
	['update of heard_at on machines when old.heard_at is null', 'limits', '0'],
];

const nothing = async (): Promise<void> => undefined;
const always = async (): Promise<boolean> => true;
const ignore = (): undefined => undefined;

/** Makes the numbers, which always differ until a connection is watched. */
export function createChanges(): ChangeNumbers {
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
	let catchUp: ChangeNumbers['catchUp'] = nothing;
	let leads: ChangeNumbers['leads'] = always;
	let connections: ChangeNumbers['connections'] = ignore;
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
