/**
 * Isolation of a machine's instances as one short text: only known words of a host's text are
 * accepted.
 */

/** Limits that an instance can have, in the order of the text. */
export const BOUNDABLE = ['memory', 'processes', 'processors', 'disk'] as const;

export type Isolation = {
	readonly how: 'container' | 'sandbox' | 'none';
	readonly lacking: readonly string[];
	readonly sharesNetwork: boolean;
};

const NONE = 'none: shares the machine';

/** Writes `container`, `sandbox, shared network, no limit of disk` or `none: shares the machine`. */
export function printIsolation({how, lacking, sharesNetwork}: Isolation): string {
	if (how === 'none') return NONE;
	const missing = BOUNDABLE.filter(name => lacking.includes(name));
	return [
		how,
		...(sharesNetwork ? ['shared network'] : []),
		...(missing.length === 0 ? [] : [`no limit of ${missing.join(' and ')}`]),
	].join(', ');
}

const known: ReadonlyMap<string, Isolation> = new Map(
	[
		{how: 'none', lacking: BOUNDABLE, sharesNetwork: true} as const,
		...(['container', 'sandbox'] as const).flatMap(how =>
			[false, true].flatMap(sharesNetwork =>
				subsetsOf(BOUNDABLE).map(lacking => ({how, lacking, sharesNetwork})),
			),
		),
	].map(isolation => [printIsolation(isolation), isolation]),
);

function subsetsOf(names: readonly string[]): ReadonlyArray<readonly string[]> {
	return names.reduce<ReadonlyArray<readonly string[]>>(
		(subsets, name) => subsets.flatMap(subset => [subset, [...subset, name]]),
		[[]],
	);
}

/** Isolation that a text describes; undefined for an unknown text. */
export function readIsolation(text: string): Isolation | undefined {
	return known.get(text);
}
