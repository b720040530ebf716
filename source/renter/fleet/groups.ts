/** Instances that have something in common: how many, in which trouble, what they cost together. */
import {shownLabel} from '../words/lease-label.ts';
import type {Grouping} from '../settings/default-settings.ts';
import {printable} from '../text/text-width.ts';
import {isTrouble} from '../instance/condition.ts';
import type {FleetRow} from './fleet-state.ts';
import {troublesOf, type Troubles} from './order.ts';

export type FleetGroup = {
	/** The shared value; empty where the instances have none. */
	readonly key: string;
	/** In the order in which they came. */
	readonly rows: readonly FleetRow[];
	readonly troubles: Troubles;
	/** The count of running instances, idle or not. */
	readonly running: number;
	/** Dollars an hour, of those whose price is known. */
	readonly now: number;
	readonly atMost: number;
	/** The count of instances without a known price. */
	readonly unpriced: number;
	/** Mean use of the GPUs of those that say it, in percent. */
	readonly use: number | undefined;
};

/** A label without the part that counts: "train" of "train-a", "exp/lr3" of "exp/lr3/12". */
export function labelPrefix(label: string): string {
	const [, prefix] = /^(.*[^-_./ :#])[-_./ :#]+[^-_./ :#]+$/su.exec(label) ?? [];
	return prefix ?? (label.replace(/(?<=\D)\d+$/, '') || label);
}

/** @param service the name of the service that the instances are of */
export function groupKey({instance}: FleetRow, by: Grouping, service = ''): string {
	const values: Readonly<Record<Grouping, string | number | null | undefined>> = {
		label: labelPrefix(shownLabel(instance.label).trim()),
		gpu: instance.gpu_name,
		host: instance.host_id,
		image: instance.image_uuid,
		template: instance.template_name ?? instance.template_hash_id,
		service,
	};
	return printable(String(values[by] ?? '')).trim();
}

/** The groups of some instances: those in trouble first, then those that cost most. */
export function groupRows(
	rows: readonly FleetRow[],
	keyOf: (row: FleetRow) => string,
): readonly FleetGroup[] {
	const groups = Map.groupBy(rows, keyOf);
	return Array.from(groups, ([key, own]) => groupOf(key, own)).toSorted(byTroubleAndCost);
}

function groupOf(key: string, rows: readonly FleetRow[]): FleetGroup {
	const there = rows.filter(({condition}) => condition !== 'gone');
	const uses = there.flatMap(({instance: {gpu_util: use}}) => (typeof use === 'number' ? use : []));
	return {
		key,
		rows,
		troubles: troublesOf(rows),
		running: there.filter(({instance}) => instance.actual_status === 'running').length,
		now: sum(there.map(({rate}) => rate.now)),
		atMost: sum(there.map(({rate: {now, atMost = now}}) => atMost)),
		unpriced: there.filter(({rate}) => rate.now === undefined || rate.atMost === undefined).length,
		use: uses.length === 0 ? undefined : sum(uses) / uses.length,
	};
}

function sum(numbers: ReadonlyArray<number | undefined>): number {
	return numbers.reduce<number>((total, number = 0) => total + number, 0);
}

function byTroubleAndCost(a: FleetGroup, b: FleetGroup): number {
	return (
		Number(b.rows.some(isInTrouble)) - Number(a.rows.some(isInTrouble)) ||
		b.atMost - a.atMost ||
		(a.key < b.key ? -1 : 1)
	);
}

function isInTrouble({condition}: FleetRow): boolean {
	return isTrouble(condition);
}
