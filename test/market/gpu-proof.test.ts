import {spawn, spawnSync} from 'node:child_process';
import process from 'node:process';
import {describe, expect, test} from 'vitest';
import {
	contradictionIn,
	leastMemory,
	modelFor,
	type GpuModel,
} from '../../source/market/machine-tests/gpu-models.ts';
import {program} from '../../source/market/machine-tests/machine-test-program.ts';
import {proveMachine} from '../../source/market/machine-tests/proof-of-machine.ts';
import {createReach} from '../../source/market/machine-tests/reach.ts';
import {openFolder} from '../helpers/folder.ts';
import {skipFor} from '../helpers/missing.ts';
import {listening} from '../helpers/market/tested-machine.ts';
import {waitFor} from '../helpers/wait-for.ts';

const {status} = spawnSync('python3', ['-c', 'import numpy']);
const noNumpy = skipFor(status === 0 ? undefined : 'python3-numpy is not installed');

const small: GpuModel = {
	name: 'Small card',
	memory: 4 << 20,
	tops: 1,
	terabytes: 1,
	from: 'calculated',
};
const said = {gpu_name: 'Small card', gpu_ram: 4, driver_version: null, cuda_max_good: null};
const secret = 'what the market gave it';

/** The program as an instance runs it, with what it may be told to do wrong put before its first check. */
async function openProgram(fault = '') {
	const folder = openFolder();
	const {port, ...probe} = await listening(socket => socket.destroy());
	await probe[Symbol.asyncDispose]();
	const text = program.replace('\nif sys.argv[1:2]', `\n${fault}\nif sys.argv[1:2]`);
	const env = {...process.env, RENTTY_TEST: secret, VAST_TCP_PORT_70000: String(port)};
	const child = spawn('python3', ['-c', text], {cwd: folder.path, env, stdio: 'ignore'});
	const reach = createReach({targets: 'any'});
	const place = {host: '127.0.0.1', port};
	await waitFor(async () =>
		expect(await reach.port(place, secret)).toMatchObject({outcome: 'passed'}),
	);
	return {
		take: async () => reach.line(place, secret, 'in'),
		prove: async (models: readonly GpuModel[] = [small]) =>
			proveMachine(
				{said, cards: 1, models, steady: () => performance.now() / 1000, meet: async () => true},
				async (card, speak) => reach.card(place, {secret, card}, speak),
			),
		[Symbol.dispose]() {
			child.kill('SIGKILL');
			folder[Symbol.dispose]();
		},
	};
}

describe.skipIf(noNumpy !== undefined)('the program of a test, with NumPy', () => {
	test('fills a memory and answers what a market finds right, from its own processor', async () => {
		using instance = await openProgram();
		const {checks, measured} = await instance.prove();
		expect(checks).toMatchObject([
			{name: 'gpu_proof', outcome: 'passed', said_by: 'market'},
			{name: 'gpu_memory'},
			{name: 'gpu_int8'},
			{name: 'gpu_bandwidth'},
		]);
		expect(checks[0]?.detail).toMatch(
			/^0\.0042 GB, .+ TOPS, .+ TB\/s; the speed of the Small card is not judged yet$/,
		);
		expect(measured?.bytes).toBe(4 << 20);
	});

	test('answers once it has taken all that it is sent', async () => {
		using instance = await openProgram();
		expect(await instance.take()).toMatchObject({outcome: 'passed'});
	});

	test('is refused where a few of its rows are not what the seed gives', async () => {
		const fault = [
			'right = Processor.fill',
			'def fill(self, *given):',
			'    right(self, *given)',
			'    self.memory[::2] = 0',
			'Processor.fill = fill',
		];
		using instance = await openProgram(fault.join('\n'));
		const {checks, measured} = await instance.prove();
		expect(checks).toMatchObject([{name: 'gpu_proof', outcome: 'failed'}]);
		expect(checks[0]?.detail).toMatch(
			/^it holds other bytes than the seed gives, at \d+ of its rows of memory$/,
		);
		expect(measured).toBeUndefined();
	});

	test('says so where an image has no NumPy', async () => {
		using instance = await openProgram('numpy = None');
		expect((await instance.prove()).checks).toMatchObject([
			{
				outcome: 'skipped',
				detail: 'it cannot answer: the image has nothing that computes on a GPU',
			},
		]);
	});

	test('is late as a card whose speed was measured, and asks for no large memory', async () => {
		using instance = await openProgram();
		const fast = {...small, from: 'measured', tops: 1000} as const;
		const [late] = (await instance.prove([fast])).checks;
		expect(late?.outcome).toBe('late');
		expect(late?.detail).toMatch(
			/^it filled its memory in .+; the Small card does 1000 TOPS, and has 0.15 s$/,
		);
		const large = {...small, memory: 24 * 2 ** 30};
		expect((await instance.prove([large])).checks).toMatchObject([
			{name: 'gpu_model', outcome: 'failed'},
		]);
	});
});

test('each known model has floors, and what its driver’s tool says may be true or not', () => {
	const h100 = {
		gpu_name: 'H100 SXM',
		gpu_ram: 81_559,
		driver_version: '570.86.15',
		cuda_max_good: 12.8,
	};
	const model = modelFor(h100);
	if (model === undefined) throw new Error('an H100 is known');
	expect(model.from).toBe('calculated');
	expect(Math.round(model.tops)).toBe(789);
	expect(model.terabytes).toBeCloseTo(1.78, 2);
	expect(leastMemory(model) / 1e9).toBeCloseTo(80.2, 1);
	expect(contradictionIn(h100, model)).toBeUndefined();
	const wrong = (lie: Partial<typeof h100>) => contradictionIn({...h100, ...lie}, model);
	expect(wrong({gpu_ram: 40_000})).toBe(
		'it says 40000 MB of memory a card, and the H100 SXM has 81559',
	);
	expect(wrong({driver_version: '551.61'})).toBe(
		'it says driver 551.61, which is one for Windows: those for Linux have three numbers',
	);
	expect(wrong({driver_version: '470.42.01'})).toBe(
		'it says driver 470.42.01, and the H100 SXM has 520 or later',
	);
	expect(wrong({cuda_max_good: 11.2})).toBe(
		'it says CUDA 11.2, and the H100 SXM has 11.8 or later',
	);
	const unknown = modelFor({...h100, gpu_name: 'Quantum 9'});
	expect(unknown).toMatchObject({name: '', memory: 81_559 * 2 ** 20});
	expect(modelFor({...h100, gpu_name: 'Quantum 9', gpu_ram: null})).toBeUndefined();
});
