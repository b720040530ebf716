/** Script of a simulated container's events from its start, by failure rates; the same for a seed. */

/** Failure rates of simulated machines: each a share of all starts, from 0 to 1. */
export type FailureRates = {
	/** Starts that take several times longer. */
	readonly slow: number;
	/** Starts that never end. */
	readonly stuck: number;
	/** Containers that end by themselves. */
	readonly crash: number;
	/** Machines that send no heartbeats for some minutes. */
	readonly silence: number;
	/** Machines that disconnect for some minutes. */
	readonly disconnect: number;
};

export const calmRates: FailureRates = {slow: 0, stuck: 0, crash: 0, silence: 0, disconnect: 0};

export const usualRates: FailureRates = {
	slow: 0.08,
	stuck: 0.04,
	crash: 0.03,
	silence: 0.01,
	disconnect: 0.01,
};

/**
 * Reads rates such as `stuck=0.2,crash=0.1`. Rates left out are 0; `usual` stands for the usual rates,
 * and `none` for no failures.
 *
 * @throws Error with a sentence about the unreadable part.
 */
export function readRates(text: string): FailureRates {
	const words = text.trim();
	if (words === 'usual') return usualRates;
	if (words === 'none') return calmRates;
	return {...calmRates, ...Object.fromEntries(words.split(',').map(readRate))};
}

function readRate(word: string): readonly [name: string, rate: number] {
	const [, name, digits] = /^\s*(\w+)\s*=\s*([\d.]+)\s*$/.exec(word) ?? [];
	if (name === undefined) {
		throw new Error(
			`"${word}" does not say what goes wrong and how often: write stuck=0.2,crash=0.1`,
		);
	}
	if (!Object.hasOwn(calmRates, name)) {
		const names = Object.keys(calmRates).join(', ');
		throw new Error(`"${name}" is nothing that can go wrong: there are ${names}`);
	}
	const rate = Number(digits);
	if (!(rate >= 0 && rate <= 1)) throw new Error(`${name} must be a number from 0 to 1`);
	return [name, rate];
}

export type ScriptStep = {
	/** Seconds since the start. */
	readonly at: number;
	readonly status: 'loading' | 'running' | 'exited' | 'failed';
	readonly message: string;
};

type Trouble = {
	readonly kind: 'silent' | 'away';
	/** Seconds since the start. */
	readonly at: number;
	readonly seconds: number;
};

export type Script = {
	/** Events in order. The state after the last one lasts. */
	readonly moments: readonly [ScriptStep, ...ScriptStep[]];
	readonly trouble: Trouble | undefined;
};

export type Start = {
	readonly instanceId: number;
	readonly boot: number;
	readonly image: string;
	readonly mode: 'args' | 'ssh' | 'jupyter';
	/** True if the container exists, so that no image need be pulled. */
	readonly hasContainer: boolean;
	readonly hasOnstart: boolean;
	/** Download speed of the machine, in megabits per second. */
	readonly megabits: number;
};

export type ScriptSettings = {
	readonly seed: number;
	readonly rates: FailureRates;
	/** Speed-up over real machines. */
	readonly speed: number;
};

export function writeScript(start: Start, settings: ScriptSettings): Script {
	const {seed, rates} = settings;
	const of = (what: string) => randomOf(seed, start.instanceId, start.boot, what);
	const fate = fateOf(of('fate').next(), rates);
	const isSlow = of('slow').next() < rates.slow;
	const speed = settings.speed / (isSlow ? of('delay').between(4, 8) : 1);
	const loading = inOrder(phasesOf(start, of('pace')), speed);
	const moments = endOf(start, {...loading, fate}, of('end'));
	return {moments, trouble: troubleOf(moments, rates, of)};
}

type Fate = 'well' | 'stuck' | 'crash';

function fateOf(chance: number, {stuck, crash}: FailureRates): Fate {
	if (chance < stuck) return 'stuck';
	return chance < stuck + crash ? 'crash' : 'well';
}

/** A part of a start, with its seconds on a real machine. */
type Phase = {readonly message: string; readonly seconds: number};

const EXTRACTS = 4;
const PULLS = 12;

function phasesOf(start: Start, random: SimulatedRandom): readonly [Phase, ...Phase[]] {
	const starting = {message: 'Starting container', seconds: random.around(9, 0.25)};
	const onstart = {message: 'Running onstart', seconds: random.around(4, 0.4)};
	const last = start.hasOnstart ? [onstart] : [];
	if (start.hasContainer) return [starting, ...last];
	const creating = {message: 'Creating container', seconds: random.around(4, 0.3)};
	return [...pullOf(start, random), creating, starting, ...last];
}

function pullOf({image, megabits}: Start, random: SimulatedRandom): readonly [Phase, ...Phase[]] {
	const {gigabytes, layers} = imageOf(image);
	// Pull time grows less than in proportion: registries and disks limit a fast connection.
	const middle = 45 * (gigabytes / 5) ** 0.6 * (800 / megabits) ** 0.4;
	const seconds = random.around(middle, 0.35);
	const pulls = Array.from({length: PULLS}, (_, index) => {
		const share = index / PULLS;
		const sizes = `${(gigabytes * share).toFixed(1)}/${gigabytes.toFixed(1)} GB`;
		const message = `Pulling image: ${Math.round(share * 100)}% (${sizes})`;
		return {message, seconds: (seconds / PULLS) * random.between(0.6, 1.4)};
	});
	const extracts = Array.from({length: EXTRACTS}, (_, index) => {
		const layer = Math.max(1, Math.round((layers * (index + 1)) / EXTRACTS));
		return {
			message: `Extracting: layer ${layer} of ${layers}`,
			seconds: (seconds * 0.3) / EXTRACTS,
		};
	});
	const first = {message: `Pulling image: ${image}`, seconds: random.around(3, 0.3)};
	return [first, ...pulls, ...extracts];
}

type Timeline = {
	readonly moments: readonly [ScriptStep, ...ScriptStep[]];
	readonly seconds: number;
};

function inOrder([first, ...others]: readonly [Phase, ...Phase[]], speed: number): Timeline {
	let seconds = first.seconds / speed;
	const moments = others.map(phase => {
		const moment = {at: seconds, status: 'loading', message: phase.message} as const;
		seconds += phase.seconds / speed;
		return moment;
	});
	return {moments: [{at: 0, status: 'loading', message: first.message}, ...moments], seconds};
}

/** Events after the start of a container. */
function endOf(
	{image, mode}: Start,
	{moments: [first, ...others], seconds, fate}: Timeline & {readonly fate: Fate},
	random: SimulatedRandom,
): readonly [ScriptStep, ...ScriptStep[]] {
	if (isMissing(image)) {
		const at = others[0]?.at ?? seconds;
		return [first, {at, status: 'failed', message: missingImageMessage(image)}];
	}
	if (fate === 'stuck') return [first, ...others.slice(0, random.whole(0, others.length))];
	const running = {
		at: seconds,
		status: 'running',
		message: `success, running ${image}/${mode}`,
	} as const;
	if (fate === 'well') return [first, ...others, running];
	if (random.next() < 0.5) {
		return [first, ...others, {at: seconds, status: 'exited', message: failedPullMessage(random)}];
	}
	const at = seconds + random.between(20, 300);
	const message = crashMessage(random);
	return [first, ...others, running, {at, status: 'exited', message}];
}

function troubleOf(
	moments: Script['moments'],
	rates: FailureRates,
	of: (what: string) => SimulatedRandom,
): Trouble | undefined {
	const lastAt = moments.at(-1)?.at ?? 0;
	const random = of('trouble');
	const at = lastAt + random.between(10, 120);
	if (of('silence').next() < rates.silence) {
		return {kind: 'silent', at, seconds: random.between(60, 180)};
	}
	if (of('disconnect').next() < rates.disconnect) {
		return {kind: 'away', at, seconds: random.between(60, 240)};
	}
	return undefined;
}

function missingImageMessage(image: string): string {
	return `Error response from daemon: pull access denied for ${image}, repository does not exist or may require 'docker login': denied: requested access to the resource is denied`;
}

/** Message of a container that does not start. */
function failedPullMessage(random: SimulatedRandom): string {
	return pick(random, [
		'Error response from daemon: failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error running hook #0: exit status 1, stderr: nvidia-container-cli: initialization error: driver rpc error: timed out: unknown',
		'Error response from daemon: could not select device driver "nvidia" with capabilities: [[gpu]]',
		'Error response from daemon: failed to set up container networking: driver failed programming external connectivity on endpoint: Bind for 0.0.0.0 failed: port is already allocated',
	]);
}

function crashMessage(random: SimulatedRandom): string {
	return pick(random, [
		'Container exited with code 137: out of memory',
		'Container exited with code 139: segmentation fault',
		'Container exited with code 1: NVRM: Xid 79, GPU has fallen off the bus',
	]);
}

function pick(random: SimulatedRandom, texts: readonly string[]): string {
	return texts[random.whole(0, texts.length - 1)] ?? '';
}

type Image = {readonly gigabytes: number; readonly layers: number};

/** Sizes of well-known images, by a part of the name. The first match counts. */
const known: ReadonlyArray<readonly [part: RegExp, gigabytes: number]> = [
	[/alpine|busybox|hello-world/, 0.02],
	[/vllm|tgi|text-generation|tensorrt|nemo/, 9.5],
	[/comfy|stable-diffusion|automatic|a1111/, 8.2],
	[/pytorch|tensorflow|jax/, 6.2],
	[/cuda.*devel|cuda.*cudnn/, 4.4],
	[/cuda/, 2.1],
	[/jupyter|conda/, 1.6],
	[/ubuntu|debian|fedora|python/, 0.4],
];

function imageOf(name: string): Image {
	const random = randomOf('image', name);
	const size = known.find(([part]) => part.test(name.toLowerCase()))?.[1];
	const gigabytes = size === undefined ? random.around(3.5, 0.5) : random.around(size, 0.08);
	const layers = Math.round(3 + Math.min(gigabytes, 6) * 1.5 + random.between(0, 5));
	return {gigabytes: Math.max(0.01, gigabytes), layers};
}

/** True for a name that contains "does-not-exist": a way to test a failing start. */
function isMissing(name: string): boolean {
	return name.includes('does-not-exist');
}

/** Pseudo-random numbers, the same for the same seed. */
export type SimulatedRandom = {
	/** At least 0, below 1. */
	readonly next: () => number;
	readonly between: (low: number, high: number) => number;
	/** Whole number between two ends, both included. */
	readonly whole: (low: number, high: number) => number;
	/** Number mostly near the middle and sometimes far above, like times and sizes. */
	readonly around: (middle: number, spread: number) => number;
};

export function randomOf(...names: ReadonlyArray<number | string>): SimulatedRandom {
	let state = hashOf(names.join('/'));
	// mulberry32: 32 bits of state, and the same on every machine.
	const next = () => {
		state = (state + 0x6d_2b_79_f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		next,
		between: (low, high) => low + next() * (high - low),
		whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
		around(middle, spread) {
			// The sum of four is nearly a normal distribution, and never far out.
			const sum = next() + next() + next() + next() - 2;
			return middle * Math.exp(sum * Math.sqrt(3) * spread);
		},
	};
}

/** FNV-1a. */
function hashOf(text: string): number {
	let hash = 0x81_1c_9d_c5;
	for (let index = 0; index < text.length; index += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
	}
	return hash >>> 0;
}
