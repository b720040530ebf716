/** A piece of a word: quoted once, quoted twice, after a backslash, or plain. */
const piece = /'[^']*'?|"(?:\\.|[^"\\])*"?|\\.|[^\s'"\\]+|\\$/gsu;
const word = new RegExp(`(?:${piece.source})+`, 'gsu');

/**
 * The arguments of a program as one line: spaces separate them, quotes and backslashes keep them
 * together.
 */
export function splitArguments(line: string): readonly string[] {
	return (line.match(word) ?? []).map(text => text.replaceAll(piece, unquote));
}

function unquote(text: string): string {
	if (text.startsWith("'")) return text.replaceAll("'", '');
	if (text.startsWith('"')) {
		return text
			.replace(/^"/, '')
			.replace(/(?<!\\)((?:\\\\)*)"$/, '$1')
			.replaceAll(/\\(["\\$`])/g, '$1');
	}
	return text.length > 1 && text.startsWith('\\') ? text.slice(1) : text;
}
