/** Usage of a container, from an engine's figures. Unknown figures are left out. */
import type {Usage} from '../../contract/nouns/host-work.ts';
import {at, fieldsOf, numberAt} from '../json.ts';
import type {Traffic} from '../instance/record.ts';

const GIGABYTE = 1e9;

/** Of `GET /containers/{id}/stats`: the CPU as a share of the whole machine's. */
export function usageOf(stats: unknown): Usage {
	const cpu = cpuOf(stats);
	const used = memoryOf(stats);
	const limit = numberAt(stats, 'memory_stats', 'limit');
	return {
		...(cpu !== undefined && {cpu_util: cpu}),
		...(used !== undefined && {mem_usage: used / GIGABYTE}),
		// An engine without a limit says a number that no machine has.
		...(limit !== undefined && limit > 0 && limit < 1e15 && {mem_limit: limit / GIGABYTE}),
	};
}

/** Traffic of its network since its start. */
export function trafficOf(stats: unknown): Traffic {
	const networks = Object.values(fieldsOf(at(stats, 'networks')));
	const sum = (name: string) =>
		networks.reduce<number>((all, one) => all + Math.max(0, numberAt(one, name) ?? 0), 0);
	return {up: Math.floor(sum('tx_bytes')), down: Math.floor(sum('rx_bytes'))};
}

function cpuOf(stats: unknown): number | undefined {
	const grown = (...path: readonly string[]) => {
		const later = numberAt(stats, 'cpu_stats', ...path);
		const earlier = numberAt(stats, 'precpu_stats', ...path);
		return later === undefined || earlier === undefined ? undefined : later - earlier;
	};
	const own = grown('cpu_usage', 'total_usage');
	const all = grown('system_cpu_usage');
	if (own === undefined || all === undefined || all <= 0) return undefined;
	return Math.min(100, Math.max(0, (own / all) * 100));
}

/** Without what is only kept because there was room for it. */
function memoryOf(stats: unknown): number | undefined {
	const used = numberAt(stats, 'memory_stats', 'usage');
	if (used === undefined) return undefined;
	const details = at(stats, 'memory_stats', 'stats');
	const spare = numberAt(details, 'total_inactive_file') ?? numberAt(details, 'inactive_file') ?? 0;
	return Math.max(0, used - spare);
}
