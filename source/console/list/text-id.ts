/** A number made of a text: the same for the same text. Lists tell their rows apart by numbers. */
export function idOfText(text: string): number {
	// FNV-1a.
	let hash = 0x811c9dc5;
	for (const character of text) {
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	}
	return hash;
}
