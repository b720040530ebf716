/** Samples of the market's GPUs. */

export type GpuSamplesTable = {
	readonly gpu_name: string;
	readonly at: number;
	readonly total: number;
	readonly rented: number;
	/** JSON: a list of `Share`. */
	readonly shares: string;
};

/** A price for one GPU and hour in micro-dollars, and the number of GPUs that have it. */
export type Price = readonly [micros: number, gpus: number];

/** Machines that are alike in what figures are asked for by. */
export type Share = {
	readonly verified: boolean;
	readonly datacenter: boolean;
	/** GPUs of the machine: 1, 2, 4, 8, each for up to twice as many. */
	readonly size: number;
	readonly rented: number;
	readonly available: number;
	/** Sums over all GPUs. */
	readonly dlperf: number;
	readonly tflops: number;
	readonly rentedPrices: readonly Price[];
	readonly prices: readonly Price[];
};

/** A machine as it is counted. */
export type CountedMachine = {
	readonly gpuName: string;
	readonly verified: boolean;
	readonly datacenter: boolean;
	readonly gpus: number;
	readonly rented: number;
	readonly available: number;
	readonly dlperf: number;
	readonly tflops: number;
	readonly rentedPrices: readonly Price[];
	/** Micro-dollars for one free GPU; undefined where none is to be had. */
	readonly micros: number | undefined;
};
