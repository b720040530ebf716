/** Charges of a month, added up by label, GPU, day or week. */
import {isoDay} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {idOfText} from '../../list/columns.ts';
import {type Charge, type Charges} from '../../queries/account.ts';
import {DAY} from '../../../contract/rules/durations.ts';

export const spendingGroupings = ['label', 'GPU', 'day', 'week'] as const;

export type SpendingGrouping = (typeof spendingGroupings)[number];

/** A line of the table. */
export type Sum = {
	readonly id: number;
	readonly name: string;
	readonly dollars: number;
	/** Share of the month, and of the dearest line. */
	readonly share: number;
	readonly ofMost: number;
	/** Nothing in it is rented any more. */
	readonly isEnded: boolean;
};

const monday = (day: number) => day - ((((day + 3) % 7) + 7) % 7);

/** Group of a charge: its name, and its day where lines are ordered by days. */
function groupOf(
	charge: Charge,
	by: SpendingGrouping,
): {readonly name: string; readonly day?: number} {
	const {day, label, gpu, description} = charge;
	switch (by) {
		case 'label':
			return {name: label === '' ? description : label};
		case 'GPU':
			return {name: gpu ?? (charge.source.startsWith('volume') ? 'volumes' : 'not known')};
		case 'day':
			return {name: day === undefined ? '-' : dayText(day), day: day ?? 0};
		case 'week':
			return {
				name: day === undefined ? '-' : `week of ${dayText(monday(day))}`,
				day: day === undefined ? 0 : monday(day),
			};
	}
}

/** Adds charges up, the dearest first, or the latest day first. @param isRented whether a source still is */
export function sumsOf(
	list: readonly Charge[],
	by: SpendingGrouping,
	isRented: (source: string) => boolean = () => true,
): readonly Sum[] {
	const named = list.map(charge => ({charge, ...groupOf(charge, by)}));
	const total = totalOf(list);
	const sums = [...Map.groupBy(named, ({name}) => name)]
		.map(([name, parts]) => ({
			name,
			day: parts[0]?.day,
			charges: parts.map(({charge}) => charge),
		}))
		.map(({name, day, charges}) => ({
			id: idOfText(name),
			name: printable(name),
			dollars: totalOf(charges),
			day,
			isEnded: by === 'label' && !charges.some(({source}) => isRented(source)),
		}));
	const most = Math.max(0, ...sums.map(({dollars}) => dollars));
	return sums
		.toSorted((a, b) => (b.day ?? 0) - (a.day ?? 0) || b.dollars - a.dollars)
		.map(({day: _day, ...sum}) => ({
			...sum,
			share: total === 0 ? 0 : sum.dollars / total,
			ofMost: most === 0 ? 0 : sum.dollars / most,
		}));
}

/** Dollars of each day of the month so far, the last one last. */
export function perDay({
	list,
	first,
	today,
}: Pick<Charges, 'list' | 'first' | 'today'>): readonly number[] {
	const byDay = Map.groupBy(list, ({day}) => day);
	return Array.from({length: today - first + 1}, (_, at) => totalOf(byDay.get(first + at) ?? []));
}

export function totalOf(charges: readonly Charge[]): number {
	return charges.reduce((sum, {dollars}) => sum + dollars, 0);
}

/** The date of a day: 2026-11-21, as bills have it. */
export function dayText(day: number): string {
	return isoDay(day * DAY);
}
