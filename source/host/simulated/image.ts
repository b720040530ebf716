/** Made-up facts of an image whose name alone is known. */
import {randomOf} from './random.ts';

export type Image = {readonly gigabytes: number; readonly layers: number};

/** Sizes that people would notice to be wrong, by a part of the name. The first that fits counts. */
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

export function imageOf(name: string): Image {
	const random = randomOf('image', name);
	const size = known.find(([part]) => part.test(name.toLowerCase()))?.[1];
	const gigabytes = size === undefined ? random.around(3.5, 0.5) : random.around(size, 0.08);
	const layers = Math.round(3 + Math.min(gigabytes, 6) * 1.5 + random.between(0, 5));
	return {gigabytes: Math.max(0.01, gigabytes), layers};
}

/** No registry has what says so in its name: a way to see a start fail. */
export function isMissing(name: string): boolean {
	return name.includes('does-not-exist');
}
