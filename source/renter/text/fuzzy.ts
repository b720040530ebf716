/** Fuzzy matching: every typed word, in any order, anywhere. */

export type Findable = {
	readonly title: string;
	/** Further text, with less weight. */
	readonly about: string;
	/** Exact names: a key, a number. */
	readonly names: readonly string[];
};

const EXACT = 1000;
const AT_START = 100;
const AT_WORD = 80;
const WITHIN = 60;
const SCATTERED = 20;
/** Weight of further text: less than any match in a title. */
const BESIDE = 0.1;

/** Score of a match, higher for better; undefined if a word is not found at all. */
export function scoreMatch(query: string, {title, about, names}: Findable): number | undefined {
	const wanted = query.trim();
	if (names.includes(wanted)) return EXACT;
	let sum = 0;
	for (const word of splitWords(wanted)) {
		const score = scoreOfWord(word, lower(title)) ?? scoreBeside(word, lower(about));
		if (score === undefined) return undefined;
		sum += score;
	}
	return sum;
}

/** Items that match, the best first; equally good ones in their order. */
export function found<Item extends Findable>(
	query: string,
	items: readonly Item[],
): readonly Item[] {
	const scored = items.flatMap(item => {
		const score = scoreMatch(query, item);
		return score === undefined ? [] : [{item, score}];
	});
	return scored.toSorted((a, b) => b.score - a.score).map(({item}) => item);
}

function scoreBeside(word: string, text: string): number | undefined {
	const at = text.indexOf(word);
	return at === -1 ? undefined : BESIDE * (isWordStart(text, at) ? AT_WORD : WITHIN);
}

/** Score of one word in lower case; undefined if it is not found. */
export function scoreOfWord(word: string, text: string): number | undefined {
	if (text.startsWith(word)) return AT_START;
	for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
		if (isWordStart(text, at)) return AT_WORD;
	}
	return text.includes(word) ? WITHIN : scattered(word, text);
}

/**
 * Score of letters in order with others between them, as in "gti" for "go to instances". The first
 * one must begin a word, or every text would match a few letters.
 */
function scattered(word: string, text: string): number | undefined {
	for (let start = 0; start < text.length; start++) {
		if (text[start] !== word[0] || !isWordStart(text, start)) continue;
		const starts = startsMet(word, text, start);
		if (starts !== undefined) return (SCATTERED * starts) / word.length;
	}
	return undefined;
}

/** Count of letters that begin words; undefined if not all letters are found. */
function startsMet(word: string, text: string, start: number): number | undefined {
	let at = start - 1;
	let starts = 0;
	for (const letter of word) {
		at = text.indexOf(letter, at + 1);
		if (at === -1) return undefined;
		if (isWordStart(text, at)) starts += 1;
	}
	return starts;
}

function isWordStart(text: string, at: number): boolean {
	return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

function splitWords(query: string): readonly string[] {
	return lower(query)
		.split(/\s+/)
		.filter(word => word !== '');
}

function lower(text: string): string {
	return text.toLowerCase();
}
