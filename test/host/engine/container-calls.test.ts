import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {report} from '../../../source/contract/nouns/host-work.ts';
import {
	readFound,
	readStatsTraffic,
	readStatsUsage,
} from '../../../source/host/engine/container-calls.ts';
import {parseRecord} from '../../../source/host/instance/record.ts';
import {diskUsage} from '../../../source/host/instance/rounds.ts';
import {safeParse} from 'zod/mini';

/** As Docker says it on a machine with four cores, shortened. */
const stats = {
	cpu_stats: {cpu_usage: {total_usage: 5_000_000_000}, system_cpu_usage: 108_000_000_000},
	precpu_stats: {cpu_usage: {total_usage: 4_000_000_000}, system_cpu_usage: 104_000_000_000},
	memory_stats: {
		usage: 3_000_000_000,
		limit: 16_000_000_000,
		stats: {inactive_file: 1_000_000_000},
	},
	networks: {eth0: {rx_bytes: 1000, tx_bytes: 20}, eth1: {rx_bytes: 1, tx_bytes: 2}},
};

test('the figures of an engine become shares, gigabytes and bytes', () => {
	expect(readStatsUsage(stats)).toEqual({cpu_util: 25, mem_usage: 2, mem_limit: 16});
	expect(readStatsTraffic(stats)).toEqual({up: 22, down: 1001});
	expect(diskUsage(4e9, 16)).toEqual({disk_usage: 4, disk_util: 0.25});
});

test('what an engine does not know is left out, and is not nothing', () => {
	expect(readStatsUsage(undefined)).toEqual({});
	expect(readStatsTraffic({...stats, networks: undefined})).toBeUndefined();
	expect(readStatsUsage({...stats, precpu_stats: {}})).not.toHaveProperty('cpu_util');
	const unlimited = {memory_stats: {usage: 1, limit: 2 ** 63}};
	expect(readStatsUsage(unlimited)).not.toHaveProperty('mem_limit');
	expect(diskUsage(4e9, 0)).toEqual({disk_usage: 4});
});

test('whatever an engine says, what is made of it can be reported', () => {
	const figure = fc.oneof(fc.double(), fc.integer(), fc.anything());
	const said = fc.record({
		cpu_stats: fc.record({cpu_usage: fc.record({total_usage: figure}), system_cpu_usage: figure}),
		precpu_stats: fc.record({
			cpu_usage: fc.record({total_usage: figure}),
			system_cpu_usage: figure,
		}),
		memory_stats: fc.record({usage: fc.nat(1e12), limit: figure, stats: fc.anything()}),
		networks: fc.dictionary(fc.string(), fc.record({rx_bytes: fc.nat(), tx_bytes: figure})),
	});
	fc.assert(
		fc.property(fc.oneof(said, fc.anything()), one => {
			const usage = readStatsUsage(one);
			expect(safeParse(report, {instance_id: 1, boot: 1, usage}).success).toBe(true);
		}),
	);
});

test('whatever an engine says of a container, and whatever lies in a file, is read without harm', () => {
	fc.assert(
		fc.property(fc.anything(), value => {
			expect(parseRecord(value)).toBeUndefined();
			expect(readFound({Id: 'x', State: value, Mounts: value, Config: value})?.id).toBe('x');
		}),
	);
});
