/** Text that would command a terminal, change the order of what is read or hide in it, and how it is found. */

const properties = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}`;
const harmful = new RegExp(String.raw`[[${properties}]--\p{Variation_Selector}]`, 'v');

const everywhere = Array.from({length: 0x1_0000}, (_, code) => code).filter(
	code => code < 0xd800 || code > 0xdfff,
);
const beyond = [0x1_10bd, 0x1_3430, 0x1_bca0, 0x1_d173, 0xe_01f0, 0xe_0fff];
const tags = Array.from({length: 0x100}, (_, index) => 0xe_0000 + index);
const halves = [0xd800, 0xdbff, 0xdc00, 0xdfff];

/** Every harmful character that has a meaning, some of those that have none, and halves of pairs. */
export const harmfulCharacters: readonly string[] = [...everywhere, ...beyond, ...tags, ...halves]
	.map(code => String.fromCodePoint(code))
	.filter(character => harmful.test(character));

/** What is done with them. None of it is anything that rentty writes by itself. */
export const attacks: readonly string[] = [
	'\u001B]0;owned\u0007',
	'\u001B]52;c;b3duZWQ=\u0007',
	'\u001B]8;;http://owned.example\u001B\\owned',
	'\u001B[2J\u001B[3J',
	'\u001B[45m',
	'\u009B45m\u009D0;owned\u009C',
	'\u001BPowned\u001B\\',
	'\u001B[6n\u001Bc',
	'\r\u001B[Aowned',
	'\n\trentty: owned\r\n',
	'\uE000\uE190\uF8FF',
];

/** So many characters are in one text. */
const AT_ONCE = 6;

/** So many texts in a row have all of them. */
export const textsOfAll = Math.ceil(harmfulCharacters.length / AT_ONCE);

/** The text of a number: in any row of `textsOfAll` numbers all harmful characters are. */
export function harmfulText(number: number): string {
	const start = (number % textsOfAll) * AT_ONCE;
	const characters = harmfulCharacters.slice(start, start + AT_ONCE);
	const attack = attacks[number % attacks.length] ?? '';
	return `${characters.map((character, at) => 'uvwxyz'.charAt(at) + character).join('')}a${attack}b`;
}

/** The harmful characters of what was written, apart from those that a pattern finds; in hexadecimal, each once. */
export function harmfulIn(written: string, meant: RegExp): readonly string[] {
	const found = Array.from(written.replaceAll(meant, '')).filter(part => harmful.test(part));
	return [...new Set(found)].map(part => (part.codePointAt(0) ?? 0).toString(16));
}
