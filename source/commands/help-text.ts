/** Texts of `--help`: options with what they do, each beside its name. */

/** What is said of an option; without `about` it is named elsewhere in the text. */
type Said = {
	/** Whether it takes a value, for the parser. */
	readonly type?: string;
	/** Placeholder of its value. */
	readonly value?: string;
	readonly short?: string;
	readonly about?: string;
};

const TITLES = 22;
const WIDTH = 100;

/** A line or more for each option that says what it does. */
export function optionLines(options: Readonly<Record<string, Said>>): readonly string[] {
	return Object.entries(options).flatMap(([name, option]) => {
		if (option.about === undefined) return [];
		const title = `  ${writeOption(name, option)}`;
		const [first = '', ...more] = wrapped(option.about, WIDTH - TITLES);
		const indented = more.map(line => ' '.repeat(TITLES) + line);
		// A long title has its description below it.
		return title.length < TITLES
			? [title.padEnd(TITLES) + first, ...indented]
			: [title, ' '.repeat(TITLES) + first, ...indented];
	});
}

/** `-f, --follow`, `--disk GB`. */
export function writeOption(name: string, {value, short}: Said): string {
	const flag = value === undefined ? `--${name}` : `--${name} ${value}`;
	return short === undefined ? flag : `-${short}, ${flag}`;
}

/** Words in lines of at most `width` columns. */
function wrapped(words: string, width: number): readonly string[] {
	const lines = [''];
	for (const word of words.split(' ')) {
		const line = lines.at(-1) ?? '';
		if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
		else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
	}
	return lines;
}

/** How a program is used, its options, and what else there is to know. */
export function usageText(
	head: string,
	options: Readonly<Record<string, Said>>,
	rest?: string,
): string {
	return [head, '', ...optionLines(options), ...(rest === undefined ? [] : ['', rest]), ''].join(
		'\n',
	);
}

export const helpFlag = {
	help: {type: 'boolean', short: 'h', about: 'this text'},
} as const;
