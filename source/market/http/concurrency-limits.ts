/** Limits of concurrent things, counted per owner. */

export type ConcurrencyLimits = {
	/** Counts one more; answers what ends it, or undefined where there are too many. */
	readonly enter: (name: string) => (() => void) | undefined;
};

export function createConcurrencyLimits(most: number): ConcurrencyLimits {
	const counts = new Map<string, number>();

	function leave(name: string): void {
		const count = (counts.get(name) ?? 0) - 1;
		if (count > 0) counts.set(name, count);
		else counts.delete(name);
	}

	return {
		enter(name) {
			const count = counts.get(name) ?? 0;
			if (count >= most) return undefined;
			counts.set(name, count + 1);
			return () => leave(name);
		},
	};
}
