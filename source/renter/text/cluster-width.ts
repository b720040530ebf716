// First and last code point of every range that is wide or fullwidth in Unicode's EastAsianWidth.txt, version 17.
const wideRanges = [
	0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x23f0, 0x23f0, 0x23f3, 0x23f3,
	0x25fd, 0x25fe, 0x2614, 0x2615, 0x2630, 0x2637, 0x2648, 0x2653, 0x267f, 0x267f, 0x268a, 0x268f,
	0x2693, 0x2693, 0x26a1, 0x26a1, 0x26aa, 0x26ab, 0x26bd, 0x26be, 0x26c4, 0x26c5, 0x26ce, 0x26ce,
	0x26d4, 0x26d4, 0x26ea, 0x26ea, 0x26f2, 0x26f3, 0x26f5, 0x26f5, 0x26fa, 0x26fa, 0x26fd, 0x26fd,
	0x2705, 0x2705, 0x270a, 0x270b, 0x2728, 0x2728, 0x274c, 0x274c, 0x274e, 0x274e, 0x2753, 0x2755,
	0x2757, 0x2757, 0x2795, 0x2797, 0x27b0, 0x27b0, 0x27bf, 0x27bf, 0x2b1b, 0x2b1c, 0x2b50, 0x2b50,
	0x2b55, 0x2b55, 0x2e80, 0x2e99, 0x2e9b, 0x2ef3, 0x2f00, 0x2fd5, 0x2ff0, 0x303e, 0x3041, 0x3096,
	0x3099, 0x30ff, 0x3105, 0x312f, 0x3131, 0x318e, 0x3190, 0x31e5, 0x31ef, 0x321e, 0x3220, 0x3247,
	0x3250, 0xa48c, 0xa490, 0xa4c6, 0xa960, 0xa97c, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19,
	0xfe30, 0xfe52, 0xfe54, 0xfe66, 0xfe68, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x16fe4,
	0x16ff0, 0x16ff6, 0x17000, 0x18cda, 0x18cff, 0x18d20, 0x18d80, 0x18df2, 0x18e00, 0x19191, 0x191a0,
	0x191d2, 0x1aff0, 0x1aff3, 0x1aff5, 0x1affb, 0x1affd, 0x1affe, 0x1b000, 0x1b128, 0x1b132, 0x1b132,
	0x1b150, 0x1b152, 0x1b155, 0x1b155, 0x1b164, 0x1b168, 0x1b170, 0x1b2fb, 0x1d300, 0x1d356, 0x1d360,
	0x1d376, 0x1f004, 0x1f004, 0x1f0cf, 0x1f0cf, 0x1f18e, 0x1f18e, 0x1f191, 0x1f19a, 0x1f1ae, 0x1f1ae,
	0x1f200, 0x1f202, 0x1f210, 0x1f23b, 0x1f240, 0x1f248, 0x1f250, 0x1f251, 0x1f260, 0x1f265, 0x1f300,
	0x1f320, 0x1f32d, 0x1f335, 0x1f337, 0x1f37c, 0x1f37e, 0x1f393, 0x1f3a0, 0x1f3ca, 0x1f3cf, 0x1f3d3,
	0x1f3e0, 0x1f3f0, 0x1f3f4, 0x1f3f4, 0x1f3f8, 0x1f43e, 0x1f440, 0x1f440, 0x1f442, 0x1f4fc, 0x1f4ff,
	0x1f53d, 0x1f54b, 0x1f54e, 0x1f550, 0x1f567, 0x1f57a, 0x1f57a, 0x1f595, 0x1f596, 0x1f5a4, 0x1f5a4,
	0x1f5fb, 0x1f64f, 0x1f680, 0x1f6c5, 0x1f6cc, 0x1f6cc, 0x1f6d0, 0x1f6d2, 0x1f6d5, 0x1f6d9, 0x1f6dc,
	0x1f6df, 0x1f6eb, 0x1f6ec, 0x1f6f4, 0x1f6fc, 0x1f7da, 0x1f7da, 0x1f7e0, 0x1f7eb, 0x1f7f0, 0x1f7f0,
	0x1f90c, 0x1f93a, 0x1f93c, 0x1f945, 0x1f947, 0x1f9ff, 0x1fa70, 0x1fa7c, 0x1fa80, 0x1fac6, 0x1fac8,
	0x1fac8, 0x1facc, 0x1fadd, 0x1fadf, 0x1faeb, 0x1faef, 0x1fafa, 0x20000, 0x2fffd, 0x30000, 0x3fffd,
] as const;

function isWide(codePoint: number): boolean {
	let low = 0;
	let high = wideRanges.length / 2 - 1;
	while (low <= high) {
		const middle = (low + high) >> 1;
		if (codePoint < (wideRanges[middle * 2] ?? 0)) high = middle - 1;
		else if (codePoint > (wideRanges[middle * 2 + 1] ?? 0)) low = middle + 1;
		else return true;
	}
	return false;
}

// A pattern is compiled when a text first needs it: Unicode property patterns take milliseconds.
function pattern(source: string, flags: string): () => RegExp {
	let compiled: RegExp | undefined;
	return () => (compiled ??= new RegExp(source, flags));
}

const visible = pattern(
	String.raw`[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]`,
	'v',
);
const spacingMark = pattern(String.raw`\p{Spacing_Mark}`, 'v');
const pictograph = pattern(String.raw`\p{Extended_Pictographic}`, 'gv');
const flag = pattern(String.raw`^\p{RGI_Emoji_Flag_Sequence}$`, 'v');
// The sequences that turn a narrow base into an emoji: VS16, a skin tone, a keycap.
const emojiSequence = pattern(
	String.raw`^(?:(?![\d#*])\p{Emoji}\uFE0F|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|[\d#*]\uFE0F?\u20E3)$`,
	'v',
);

function isEmoji(cluster: string): boolean {
	if (cluster.length === 1) return false;
	// string-width, whose rules these are, does not accept longer emoji.
	if (cluster.length <= 50 && cluster.includes('\u200D')) {
		return (cluster.match(pictograph()) ?? []).length >= 2;
	}
	const first = cluster.codePointAt(0) ?? 0;
	if (first >= 0x1f1e6 && first <= 0x1f1ff) return flag().test(cluster);
	return emojiSequence().test(cluster);
}

function columnsOf(character: string): number {
	return isWide(character.codePointAt(0) ?? 0) ? 2 : 1;
}

const leadingJamo = [0x1100, 0x115f, 0xa960, 0xa97c] as const;
const vowelJamo = [0x1160, 0x11a7, 0xd7b0, 0xd7c6] as const;
const trailingJamo = [0x11a8, 0x11ff, 0xd7cb, 0xd7fb] as const;

function isJamo(character: string | undefined, ranges: readonly [number, number, number, number]) {
	const code = character?.codePointAt(0) ?? 0;
	return (code >= ranges[0] && code <= ranges[1]) || (code >= ranges[2] && code <= ranges[3]);
}

/**
 * Width of a cluster of Hangul letters in columns: a syllable takes two, and letters that form none
 * add up.
 */
function hangulColumns(characters: readonly string[]): number {
	let columns = 0;
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? '';
		columns += columnsOf(character);
		if (isJamo(character, leadingJamo) && isJamo(characters[index + 1], vowelJamo)) {
			index += isJamo(characters[index + 2], trailingJamo) ? 2 : 1;
		}
	}
	return columns;
}

function otherColumns(characters: readonly string[]): number {
	let columns = columnsOf(characters[0] ?? '');
	for (const character of characters.slice(1)) {
		const isForm = character >= '\uFF00' && character <= '\uFFEF';
		if (isForm || spacingMark().test(character)) columns += columnsOf(character);
	}
	return columns;
}

/**
 * Width of a grapheme cluster in columns, by the rules of the string-width package, which Ink uses
 * for layout. A cluster of letters that do not combine can take more than two.
 */
export function columnsOfCluster(cluster: string): number {
	const base = cluster.search(visible());
	if (base === -1) return 0;
	if (isEmoji(cluster)) return 2;
	const characters = Array.from(cluster.slice(base));
	const first = characters[0];
	const isHangul = [leadingJamo, vowelJamo, trailingJamo].some(ranges => isJamo(first, ranges));
	if (!isHangul) return otherColumns(characters);
	return hangulColumns(characters.filter(character => visible().test(character)));
}
