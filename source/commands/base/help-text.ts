/** Texts of `--help`: options with what they do, each beside its name. */
import {wrapText} from '../../renter/text/wrap.ts';

/** An option as `--help` writes it; one without `about` is left out of the list. */
type HelpOption = {
	readonly type?: string;
	readonly value?: string;
	readonly short?: string;
	readonly about?: string;
};

const TITLES = 22;
const WIDTH = 100;

export function optionLines(options: Readonly<Record<string, HelpOption>>): readonly string[] {
	return Object.entries(options).flatMap(([name, option]) => {
		if (option.about === undefined) return [];
		const title = `  ${writeOption(name, option)}`;
		const [first = '', ...more] = wrapText(option.about, WIDTH - TITLES);
		const indented = more.map(line => ' '.repeat(TITLES) + line);
		// A long title has its description below it.
		return title.length < TITLES
			? [title.padEnd(TITLES) + first, ...indented]
			: [title, ' '.repeat(TITLES) + first, ...indented];
	});
}

/** `-f, --follow`, `--disk GB`. */
export function writeOption(name: string, {value, short}: HelpOption): string {
	const flag = value === undefined ? `--${name}` : `--${name} ${value}`;
	return short === undefined ? flag : `-${short}, ${flag}`;
}

export function usageText(
	head: string,
	options: Readonly<Record<string, HelpOption>>,
	rest?: string,
): string {
	return [head, '', ...optionLines(options), ...(rest === undefined ? [] : ['', rest]), ''].join(
		'\n',
	);
}

/** Options by which a program reaches the market that it belongs to. */
export const marketFlags = ({market, key}: {readonly market: string; readonly key: string}) =>
	({
		market: {type: 'string', value: 'URL', about: market},
		'key-file': {type: 'string', value: 'FILE', about: `a file that holds nothing but ${key}`},
		ca: {
			type: 'string',
			value: 'FILE',
			about: "the certificate of a private authority, in PEM, that has signed the market's own",
		},
	}) as const;

export const helpFlag = {
	help: {type: 'boolean', short: 'h', about: 'this text'},
} as const;
