/** Terms that a person agreed to: a change of one of them is named, and asks again. */

export type Term = {
	readonly value: string;
	/** Says, as a clause, that the term has this value now. */
	readonly describeChange: (before: string) => string;
};

/** The first change between the terms of one thing at two moments, as a clause. */
export function changeOfTerms(
	before: readonly Term[] = [],
	present: readonly Term[] = [],
): string | undefined {
	const pairs = before.map(({value}, at) => ({value, is: present[at]}));
	const changed = pairs.find(({value, is}) => is !== undefined && is.value !== value);
	return changed?.is?.describeChange(changed.value);
}
