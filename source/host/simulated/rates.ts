/** Failure rates of simulated machines: each a share of all starts, from 0 to 1. */
export type Rates = {
	/** Starts that take several times as long. */
	readonly slow: number;
	/** Starts that never end. */
	readonly stuck: number;
	/** Containers that end by themselves. */
	readonly crash: number;
	/** Machines that say nothing for some minutes. */
	readonly silence: number;
	/** Machines that go away for some minutes. */
	readonly disconnect: number;
};

/** Nothing goes wrong. */
export const calmRates: Rates = {slow: 0, stuck: 0, crash: 0, silence: 0, disconnect: 0};

/** As much goes wrong as one should be used to. */
export const usualRates: Rates = {
	slow: 0.08,
	stuck: 0.04,
	crash: 0.03,
	silence: 0.01,
	disconnect: 0.01,
};

/**
 * Reads rates as people write them, such as `stuck=0.2,crash=0.1`. Those that are left out are 0;
 * the word `usual` stands for the usual ones, and `none` for none.
 *
 * @throws Error that says in one sentence what cannot be read.
 */
export function readRates(text: string): Rates {
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
