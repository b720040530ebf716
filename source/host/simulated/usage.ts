/** Usage of a simulated instance: figures that wander, and are the same for the same second. */
import type {Report, Usage, Work} from '../../contract/host-work.ts';
import {randomOf, type Random} from './random.ts';

type User = Pick<Work, 'instance_id' | 'machine_id' | 'gpu_ids' | 'disk'>;

/** Usage after so many seconds of running. */
export function usageOf(
	{instance_id, machine_id, gpu_ids = [], disk = 10}: User,
	seed: number,
	seconds: number,
): Usage {
	const wander = wanderer(randomOf(seed, instance_id, 'usage'), seconds);
	const machine = randomOf(seed, machine_id, 'memory');
	const memory = 2 ** machine.whole(5, 8);
	const filled = randomOf(seed, instance_id, 'disk').between(0.3, 1.5);
	const load = gpu_ids.length === 0 ? 0 : wander(20, 99);
	const full = Math.min(disk * 0.9, filled + (disk * seconds) / (seconds + 86_400));
	return {
		gpu_util: rounded(load),
		gpu_temp: rounded(34 + load * 0.42 + wander(0, 4)),
		cpu_util: rounded(wander(3, 60)),
		mem_usage: rounded(memory * wander(0.05, 0.6)),
		mem_limit: memory,
		vmem_usage: rounded(gpu_ids.length * wander(4, 20)),
		disk_usage: rounded(full),
		disk_util: Math.round((full / disk) * 1000) / 1000,
	};
}

/** The bytes that it has sent and received after so many seconds of running. */
export function trafficOf(
	instanceId: number,
	seed: number,
	seconds: number,
): NonNullable<Report['traffic']> {
	const random = randomOf(seed, instanceId, 'traffic');
	return {
		down: Math.round(seconds * random.around(60_000, 1.2)),
		up: Math.round(seconds * random.around(12_000, 1.2)),
	};
}

/** Makes figures that go up and down between two ends within minutes. */
function wanderer(random: Random, seconds: number): (low: number, high: number) => number {
	return (low, high) => {
		const wave = (period: number) => {
			const phase = random.next() * 2 * Math.PI;
			return Math.sin((seconds / period) * 2 * Math.PI + phase);
		};
		const height = wave(random.between(200, 900)) * 0.7 + wave(random.between(20, 90)) * 0.3;
		return low + ((high - low) * (height + 1)) / 2;
	};
}

function rounded(value: number): number {
	return Math.round(value * 10) / 10;
}
