import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	withMarketGpuIndexes,
	keepGpuNames,
	listing,
	loadsByGpuIndex,
	indexesOfLostGpus,
} from '../../../source/host/machine/machine-gpus.ts';
import {publicationOf} from '../../../source/host/machine/detect.ts';
import {testFacts} from '../../helpers/host/hosts.ts';
import {openFolder} from '../../helpers/folder.ts';

function machineWith(...names: readonly string[]) {
	const present = new Map(names.map((name, number) => [number, name]));
	return {present, found: {facts: {...testFacts, num_gpus: names.length}, busyGpus: [0]}};
}

test('NVIDIA’s and AMD’s tools name their GPUs, and one that does not work names none', async () => {
	const nvidia = listing('nvidia', async () => 'index, uuid\n1, GPU-bb\n0, GPU-aa\n2, [N/A]\n');
	expect([...(await nvidia())]).toEqual([
		[1, 'GPU-bb'],
		[0, 'GPU-aa'],
	]);
	const said = JSON.stringify({card0: {'Unique ID': '0x1f'}, card1: {'Unique ID': 'N/A'}});
	expect([...(await listing('amd', async () => said)())]).toEqual([[0, '0x1f']]);
	expect((await listing('nvidia', async () => undefined)()).size).toBe(0);
});

test('a GPU keeps its place when others go, and a new one gets a place of its own', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'gpus.json');
	const keep = async (...names: readonly string[]) => {
		const {found, present} = machineWith(...names);
		return keepGpuNames(file, found, present);
	};
	expect(await keep('GPU-aa', 'GPU-bb')).toEqual(['GPU-aa', 'GPU-bb']);
	expect(await keep('GPU-bb')).toEqual(['GPU-aa', 'GPU-bb']);
	expect(await keep('GPU-cc', 'GPU-bb')).toEqual(['GPU-aa', 'GPU-bb', 'GPU-cc']);
});

test('what is offered leaves out a GPU that is gone, and what is busy has its place', () => {
	const names = ['GPU-aa', 'GPU-bb', 'GPU-cc'];
	const {found, present} = machineWith('GPU-cc', 'GPU-bb');
	const placed = withMarketGpuIndexes(found, present, names);
	expect(placed).toMatchObject({busyGpus: [2, 0], lostGpus: [0], facts: {num_gpus: 3}});
	const {asks} = publicationOf('rig', placed, {perGpuHour: 1, storage: 0.1});
	expect(asks.map(ask => ask.gpu_ids)).toEqual([[1], [2]]);
	expect(indexesOfLostGpus(names, new Map())).toEqual([0, 1, 2]);
	const sick = withMarketGpuIndexes(found, present, names, [1]);
	expect(sick).toMatchObject({busyGpus: [2, 0, 1], lostGpus: [0]});
});

test('what else is known of a machine is not lost where its GPUs have places', () => {
	const {found, present} = machineWith('GPU-aa');
	const more = {ports: 12, pushRegistries: ['registry.example.com']};
	expect(withMarketGpuIndexes({...found, ...more}, present, ['GPU-aa'])).toMatchObject(more);
});

test('what GPUs do is told of their places', () => {
	const {present} = machineWith('GPU-bb', 'GPU-zz', 'GPU-aa');
	const loads = new Map([0, 1, 2].map(number => [number, number * 10]));
	expect([...loadsByGpuIndex(loads, present, ['GPU-aa', 'GPU-bb'])]).toEqual([
		[1, 0],
		[0, 20],
	]);
});
