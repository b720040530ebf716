import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {report} from '../../../source/contract/nouns/host-work.ts';
import {simulateTraffic, simulateUsage} from '../../../source/host/simulated/container.ts';
import {workOf} from '../../helpers/host/host.ts';

const month = 30 * 86_400;

test('usage fits the contract, stays within the disk, and is the same for the same second', () => {
	const disks = fc.integer({min: 1, max: 10_000});
	fc.assert(
		fc.property(fc.nat(), fc.nat(month), disks, fc.nat(16), (id, seconds, disk, gpus) => {
			const gpu_ids = Array.from({length: gpus}, (_, gpu) => gpu);
			const user = workOf({instance_id: id, disk, gpu_ids});
			const usage = simulateUsage(user, 1, seconds);
			const traffic = simulateTraffic(id, 1, seconds);
			expect(report.safeParse({instance_id: id, boot: 1, usage, traffic}).success).toBe(true);
			expect(usage.disk_usage).toBeLessThanOrEqual(disk);
			expect(simulateUsage(user, 1, seconds)).toEqual(usage);
		}),
	);
});

test('figures wander, and the disk fills and traffic grows with time', () => {
	const rounds = Array.from({length: 100}, (_, index) => index * 10);
	const usages = rounds.map(seconds => simulateUsage(workOf(), 1, seconds));
	expect(new Set(usages.map(({gpu_util}) => gpu_util)).size).toBeGreaterThan(50);
	fc.assert(
		fc.property(fc.nat(), fc.nat(month), fc.nat(month), (id, seconds, more) => {
			const user = workOf({instance_id: id});
			const full = (at: number) => simulateUsage(user, 1, at).disk_usage ?? 0;
			expect(full(seconds + more)).toBeGreaterThanOrEqual(full(seconds));
			const before = simulateTraffic(id, 1, seconds);
			const after = simulateTraffic(id, 1, seconds + more);
			expect(after.up).toBeGreaterThanOrEqual(before.up);
			expect(after.down).toBeGreaterThanOrEqual(before.down);
		}),
	);
});

test('an instance without GPUs uses none', () => {
	expect(simulateUsage(workOf({gpu_ids: []}), 1, 100)).toMatchObject({gpu_util: 0, vmem_usage: 0});
});
