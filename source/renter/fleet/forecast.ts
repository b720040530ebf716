/** Cost to come: with the leases, and if nothing ends. */
import type {FleetRow} from './fleet-state.ts';
import {costSoFar} from '../instance/cost.ts';
import {leaseOf, nextEnd} from '../leases/held.ts';
import {HOUR_MS} from '../../contract/rules/durations.ts';

/** Dollars: the certain and the highest amount. */
type Range = {readonly least: number; readonly most: number};

type Forecast = {
	readonly byLeases: Range;
	/** If all that costs now goes on. */
	readonly ifNothingEnds: number;
	readonly hours: number;
	readonly unpriced: number;
};

type Row = Pick<FleetRow, 'instance' | 'condition' | 'rate' | 'now' | 'observation'>;

/** Cost of all from now until a moment. @param ms until then */
export function forecastOf(rows: readonly Row[], ms: number): Forecast {
	const left = rows.filter(({condition}) => condition !== 'gone');
	const hours = Math.max(0, ms) / HOUR_MS;
	const costs = left.map(row => costToCome(row, ms));
	return {
		byLeases: {
			least: costs.reduce((sum, {least}) => sum + least, 0),
			most: costs.reduce((sum, {most}) => sum + most, 0),
		},
		ifNothingEnds: left.reduce((sum, {rate: {now = 0}}) => sum + now * hours, 0),
		hours,
		unpriced: left.filter(({rate}) => rate.now === undefined).length,
	};
}

/**
 * Cost of an instance from now until a moment, or until its lease ends it. The least is certain: an
 * idle instance may end early, and a booting one may never run; a late one may end any moment, or
 * never.
 */
export function costToCome(row: Row, ms: number): Range {
	if (row.condition === 'gone') return {least: 0, most: 0};
	const {now = 0, atMost = now} = row.rate;
	const span = Math.max(0, ms);
	const {ends, isStop, earliest, limit} = endOf(row);
	// A stopped instance keeps its disk, and pays for it.
	const disk = isStop ? (row.instance.storage_total_cost ?? 0) : 0;
	const cost = (perHour: number, runs: number) =>
		(perHour * Math.min(span, runs) + disk * Math.max(0, span - runs)) / HOUR_MS;
	const late = ends < 0;
	return {
		least: Math.min(limit, cost(now, late ? 0 : Math.min(ends, earliest))),
		most: Math.min(limit, cost(atMost, late ? Infinity : ends)),
	};
}

/** Milliseconds until its deadline, and until it may end earlier; dollars until its limit. */
function endOf(row: Row) {
	const {lease} = leaseOf(row.instance);
	const {action, leftMs} = nextEnd(row.instance, row.now) ?? {action: 'none', leftMs: Infinity};
	const rules = lease === undefined || lease.isKept ? noRules : lease;
	const {idleSeconds = Infinity, maxCost, whenDone} = rules;
	return {
		ends: action === 'none' ? Infinity : leftMs,
		isStop: lease?.action === 'stop',
		// The work may be done at any moment.
		earliest: whenDone === undefined ? idleSeconds * 1000 : 0,
		limit: maxCost === undefined ? Infinity : Math.max(0, maxCost - costSoFar(row).atLeast),
	};
}

const noRules = {idleSeconds: undefined, maxCost: undefined, whenDone: undefined};
