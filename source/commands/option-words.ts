/** Options that take a value, and the word behind them. */

export type OptionKinds = Readonly<
	Record<string, {readonly type: 'string' | 'boolean'; readonly short?: string}>
>;

/**
 * Joins an option that takes a value with the next word, whatever that begins with: `parseArgs` by
 * itself refuses one that begins with a dash, as Docker's flags do.
 *
 * @throws Error where the next word is an option itself, so that the value was forgotten
 */
export function joinValues(argv: readonly string[], options: OptionKinds): readonly string[] {
	const joined: string[] = [];
	for (let at = 0; at < argv.length; at++) {
		const word = argv[at] ?? '';
		if (word === '--') return [...joined, ...argv.slice(at)];
		const name = valueless(word, options);
		const next = argv[at + 1];
		if (name === undefined || next === undefined) {
			joined.push(word);
			continue;
		}
		if (isOption(next, options)) throw new Error(forgotten(name, next));
		const others = word.startsWith('--') ? '-' : word.slice(0, -1);
		joined.push(...(others === '-' ? [] : [others]), `--${name}=${next}`);
		at++;
	}
	return joined;
}

/** The option whose value is the next word: `--label`, `-i`, or the last of several letters, `-fn`. */
function valueless(word: string, options: OptionKinds): string | undefined {
	if (word.startsWith('--')) {
		const name = word.slice(2);
		return Object.hasOwn(options, name) && options[name]?.type === 'string' ? name : undefined;
	}
	if (!word.startsWith('-')) return undefined;
	const letters = word.slice(1).split('');
	const named = letters.map(letter => optionName(letter, options));
	const first = named.findIndex(name => name !== undefined && options[name]?.type === 'string');
	// Letters behind it would be its value.
	return first === letters.length - 1 ? named[first] : undefined;
}

function optionName(letter: string, options: OptionKinds): string | undefined {
	return Object.keys(options).find(name => options[name]?.short === letter);
}

function isOption(word: string, options: OptionKinds): boolean {
	if (word === '--') return true;
	const [long] = word.slice(2).split('=');
	if (word.startsWith('--')) return Object.hasOwn(options, long ?? '');
	return (
		word.length === 2 && word.startsWith('-') && optionName(word.slice(1), options) !== undefined
	);
}

function forgotten(name: string, next: string): string {
	const why = next === '--' ? 'ends the options' : 'is an option itself';
	return `--${name} needs a value, and ${next} ${why}: --${name}=${next} would give it as the value`;
}
