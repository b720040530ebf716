/** Offers made from a host's publication of a machine. */
import {findGpu} from '../seed/gpus.ts';
import type {Ask, Publication, MachineFacts} from '../../contract/nouns/hosts.ts';
import {Refusal} from '../base/refusal.ts';
import {maskOf} from '../base/gpu-mask.ts';
import type {Flag, MachineRow} from '../database/instance-tables.ts';
import type {NewOffer} from '../database/schema.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {shownReach} from './reach-rules.ts';
import {NEW_RELIABILITY, type MarketFields, roundToFourDecimals} from '../reliability/rules.ts';

/** @throws Refusal for impossible GPUs */
export function checkPublication({facts, busy_gpus: busy, asks}: Publication): void {
	const count = facts.num_gpus;
	refuseUnknownGpus('busy_gpus', busy, count);
	const asked = new Map<number, number>();
	for (const [index, {gpu_ids: ids}] of asks.entries()) {
		const place = `asks.${index}.gpu_ids`;
		refuseUnknownGpus(place, ids, count);
		if (new Set(ids).size < ids.length) throw refuse(`${place} names a GPU twice.`);
		if (ids.length === 0 && count > 0) throw refuse(`${place} names none of the ${count} GPUs.`);
		const mask = maskOf(ids);
		const other = asked.get(mask);
		if (other !== undefined) throw refuse(`asks.${other} and asks.${index} are for the same GPUs.`);
		asked.set(mask, index);
	}
}

function refuseUnknownGpus(place: string, ids: readonly number[], count: number): void {
	const unknown = ids.find(id => id >= count);
	if (unknown === undefined) return;
	throw refuse(
		`${place} names the GPU ${unknown}, counted from 0, of a machine that has ${count}.`,
	);
}

function refuse(message: string): Refusal {
	return new Refusal('badArguments', message);
}

/** Factor of bundle ids, above the number of GPUs that a machine can have. */
const BUNDLES_OF_A_MACHINE = 64;

type NewPart = {readonly machineId: number; readonly gpus: number; readonly now: number};

/** The market's fields of a new offer, taken from another offer of its machine if there is one. */
export function newMarketFields(
	{machineId, gpus, now}: NewPart,
	sibling: NewOffer | undefined,
): MarketFields {
	return {
		...(sibling === undefined ? unknownMachine : keptMarketFields(sibling, now)),
		bundle_id: machineId * BUNDLES_OF_A_MACHINE + gpus,
		start_date: now,
	};
}

const unknownMachine = {
	cluster_id: null,
	geolocode: null,
	credit_discount_max: 0,
	external: 0,
	verification: 'unverified',
	measured: null,
	is_vm_deverified: 0,
	reliability: NEW_RELIABILITY,
	reliability_mult: 1,
	expected_reliability: NEW_RELIABILITY,
} as const;

/** The market's fields of a known offer. An unlisted offer counts as new. */
export function keptMarketFields(known: NewOffer, now: number): MarketFields {
	return {
		cluster_id: known.cluster_id,
		bundle_id: known.bundle_id,
		geolocode: known.geolocode,
		credit_discount_max: known.credit_discount_max,
		external: known.external,
		verification: known.verification,
		measured: known.measured,
		is_vm_deverified: known.is_vm_deverified,
		reliability: known.reliability,
		reliability_mult: known.reliability_mult,
		expected_reliability: known.expected_reliability,
		start_date: known.listed === 1 ? known.start_date : now,
	};
}

export type Listing = {
	readonly id: number;
	readonly machine: Pick<MachineRow, 'id' | 'host_id' | 'reached' | 'reached_since'>;
	readonly facts: MachineFacts;
	readonly ask: Ask;
	readonly ofMarket: MarketFields;
	readonly now: number;
};

/** Offer of an ask, as if its machine had no rentals. */
export function buildOffer({id, machine, facts, ask, ofMarket, now}: Listing): NewOffer {
	const gpus = ask.gpu_ids.length;
	const share = facts.num_gpus === 0 ? 1 : gpus / facts.num_gpus;
	return {
		...ofMarket,
		...hardwareOf(facts),
		...performanceOf(facts, gpus, share),
		...pricesOf(ask),
		id,
		listed: 1,
		machine_id: machine.id,
		host_id: machine.host_id,
		num_gpus: gpus,
		gpu_total_ram: facts.gpu_ram === null ? null : Math.round(facts.gpu_ram * gpus),
		gpu_frac: share,
		gpu_ids: JSON.stringify(ask.gpu_ids.toSorted((one, other) => one - other)),
		cpu_cores_effective:
			facts.cpu_cores === null ? null : roundToFourDecimals(facts.cpu_cores * share),
		disk_space: ask.disk_space,
		...shownReach(machine, declaredReach(ask, facts), now),
		rentable: 1,
		rented: 0,
		end_date: ask.end_date,
		avail_vol_ask_id: null,
		avail_vol_micros: null,
		avail_vol_size: null,
	};
}

/** A host's word about its ports and its address. */
export function declaredReach(
	{direct_port_count: ports}: Pick<Ask, 'direct_port_count'>,
	{static_ip: isStatic}: Pick<MachineFacts, 'static_ip'>,
) {
	return {ports, isStatic: flag(isStatic)};
}

function hardwareOf(facts: MachineFacts) {
	const {num_gpus: _, dlperf: __, total_flops: ___, disk_space: ____, ...rest} = facts;
	const {static_ip: _____, ...plain} = rest;
	return {
		...plain,
		// The columns are integers.
		gpu_ram: whole(facts.gpu_ram),
		gpu_lanes: whole(facts.gpu_lanes),
		compute_cap: whole(facts.compute_cap),
		cpu_cores: whole(facts.cpu_cores),
		cpu_ram: whole(facts.cpu_ram),
		hosting_type: whole(facts.hosting_type),
		gpu_display_active: flag(facts.gpu_display_active),
		has_avx: flag(facts.has_avx),
		vms_enabled: flag(facts.vms_enabled),
	};
}

function whole(value: number | null): number | null {
	return value === null ? null : Math.round(value);
}

function flag(value: boolean | null): Flag | null {
	return value === null ? null : value ? 1 : 0;
}

/**
 * Performance of an offer. A host's own benchmark is not trusted: its GPUs are estimated by their
 * name. The default order ignores estimates, because the name, too, is only claimed.
 */
function performanceOf(
	{gpu_name: name, total_flops: flops}: MachineFacts,
	gpus: number,
	share: number,
) {
	const known = gpus === 0 ? undefined : findGpu(name);
	return {
		dlperf: known === undefined ? null : roundToFourDecimals(known.dlperf * gpus),
		total_flops: flops === null ? null : roundToFourDecimals(flops * share),
		score: null,
	};
}

function pricesOf(ask: Ask) {
	return {
		dph_base_micros: micros(ask.dph_base),
		min_bid_micros: ask.min_bid === null ? null : micros(ask.min_bid),
		storage_cost_micros: micros(ask.storage_cost),
		inet_up_cost_micros: micros(ask.inet_up_cost),
		inet_down_cost_micros: micros(ask.inet_down_cost),
	};
}

function micros(dollars: number): number {
	return Math.round(dollars * MICROS_PER_DOLLAR);
}
