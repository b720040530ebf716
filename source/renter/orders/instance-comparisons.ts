/**
 * Compares rented instances with their orders, and remembers the differences while the program
 * runs.
 */
import type {AgreedOrder, PendingRent} from '../../client/rentals/pending-rent.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	fields,
	priceByRecord,
	verdictsOf,
	type Difference,
	type Field,
	type DifferenceVerdict,
} from './differences.ts';
import {differencesText} from './difference-texts.ts';
import type {Client} from '../../client/client.ts';
import {pricePerHour} from '../text/format.ts';
import type {Notify} from '../words/alert.ts';
import {createStore, type Readable} from '../state/store.ts';
import {printable} from '../text/text-width.ts';
import type {Fleet} from '../fleet/fleet.ts';
import type {Timers} from '../state/timers.ts';

export type Differing = ReadonlyMap<number, NotAsOrdered>;

export type InstanceComparisons = Readable<Differing> & {
	/** Compares the instance of a pending rent whenever it has a new record. */
	readonly start: (id: number, pending: PendingRent) => void;
};

type Options = {
	readonly fleet: Pick<Fleet, 'state'>;
	readonly client: () => Promise<{readonly journal: Pick<Client['journal'], 'differs'>}>;
	readonly notify: Pick<Notify, 'send'>;
	readonly timers: Pick<Timers, 'now'>;
};

type Comparison = ReturnType<typeof createInstanceComparison>;

export function createInstanceComparisons({
	fleet,
	client,
	notify,
	timers,
}: Options): InstanceComparisons {
	const store = createStore<Differing>(new Map());

	/** Compares a record, and records and reports its differences at once. */
	function compare(check: Comparison, instance: Instance, pending: PendingRent): void {
		const fresh = check.compare(instance);
		const found = check.found();
		if (fresh.length === 0 || found === undefined) return;
		const {id} = instance;
		const what = differencesText(fresh);
		store.set(new Map([...store.get(), [id, found]]));
		const text = `Instance ${id} is ${lowerFirst(unlikeText(found))} 2 lists it; x there destroys it.`;
		const about = `order of instance ${id}`;
		notify.send({kind: 'not-as-ordered', about, state: what, text, instance: id});
		// The screen shows it even if the journal cannot be written.
		void client()
			.then(async ({journal}) => journal.differs(pending, id, what))
			.catch(() => undefined);
	}

	return {
		get: store.get,
		subscribe: store.subscribe,
		start(id, pending) {
			if (pending.agreed === undefined) return;
			const check = createInstanceComparison(pending.agreed, timers.now);
			let last: Instance | undefined;
			const stop = fleet.state.subscribe(checkOnce);
			checkOnce();

			function checkOnce(): void {
				const row = fleet.state.get().rows.find(({instance}) => instance.id === id);
				// Before its first record a row only has the order's values.
				if (row === undefined || row.observation.phases.length === 0 || row.instance === last)
					return;
				last = row.instance;
				compare(check, row.instance, pending);
				if (!check.isOpen()) stop();
			}
		},
	};
}

/** "Not as ordered: disk 20 GB instead of 40 GB. It costs $0.3012/h." */
export function unlikeText({differences, perHour}: NotAsOrdered): string {
	const what = printable(differencesText(differences));
	return `Not as ordered: ${what}. It costs ${pricePerHour(perHour)}.`;
}

function lowerFirst(text: string): string {
	return text.slice(0, 1).toLowerCase() + text.slice(1);
}

export type NotAsOrdered = {
	readonly differences: readonly Difference[];
	/** Dollars an hour with the disk, by the record; by the order if the record has none. */
	readonly perHour: number | undefined;
};

/** Time for which ports must be missing: services may list them a little after the start. */
export const PORTS_MS = 3000;

/**
 * Each field is compared once, at the first record that has it: afterwards its renter may have
 * changed it. Once the instance runs, only ports are waited for.
 *
 * @param now milliseconds of any clock
 */
export function createInstanceComparison(agreed: AgreedOrder, now: () => number) {
	const open = new Set<Field>(fields);
	let found: NotAsOrdered | undefined;
	let missingSince: number | undefined;

	/** True for a verdict that a later record may change. */
	function isDoubtful(field: Field, verdict: DifferenceVerdict): boolean {
		if (field !== 'ports') return verdict === 'unsaid';
		missingSince = typeof verdict === 'object' ? (missingSince ?? now()) : undefined;
		const isEarly = missingSince !== undefined && now() - missingSince < PORTS_MS;
		return verdict === 'unsaid' || isEarly;
	}

	function conclude(instance: Instance): readonly Difference[] {
		const verdicts = [...verdictsOf(agreed, instance)].filter(([field]) => open.has(field));
		const certain = verdicts.filter(([field, verdict]) => !isDoubtful(field, verdict));
		for (const [field] of certain) open.delete(field);
		return certain.flatMap(([, verdict]) => (typeof verdict === 'object' ? [verdict] : []));
	}

	return {
		/** Compares a record; returns the differences that no earlier record showed. */
		compare(instance: Instance): readonly Difference[] {
			const fresh = conclude(instance);
			if (instance.actual_status === 'running') {
				for (const field of fields) if (field !== 'ports') open.delete(field);
			}
			if (fresh.length > 0) {
				const differences = [...(found?.differences ?? []), ...fresh];
				const perHour = priceByRecord(instance, agreed.perHour) ?? agreed.perHour;
				found = {differences, perHour};
			}
			return fresh;
		},
		/** All differences so far; undefined if there are none. */
		found: () => found,
		/** True while a later record can show more. */
		isOpen: () => open.size > 0,
	};
}
