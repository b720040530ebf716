/** Facts of a machine as its host reports them, with the names and units of offers. */
import * as z from 'zod/mini';
import {readIsolation} from '../rules/isolation.ts';
import {amount, text} from '../grammar/values.ts';

const word = z.nullable(text(128));
/** Numbers below a billionth are 0: databases divide them by prices. */
const number = z.nullable(
	z.number().check(
		z.minimum(0),
		z.maximum(1e9),
		z.overwrite(value => (value < 1e-9 ? 0 : value)),
	),
);
/** Isolation text, shown to renters: hosts could write anything, so only known words are taken. */
const isolation = text(128).check(
	z.refine(value => readIsolation(value) !== undefined, {
		error: 'must be such as "container", "sandbox, no limit of disk" or "none: shares the machine"',
	}),
);
const flag = z.nullable(z.boolean());

/**
 * Facts of a machine. Null is unknown; amounts that depend on the number of GPUs are for the whole
 * machine.
 */
export const machineFacts = z.object({
	num_gpus: amount.check(z.minimum(0), z.maximum(52)),
	gpu_name: text(128),
	gpu_arch: z._default(word, null),
	gpu_ram: z._default(number, null),
	gpu_lanes: z._default(number, null),
	gpu_mem_bw: z._default(number, null),
	gpu_max_power: z._default(number, null),
	gpu_max_temp: z._default(number, null),
	gpu_display_active: z._default(flag, null),
	bw_nvlink: z._default(number, null),
	compute_cap: z._default(number, null),
	cuda_max_good: z._default(number, null),
	driver_version: z._default(word, null),
	cpu_name: z._default(word, null),
	cpu_arch: z._default(word, null),
	cpu_cores: z._default(number, null),
	cpu_ghz: z._default(number, null),
	cpu_ram: z._default(number, null),
	has_avx: z._default(flag, null),
	disk_name: z._default(word, null),
	disk_space: z._default(number, null),
	disk_bw: z._default(number, null),
	pci_gen: z._default(number, null),
	pcie_bw: z._default(number, null),
	mobo_name: z._default(word, null),
	os_version: z._default(word, null),
	inet_up: z._default(number, null),
	inet_down: z._default(number, null),
	static_ip: z._default(flag, null),
	public_ipaddr: z._default(word, null),
	geolocation: z._default(word, null),
	hostname: z._default(word, null),
	hosting_type: z._default(number, null),
	vms_enabled: z._default(flag, null),
	/** Isolation of instances, and the limits that they lack. */
	isolation: z._default(z.nullable(isolation), null),
	/** Benchmark result of all GPUs together. */
	dlperf: z._default(number, null),
	total_flops: z._default(number, null),
});

export type MachineFacts = z.output<typeof machineFacts>;
