/**
 * Prices of an instance as it was rented. The SQL twin of these formulas is `instance-query.ts`.
 */
import {GB_PER_TB, HOURS_PER_MONTH} from '../../contract/grammar/units.ts';
import type {ShownRow} from './columns-rules.ts';
import {metersOf, type InstanceState} from '../lifecycle/rules.ts';
import {dollars, partsOf, ratio} from '../offers/pricing-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

/** Every price of an instance, named and measured in dollars as the wire has it. */
export function instancePrices(row: ShownRow) {
	const base = row.gpu_micros / MICROS_PER_DOLLAR;
	const storage = row.storage_micros / MICROS_PER_DOLLAR;
	const diskHour = (storage * row.disk_gb) / HOURS_PER_MONTH;
	const total = base + diskHour;
	const rate = row.deposit_micros > 0 ? row.deposit_rate : 0;
	const up = row.up_micros / MICROS_PER_DOLLAR;
	const down = row.down_micros / MICROS_PER_DOLLAR;
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but `advance` writes these
	const meters = metersOf(row as Pick<InstanceState, 'actual' | 'current' | 'contact'>);
	const [gpuNow, diskNow] = [meters.compute ? base : 0, meters.disk ? diskHour : 0];
	return {
		is_bid: row.is_bid === 1,
		min_bid: dollars(leastBid(row)),
		dph_base: base,
		dph_total: total,
		storage_cost: storage,
		storage_total_cost: diskHour,
		vram_costperhour: ratio(total, row.gpu_total_ram),
		dlperf_per_dphtotal: ratio(row.dlperf, total),
		flops_per_dphtotal: ratio(row.total_flops, total),
		inet_up_cost: up,
		inet_down_cost: down,
		internet_up_cost_per_tb: up * GB_PER_TB,
		internet_down_cost_per_tb: down * GB_PER_TB,
		search: partsOf(base, diskHour, total * rate),
		// What it costs in its present state.
		instance: partsOf(gpuNow, diskNow, (gpuNow + diskNow) * rate),
	};
}

/** The bid with which it has its GPUs; where it does not have them, the least that would win them. */
function leastBid({is_bid, current, gpu_micros, min_bid_micros}: ShownRow): number | null {
	if (is_bid === 0) return null;
	return current === 'running' ? gpu_micros : min_bid_micros;
}
