import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	calmRates,
	usualRates,
	type FailureRates,
	writeScript,
	type Script,
	type Start,
	readRates,
} from '../../../source/host/simulated/script.ts';

const starts: fc.Arbitrary<Start> = fc.record({
	instanceId: fc.nat(),
	boot: fc.integer({min: 1, max: 1000}),
	image: fc.constantFrom('ubuntu:24.04', 'pytorch/pytorch', 'vllm/vllm-openai', 'me/own:1', ''),
	mode: fc.constantFrom('args', 'ssh', 'jupyter'),
	hasContainer: fc.boolean(),
	hasOnstart: fc.boolean(),
	megabits: fc.integer({min: 1, max: 20_000}),
});
const rate = fc.double({min: 0, max: 1, noNaN: true});
const anyRates: fc.Arbitrary<FailureRates> = fc.record({
	slow: rate,
	stuck: rate,
	crash: rate,
	silence: rate,
	disconnect: rate,
});

const start: Start = {
	instanceId: 7,
	boot: 1,
	image: 'pytorch/pytorch',
	mode: 'ssh',
	hasContainer: false,
	hasOnstart: true,
	megabits: 900,
};

function write(given: Partial<Start> = {}, rates: Partial<FailureRates> = {}, speed = 8): Script {
	return writeScript({...start, ...given}, {seed: 1, rates: {...calmRates, ...rates}, speed});
}

function endOf({moments}: Script) {
	return moments.at(-1);
}

/** What many starts come to. */
function many(rates: Partial<FailureRates>): readonly Script[] {
	return Array.from({length: 1000}, (_, instanceId) => write({instanceId}, rates));
}

/** How long starts take, the quickest first. */
function secondsOf(scripts: readonly Script[]): readonly number[] {
	return scripts.map(script => endOf(script)?.at ?? 0).toSorted((a, b) => a - b);
}

test('moments are in order from the start on, load before anything else, and fit into a report', () => {
	fc.assert(
		fc.property(starts, anyRates, fc.nat(), (given, rates, seed) => {
			const {moments} = writeScript(given, {seed, rates, speed: 8});
			expect(moments[0]).toMatchObject({at: 0, status: 'loading'});
			const times = moments.map(({at}) => at);
			expect(times).toEqual(times.toSorted((a, b) => a - b));
			const order = moments.map(({status}) => status);
			expect(order.join(' ')).toMatch(/^loading( loading)*( running)?( exited)?$/);
			expect(moments.every(({message}) => message.length <= 1024)).toBe(true);
		}),
	);
});

test('the same start always goes the same way, and another boot of it another', () => {
	fc.assert(
		fc.property(starts, anyRates, (given, rates) => {
			const settings = {seed: 3, rates, speed: 8};
			expect(writeScript(given, settings)).toEqual(writeScript(given, settings));
		}),
	);
	expect(write({boot: 2})).not.toEqual(write({boot: 1}));
});

test('where nothing goes wrong, every start ends with success', () => {
	fc.assert(
		fc.property(starts, given => {
			const script = writeScript(given, {seed: 1, rates: calmRates, speed: 8});
			const message = `success, running ${given.image}/${given.mode}`;
			expect(endOf(script)).toMatchObject({status: 'running', message});
			expect(script.trouble).toBeUndefined();
		}),
	);
});

test('what goes wrong goes wrong as often as the rates say', () => {
	const scripts = many({slow: 0.3, stuck: 0.2, crash: 0.1, silence: 0.15, disconnect: 0.1});
	const count = (fits: (script: Script) => boolean) => scripts.filter(fits).length;
	const share = {
		stuck: count(script => endOf(script)?.status === 'loading') / 1000,
		crash: count(script => endOf(script)?.status === 'exited') / 1000,
		silent: count(({trouble}) => trouble?.kind === 'silent') / 1000,
		away: count(({trouble}) => trouble?.kind === 'away') / 1000,
	};
	expect(share.stuck).toBeCloseTo(0.2, 1);
	expect(share.crash).toBeCloseTo(0.1, 1);
	expect(share.silent).toBeCloseTo(0.15, 1);
	expect(share.away).toBeCloseTo(0.1, 1);
});

test.each<readonly [what: keyof FailureRates, status: string]>([
	['stuck', 'loading'],
	['crash', 'exited'],
])('at a rate of 1 every start is %s', (what, status) => {
	expect(new Set(many({[what]: 1}).map(script => endOf(script)?.status))).toEqual(
		new Set([status]),
	);
});

test('some crash before they run, and some after a while', () => {
	const ran = many({crash: 1}).filter(({moments}) =>
		moments.some(each => each.status === 'running'),
	);
	expect(ran.length).toBeGreaterThan(300);
	expect(ran.length).toBeLessThan(700);
});

test('an image that cannot exist fails whatever the rates are, as an engine says it', () => {
	for (const rates of [calmRates, usualRates, {...calmRates, stuck: 1}]) {
		const {moments} = write({image: 'me/does-not-exist'}, rates);
		const last = moments.at(-1);
		expect(last?.status).toBe('failed');
		expect(last?.message).toContain('Error response from daemon: pull access denied for me/does');
	}
});

test('most starts of a practice market take 3 to 20 seconds, and a second one 1 to 3', () => {
	const first = secondsOf(many({}));
	expect(first[50]).toBeGreaterThan(3);
	expect(first[950]).toBeLessThan(20);
	const second = secondsOf(
		Array.from({length: 1000}, (_, instanceId) => write({instanceId, hasContainer: true})),
	);
	expect(second[50]).toBeGreaterThan(1);
	expect(second[950]).toBeLessThan(3);
});

test('a slow start takes several times as long, and goes the same way', () => {
	const usual = write();
	const slow = write({}, {slow: 1});
	const factor = (endOf(slow)?.at ?? 0) / (endOf(usual)?.at ?? 1);
	expect(factor).toBeGreaterThanOrEqual(4);
	expect(factor).toBeLessThanOrEqual(8);
	expect(slow.moments.map(({message}) => message)).toEqual(
		usual.moments.map(({message}) => message),
	);
});

test('a pull says how far it is', () => {
	expect(write().moments.map(({message}) => message)).toMatchInlineSnapshot(`
		[
		  "Pulling image: pytorch/pytorch",
		  "Pulling image: 0% (0.0/5.9 GB)",
		  "Pulling image: 8% (0.5/5.9 GB)",
		  "Pulling image: 17% (1.0/5.9 GB)",
		  "Pulling image: 25% (1.5/5.9 GB)",
		  "Pulling image: 33% (2.0/5.9 GB)",
		  "Pulling image: 42% (2.4/5.9 GB)",
		  "Pulling image: 50% (2.9/5.9 GB)",
		  "Pulling image: 58% (3.4/5.9 GB)",
		  "Pulling image: 67% (3.9/5.9 GB)",
		  "Pulling image: 75% (4.4/5.9 GB)",
		  "Pulling image: 83% (4.9/5.9 GB)",
		  "Pulling image: 92% (5.4/5.9 GB)",
		  "Extracting: layer 4 of 16",
		  "Extracting: layer 8 of 16",
		  "Extracting: layer 12 of 16",
		  "Extracting: layer 16 of 16",
		  "Creating container",
		  "Starting container",
		  "Running onstart",
		  "success, running pytorch/pytorch/ssh",
		]
	`);
});

test('a container that was made before is started without a pull', () => {
	expect(write({hasContainer: true}).moments.map(({message}) => message)).toEqual([
		'Starting container',
		'Running onstart',
		'success, running pytorch/pytorch/ssh',
	]);
});

test('rates are read as people write them, and those left out are none', () => {
	expect(readRates('stuck=0.2, crash = 1')).toEqual({...calmRates, stuck: 0.2, crash: 1});
	expect(readRates('usual')).toEqual(usualRates);
	expect(readRates(' none ')).toEqual(calmRates);
});

test.each([
	[
		'fire=1',
		'"fire" is nothing that can go wrong: there are slow, stuck, crash, silence, disconnect',
	],
	['toString=1', '"toString" is nothing that can go wrong'],
	['stuck=1.5', 'stuck must be a number from 0 to 1'],
	['stuck=0.1.2', 'stuck must be a number from 0 to 1'],
	['stuck=-1', '"stuck=-1" does not say what goes wrong and how often'],
	['stuck', '"stuck" does not say what goes wrong and how often: write stuck=0.2,crash=0.1'],
	['', '"" does not say what goes wrong and how often'],
])('%j is refused with a sentence that says why', (text, sentence) => {
	expect(() => readRates(text)).toThrow(sentence);
});
