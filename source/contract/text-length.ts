/** How long a text is as limits count it: in characters, not in the units that strings are made of. */
export function lengthOf(text: string): number {
	const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
	return text.length - pairs;
}
