/** Figures of a machine's GPUs in Prometheus' form, as they were judged last. */
import type {GpuReading} from '../../contract/rules/gpu-report.ts';
import type {JudgedGpu} from '../../host/machine/gpu-judging.ts';
import {stopServer, serverUrlOf} from '../../market/http/listen.ts';
import {serveMetrics} from '../../market/service/metrics.ts';

/** Figures of a GPU by their names, each with the function that reads it. */
const figures: Readonly<Record<string, (gpu: GpuReading) => number | undefined>> = {
	use_percent: ({use}) => use,
	memory_used_megabytes: ({usedMb}) => usedMb,
	memory_megabytes: ({memoryMb}) => memoryMb,
	heat_celsius: ({heat}) => heat,
	power_watts: ({power}) => power.draw,
	power_limit_watts: ({power}) => power.limit,
	clock_megahertz: ({clock}) => clock.now,
	memory_errors_corrected: ({ecc}) => ecc.corrected,
	memory_errors_uncorrected: ({ecc}) => ecc.uncorrected,
	memory_rows_replaced: ({repair}) => repair.replaced,
	pcie_lanes: ({pcie}) => pcie.lanes,
	pcie_generation: ({pcie}) => pcie.generation,
	slowed: ({slowedBy}) => (slowedBy.length > 0 ? 1 : 0),
};

/** @param now milliseconds since 1970 */
function writeGpuFigures(
	judged: readonly JudgedGpu[],
	judgedAt: number | undefined,
	now: number,
): string {
	const lines = Object.entries(figures).flatMap(([name, read]) => {
		const values = judged.flatMap(({reading, index}) => {
			const value = read(reading);
			return value === undefined ? [] : [`rentty_gpu_${name}{gpu="${index}"} ${value}`];
		});
		return values.length === 0 ? [] : [`# TYPE rentty_gpu_${name} gauge`, ...values];
	});
	const healths = judged.map(
		({index, name, health, findings: [first]}) =>
			`rentty_gpu_health{gpu="${index}",name="${plain(name)}",health="${health}",rule="${first?.rule ?? ''}"} 1`,
	);
	const age =
		judgedAt === undefined ? [] : [`rentty_gpu_judged_seconds ${(now - judgedAt) / 1000}`];
	return [...healths, ...lines, ...age].map(line => `${line}\n`).join('');
}

/** A name that a driver reports, as the value of a label. */
function plain(name: string): string {
	return name.replaceAll(/[^\w .:-]/g, '_').slice(0, 100);
}

type GpuFigures = {
	readonly url: string;
	readonly judged: (verdicts: readonly JudgedGpu[]) => void;
	readonly close: () => Promise<void>;
};

/** Answers `GET /metrics` to this machine alone. @throws where the port cannot be opened */
export async function openGpuFigures(port: number, now = Date.now): Promise<GpuFigures> {
	let last: {readonly verdicts: readonly JudgedGpu[]; readonly at: number} | undefined;
	const write = async () => writeGpuFigures(last?.verdicts ?? [], last?.at, now());
	const server = await serveMetrics(write, {port, address: '127.0.0.1'});
	return {
		url: `${serverUrlOf(server)}/metrics`,
		judged: verdicts => (last = {verdicts, at: now()}),
		close: async () => stopServer(server),
	};
}
