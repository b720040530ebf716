/**
 * Links of the terminal (OSC 8). Text of servers may hold such sequences as well: what counts here is a mark
 * that no other process knows, and the address behind it is one that this program has written down.
 */
type Environment = Readonly<Record<string, string | undefined>>;

const addresses: string[] = [''];
const indexes = new Map<string, number>([['', 0]]);
/** More are plain text: a service that invents ports must not fill the memory. */
const MOST_LINKS = 2000;
const LONGEST_ADDRESS = 2000;
/** Made with the first link, as the first frame has none. */
let secret: string | undefined;

/** A page's address in signs that no terminal takes for an end of its sequence. */
const plainAddress = /^https?:\/\/[\x21-\x7E]+$/;

/** Text as a link, for `drawGridLine`; the text alone if the address is none of a page. */
export function linked(text: string, address: string): string {
	const index = indexOf(address);
	if (index === 0) return text;
	secret ??= crypto.randomUUID().replaceAll('-', '').slice(0, 16);
	return `\u001B]8;;${secret}${index}\u0007${text}\u001B]8;;\u0007`;
}

function indexOf(address: string): number {
	const known = indexes.get(address);
	if (known !== undefined) return known;
	const isPlain = address.length <= LONGEST_ADDRESS && plainAddress.test(address);
	if (!isPlain || addresses.length > MOST_LINKS) return 0;
	const index = addresses.push(address) - 1;
	indexes.set(address, index);
	return index;
}

/** The link that a sequence begins, as `linked` wrote it; 0 for every other, which ends one. */
export function linkIn(sequence: string): number {
	const [, place] = /^\p{Cc}\]8;;([0-9a-f]{16}\d{1,5})(?:\p{Cc}\\?)$/u.exec(sequence) ?? [];
	if (secret === undefined || place?.startsWith(secret) !== true) return 0;
	const number = Number(place.slice(secret.length));
	return number < addresses.length ? number : 0;
}

/** The sequence after which the terminal links what it draws; 0 ends it. */
export function linkSequence(index: number): string {
	return `\u001B]8;;${addresses[index] ?? ''}\u001B\\`;
}

/** Names of terminals that have links, as they call themselves in `TERM_PROGRAM` and `TERM`. */
const programs = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'rio', 'Tabby']);
const names = /^(?:xterm-kitty|xterm-ghostty|foot|alacritty|contour|wezterm)/;

/**
 * True if the terminal says that it has links. tmux passes them on from 3.4 on, to those that have them;
 * `FORCE_HYPERLINK` overrules, as it does in other programs.
 */
export function canLink(environment: Environment): boolean {
	const {FORCE_HYPERLINK: forced = '', TERM_PROGRAM: program} = environment;
	if (forced !== '') return forced !== '0';
	if (program === 'tmux') return versionIn(environment['TERM_PROGRAM_VERSION']) >= 3.4;
	const isWithin = environment['TMUX'] !== undefined || environment['STY'] !== undefined;
	return !isWithin && hasLinks(environment);
}

function hasLinks({TERM = '', TERM_PROGRAM = '', ...environment}: Environment): boolean {
	return (
		programs.has(TERM_PROGRAM) ||
		names.test(TERM) ||
		environment['WT_SESSION'] !== undefined ||
		versionIn(environment['VTE_VERSION']) >= 5000 ||
		versionIn(environment['KONSOLE_VERSION']) >= 201_200
	);
}

function versionIn(text = ''): number {
	return Number(/^\d{1,6}(?:\.\d{1,3})?/.exec(text)?.[0] ?? 0);
}

/** Words that begin as an address of a page, and those that are one: nothing is cut off. */
const words = /https?:\/\/[^\s\p{Cc}]{1,800}/gu;
const whole = /^https?:\/\/[\w.:[\]-]+(?:\/[\w./?=&%+-]*)?$/;

export type LinkedPage = {readonly text: string; readonly address: string};

/** A line in which addresses of pages, and texts that stand for some, are links. */
export function withLinks(line: string, pages: readonly LinkedPage[] = []): string {
	const linkedWords = line.replaceAll(words, word =>
		whole.test(word) ? linked(word, word) : word,
	);
	return pages.reduce(withPage, linkedWords);
}

function withPage(line: string, {text, address}: LinkedPage): string {
	const at = line.indexOf(text);
	// The text may be the beginning of a longer port number.
	if (at === -1 || /^\d/.test(line.slice(at + text.length))) return line;
	return line.slice(0, at) + linked(text, address) + line.slice(at + text.length);
}
