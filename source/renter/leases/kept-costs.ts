/** File of what instances have cost for certain: a guard that starts again goes on with what it saw. */
import {isRecord} from '../../contract/grammar/json.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {openFileWriter} from '../../client/files/files.ts';
import {readKeptJson, serviceId, type KeptService} from '../files/kept-file.ts';
import type {Seen} from './sightings.ts';

/** Certain cost of an instance: its number alone may be that of another, later. */
type KeptCost = {readonly id: number; readonly startDate: number; readonly dollars: number};

export type KeptCosts = {
	/** Looks at an instance, with what it had cost at looks before them. */
	readonly recall: (instance: Instance, seen: Seen) => Seen;
	/** Keeps what all that is rented has cost, as far as this look and the one before agree. Never fails. */
	readonly keep: (
		fleet: ReadonlyArray<{readonly instance: Instance; readonly soFar: number | undefined}>,
	) => void;
	/** Waits for what is being written. */
	readonly settle: () => Promise<void>;
};

/** Sums grow with each look: they are written once a minute, and what is lost is of a minute at most. */
const WRITE_MS = 60_000;

/** @param now milliseconds on any clock */
export function openKeptCosts(file: string, of: KeptService, now: () => number): KeptCosts {
	const service = serviceId(of);
	const write = openFileWriter(file);
	let kept = readCosts(file, service);
	/** Costs that the look before showed. */
	let shown: ReadonlyMap<number, number> = new Map();
	let writtenAt = Number.NEGATIVE_INFINITY;
	let writing = Promise.resolve();

	function costOf({id, start_date: start}: Instance): number | undefined {
		const found = kept.get(id);
		return found?.startDate === start ? found?.dollars : undefined;
	}

	return {
		recall(instance, seen) {
			const dollars = Math.max(costOf(instance) ?? 0, seen.cost ?? 0);
			return dollars === 0 ? seen : {...seen, cost: dollars};
		},
		keep(fleet) {
			const costs = fleet.flatMap(({instance, soFar}): readonly KeptCost[] => {
				const {id, start_date: startDate} = instance;
				const agreed = Math.min(soFar ?? 0, shown.get(id) ?? 0);
				const dollars = Math.max(agreed, costOf(instance) ?? 0);
				return typeof startDate === 'number' && dollars > 0 ? [{id, startDate, dollars}] : [];
			});
			kept = new Map(costs.map(cost => [cost.id, cost]));
			shown = new Map(fleet.map(({instance: {id}, soFar}) => [id, soFar ?? 0]));
			if (Math.abs(now() - writtenAt) < WRITE_MS) return;
			writtenAt = now();
			const text = JSON.stringify({service, costs});
			// It is a help: without it a sum is of this run alone, and still true at least.
			writing = write(() => text).catch(() => undefined);
		},
		settle: async () => writing,
	};
}

function readCosts(file: string, service: string): ReadonlyMap<number, KeptCost> {
	const json = readKeptJson(file);
	if (!isRecord(json) || json['service'] !== service) return new Map();
	const costs: readonly unknown[] = Array.isArray(json['costs']) ? json['costs'] : [];
	return new Map(costs.flatMap(readCost).map(cost => [cost.id, cost]));
}

function readCost(value: unknown): readonly KeptCost[] {
	if (!isRecord(value)) return [];
	const {id, startDate, dollars} = value;
	const isCost = [id, startDate, dollars].every(one => typeof one === 'number' && one >= 0);
	if (!isCost) return [];
	return [{id: Number(id), startDate: Number(startDate), dollars: Number(dollars)}];
}
