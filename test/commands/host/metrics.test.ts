import {expect, test} from 'vitest';
import {openGpuFigures} from '../../../source/commands/host/metrics.ts';
import {readGpuReport} from '../../../source/contract/rules/gpu-report.ts';
import {judging} from '../../../source/host/machine/gpu-judging.ts';
import {reportOf, withFault} from '../../helpers/host/gpu-reports.ts';

const healthy = reportOf('h100-sxm-2');
const names = readGpuReport(healthy).gpus.map(({uuid = ''}) => uuid);

async function judged(report: string) {
	return (await judging(names, async (_, args) => (args[0] === '-q' ? report : undefined))()) ?? [];
}

async function openFigures() {
	let now = 1_000_000;
	const figures = await openGpuFigures(0, () => now);
	return {
		...figures,
		pass: (seconds: number) => (now += seconds * 1000),
		read: async () => (await fetch(figures.url)).text(),
		[Symbol.asyncDispose]: figures.close,
	};
}

test('figures of GPUs are as they were judged last, with the age of that', async () => {
	await using figures = await openFigures();
	expect(await figures.read()).toBe('');
	figures.judged(await judged(healthy));
	figures.pass(90);
	const text = await figures.read();
	expect(text).toContain('rentty_gpu_judged_seconds 90\n');
	expect(text).toMatch(
		/rentty_gpu_health\{gpu="1",name="[^"]*H100[^"]*",health="healthy",rule=""\} 1\n/,
	);
	expect(text).toMatch(
		/# TYPE rentty_gpu_heat_celsius gauge\nrentty_gpu_heat_celsius\{gpu="0"\} \d+\n/,
	);
	figures.judged(await judged(withFault(healthy, {'Remapping Failure Occurred': 'Yes'})));
	expect(await figures.read()).toContain('health="sick",rule="repair-failed"} 1');
});

test('what a driver calls a GPU cannot write figures of its own', async () => {
	await using figures = await openFigures();
	const lying = healthy.replaceAll(
		/(Product Name +: ).*/g,
		'$1H100"} 1\\nrentty_gpu_use_percent 7 {x="',
	);
	figures.judged(await judged(lying));
	const text = await figures.read();
	expect(text).not.toMatch(/^rentty_gpu_use_percent 7/m);
	for (const line of text.trim().split('\n')) {
		expect(line).toMatch(/^(# TYPE \w+ gauge|\w+(\{(\w+="[\w .:-]*",?)+\})? [\d.]+)$/);
	}
});
