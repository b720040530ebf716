/** Counts what JSON holds while it arrives, so that what nobody needs is refused before it is read. */

export type JsonLimits = {
	/** The most names of fields, in objects at any depth. */
	readonly names: number;
	/** Deepest nesting of objects and lists. */
	readonly depth: number;
};

/** Limit that a text exceeds; undefined while it keeps all of them. */
export type Excess = keyof JsonLimits | undefined;

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
// One bit parts a bracket from the brace of its side.
const BRACKET_BIT = 32;
const OPENING = 123;
const CLOSING = 125;

/** Takes pieces of a text in their order, and says after each whether it is too much. */
export function createJsonGuard({names: mostNames, depth: deepest}: JsonLimits) {
	let [names, depth] = [0, 0];
	let [isText, isEscaped] = [false, false];

	function takeSign(code: number): void {
		if (code === QUOTE) isText = true;
		else if (code === COLON) names += 1;
		else if ((code | BRACKET_BIT) === OPENING) depth += 1;
		else if ((code | BRACKET_BIT) === CLOSING) depth -= 1;
	}

	return (piece: string): Excess => {
		for (let at = 0; at < piece.length; at++) {
			const code = piece.charCodeAt(at);
			if (!isText) takeSign(code);
			else if (isEscaped) isEscaped = false;
			else if (code === BACKSLASH) isEscaped = true;
			else if (code === QUOTE) isText = false;
			if (names > mostNames) return 'names';
			if (depth > deepest) return 'depth';
		}
		return undefined;
	};
}
