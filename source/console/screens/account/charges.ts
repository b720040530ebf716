/** Recent charges, added up by source and by day. */
import {DAYS, SECONDS_PER_DAY, type Charge, type Charges} from '../../queries/account.ts';

/** A line of the table: an instance, a volume or a day, with what it cost. */
export type Sum = {
	readonly id: number;
	readonly name: string;
	readonly dollars: number;
	/** Count of days, or of sources, in the sum. */
	readonly parts: number;
	readonly share: number;
};

export type Grouping = 'thing' | 'day';

/** Adds charges up, the dearest first, or the latest day first. */
export function sumsOf({list}: Pick<Charges, 'list'>, by: Grouping): readonly Sum[] {
	const groups = Map.groupBy(list, charge => (by === 'thing' ? charge.source : charge.day));
	const total = totalOf(list);
	const sums = [...groups.entries()].map(([key, charges]) => {
		const dollars = totalOf(charges);
		const [first] = charges;
		return {
			day: first?.day ?? 0,
			name: by === 'thing' ? (first?.description ?? '') : dayText(Number(key)),
			dollars,
			parts: new Set(charges.map(charge => (by === 'thing' ? charge.day : charge.source))).size,
			share: total === 0 ? 0 : dollars / total,
		};
	});
	const ordered = sums.toSorted((a, b) => (by === 'thing' ? b.dollars - a.dollars : b.day - a.day));
	return ordered.map(({name, dollars, parts, share}, id) => ({id, name, dollars, parts, share}));
}

/** Dollars of each of the last days, today last. */
export function perDay({list, today}: Pick<Charges, 'list' | 'today'>): readonly number[] {
	return Array.from({length: DAYS}, (_, index) =>
		totalOf(list.filter(({day}) => day === today - DAYS + 1 + index)),
	);
}

function totalOf(charges: readonly Charge[]): number {
	return charges.reduce((sum, {dollars}) => sum + dollars, 0);
}

/** The date of a day: 2026-11-21, as bills have it. */
export function dayText(day: number): string {
	return Number.isFinite(day)
		? new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10)
		: '-';
}
