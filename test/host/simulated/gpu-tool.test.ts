import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openFolder} from '../../helpers/folder.ts';
import {workOf} from '../../helpers/host/host.ts';
import {writeGpuTool} from '../../../source/host/simulated/gpu-tool.ts';
import {readGpuUse} from '../../../source/renter/history/gpu-samples.ts';

const work = workOf({gpu_ids: [4, 5, 6, 7]});

test('GPUs of a practice market answer the question after each of them, and wander', async () => {
	using folder = openFolder();
	const home = folder.path;
	await writeGpuTool(home, work);
	expect(statSync(join(home, '.local/bin/nvidia-smi')).mode & 0o777).toBe(0o755);
	// Whatever GPUs this machine has, the instance sees its own.
	const run = async (_instance: unknown, script: string) =>
		execFileSync('sh', {
			input: script,
			encoding: 'utf8',
			env: {HOME: home, PATH: '/usr/bin:/bin'},
		});
	const gpus = await readGpuUse(run, {id: 12});
	expect(gpus).toHaveLength(4);
	for (const {util = -1, memory = -1, heat = -1, power = 1000, powerLimit = 0} of gpus ?? []) {
		expect(util).toBeGreaterThanOrEqual(20);
		expect(util).toBeLessThan(100);
		expect(memory).toBeLessThan(24);
		expect(heat).toBeLessThan(83);
		expect(power).toBeLessThan(powerLimit);
	}
	expect(await readGpuUse(async () => undefined, {id: 12})).toBeUndefined();
});

/** What an instance may lay where the tool belongs. */
const obstacles = {
	'a link in place of its folder': (home, outside) => symlinkSync(outside, join(home, '.local')),
	'a link within its folder': (home, outside) => {
		mkdirSync(join(home, '.local'));
		symlinkSync(join(outside, 'bin'), join(home, '.local', 'bin'));
	},
	'a file in place of its folder': home => writeFileSync(join(home, '.local'), ''),
	'a folder in its place': home =>
		mkdirSync(join(home, '.local', 'bin', 'nvidia-smi', 'full'), {recursive: true}),
} satisfies Record<string, (home: string, outside: string) => unknown>;

test.for(Object.entries(obstacles))(
	'the tool of GPUs is written nowhere else for %s, and the instance starts without',
	async ([, lay]) => {
		using folder = openFolder();
		const [home, outside] = [join(folder.path, 'home'), join(folder.path, 'outside')];
		mkdirSync(join(outside, 'bin'), {recursive: true});
		mkdirSync(home);
		lay(home, outside);
		await writeGpuTool(home, work);
		expect(readdirSync(outside, {recursive: true})).toEqual(['bin']);
		rmSync(home, {recursive: true});
	},
);
