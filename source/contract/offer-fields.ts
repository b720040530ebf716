import type {Fields, Vocabulary} from './filter.ts';
import {machineFields} from './machine-fields.ts';

/** The fields that a search of offers may name in its filter and in its order. */
export const offerFields = {
	...machineFields,
	rentable: 'boolean',
	rented: 'boolean',
	num_gpus: 'number',
	gpu_name: 'name',
	gpu_ram: 'number',
	gpu_total_ram: 'number',
	gpu_frac: 'number',
	gpu_lanes: 'number',
	gpu_mem_bw: 'number',
	gpu_max_power: 'number',
	gpu_max_temp: 'number',
	gpu_display_active: 'boolean',
	bw_nvlink: 'number',
	compute_cap: 'number',
	cpu_cores: 'number',
	cpu_cores_effective: 'number',
	cpu_ram: 'number',
	inet_up_cost: 'number',
	inet_down_cost: 'number',
	direct_port_count: 'number',
	dlperf: 'number',
	min_bid: 'number',
	dph_base: 'number',
	dph_total: 'number',
	dlperf_per_dphtotal: 'number',
	flops_per_dphtotal: 'number',
	vram_costperhour: 'number',
} as const satisfies Fields;

export type OfferField = keyof typeof offerFields;

/** Sizes named `…_GB` are the same fields in thousands of MB. */
const MB_PER_GB = 1000;

export const offerVocabulary: Vocabulary<typeof offerFields> = {
	fields: offerFields,
	aliases: {
		reliability2: {field: 'reliability'},
		ubuntu_version: {field: 'os_version'},
		dphtotal: {field: 'dph_total'},
		gpu_totalram: {field: 'gpu_total_ram'},
		gpu_ram_GB: {field: 'gpu_ram', times: MB_PER_GB},
		gpu_total_ram_GB: {field: 'gpu_total_ram', times: MB_PER_GB},
		gpu_totalram_GB: {field: 'gpu_total_ram', times: MB_PER_GB},
		cpu_ram_GB: {field: 'cpu_ram', times: MB_PER_GB},
	},
};
