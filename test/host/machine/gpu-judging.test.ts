import {expect, test} from 'vitest';
import {judging, verdictSentence} from '../../../source/host/machine/gpu-judging.ts';
import {readGpuReport} from '../../../source/contract/rules/gpu-report.ts';
import {reportOf, withFault} from '../../helpers/host/gpu-reports.ts';

const healthy = reportOf('h100-sxm-2');
const {gpus} = readGpuReport(healthy);
const names = gpus.map(({uuid = ''}) => uuid);

/** Judges what the tools of a machine print. */
async function judge(report: string | undefined, kernel?: string, places = names) {
	const said = new Map([
		['-q', report],
		['', kernel],
	]);
	const verdicts = await judging(places, async (_, args) => said.get(args[0] ?? ''))();
	return verdicts?.map(verdict => [verdict.index, verdict.health, verdictSentence(verdict)]);
}

test('GPUs without a fault have nothing said of them', async () => {
	const none = names.map((_, place) => [place, 'healthy', undefined]);
	expect(await judge(healthy)).toEqual(none);
});

test('a verdict is of the place that the market knows, whatever the number of the GPU is by now', async () => {
	const faulty = withFault(healthy, {'Pending Page Blacklist': 'No', Pending: 'Yes'});
	const verdicts = await judge(faulty, undefined, names.toReversed());
	const sick = verdicts?.filter(([, health]) => health === 'sick');
	expect(sick).toEqual([
		[0, 'sick', expect.stringMatching(/^GPU .+ is sick: it has a broken place/)],
	]);
});

test('an error in the kernel’s log is of the GPU at its place on the bus', async () => {
	const bus = gpus[1]?.bus.toLowerCase().slice(4, -2) ?? '';
	const kernel = `[ 12.3] NVRM: Xid (PCI:${bus}): 79, pid=1, GPU has fallen off the bus.\n`;
	const verdicts = await judge(healthy, kernel);
	expect(verdicts?.map(([, health]) => health)).toEqual(['healthy', 'lost']);
});

test('nothing is judged without a driver, or without lasting names', async () => {
	expect(await judge(undefined)).toBeUndefined();
	expect(await judge(healthy, undefined, [])).toBeUndefined();
});
