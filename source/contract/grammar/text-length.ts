/** Length of a text as limits count it: in characters, not in UTF-16 units. */
export function lengthOf(text: string): number {
	const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
	return text.length - pairs;
}
