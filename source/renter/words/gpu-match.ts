/** GPU names that a short name stands for, and their short forms. */
import {fit, printable, widthOf} from '../text/text-width.ts';

/** GPUs that are known without having been seen, in the wire's spelling. */
const usualNames: readonly string[] = [
	'RTX 5090',
	'RTX 5080',
	'RTX 5070 Ti',
	'RTX 5070',
	'RTX 5060 Ti',
	'RTX 5060',
	'RTX 4090',
	'RTX 4090D',
	'RTX 4080S',
	'RTX 4080',
	'RTX 4070S Ti',
	'RTX 4070S',
	'RTX 4070 Ti',
	'RTX 4070',
	'RTX 4060 Ti',
	'RTX 4060',
	'RTX 3090 Ti',
	'RTX 3090',
	'RTX 3080 Ti',
	'RTX 3080',
	'RTX 3070 Ti',
	'RTX 3070',
	'RTX 3060 Ti',
	'RTX 3060',
	'RTX 2080 Ti',
	'GTX 1080 Ti',
	'RTX PRO 6000 WS',
	'RTX PRO 6000 S',
	'RTX 6000Ada',
	'RTX 5000Ada',
	'RTX 4000Ada',
	'RTX A6000',
	'RTX A5000',
	'RTX A4500',
	'RTX A4000',
	'Q RTX 8000',
	'Q RTX 6000',
	'B200',
	'H200',
	'H200 NVL',
	'H100 SXM',
	'H100 PCIE',
	'H100 NVL',
	'GH200 SXM',
	'A100 SXM4',
	'A100 PCIE',
	'A100X',
	'L40S',
	'L40',
	'L4',
	'A40',
	'A30',
	'A16',
	'A10',
	'Tesla V100',
	'Tesla P100',
	'Tesla T4',
	'MI300X',
];

/** A GPU by its name, and the forms in which short names are compared with it. */
export type KnownGpu = {
	readonly name: string;
	/** Letters and digits alone: "rtx4090". */
	readonly plain: string;
	/** Without the vendor: "4090". */
	readonly model: string;
	readonly parts: readonly string[];
	/** Joined runs of its parts. */
	readonly runs: ReadonlySet<string>;
};

/** All GPUs that words can mean: those seen, and the usual ones. */
export function knownGpus(names: readonly string[]): readonly KnownGpu[] {
	const spellings = new Map([...usualNames, ...names].map(name => [plainName(name), name]));
	return Array.from(spellings, ([plain, name]) => {
		const parts = name.toLowerCase().split(separators);
		const start = parts.findIndex(part => !vendors.has(part));
		const model = parts.slice(Math.max(0, start)).join('');
		return {name, plain, model, parts, runs: runsOf(parts)};
	});
}

const separators = /[^\p{L}\p{N}]+/u;

const vendors: ReadonlySet<string> = new Set(
	'nvidia geforce amd radeon instinct rtx gtx tesla quadro q'.split(' '),
);

const MOST_PARTS = 6;

function runsOf(parts: readonly string[]): ReadonlySet<string> {
	const few = parts.slice(0, MOST_PARTS);
	return new Set(
		few.flatMap((_, start) =>
			few.slice(start).map((__, more) => few.slice(start, start + more + 1).join('')),
		),
	);
}

/** Letters and digits alone, in lower case. */
export function plainName(name: string): string {
	return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** True if a word only names a vendor's line: `rtx` in `rtx 4090`. */
export const isVendor = (word: string): boolean => vendors.has(word.toLowerCase());

/** Fewest letters of a prefix: a shorter one would match nearly everything. */
const LEAST_BEGINNING = 3;

function startsWith({plain, parts}: KnownGpu, wanted: string): boolean {
	if (wanted.length < LEAST_BEGINNING || !/\d/.test(wanted)) return false;
	return plain.startsWith(wanted) || parts.some(part => part.startsWith(wanted));
}

/**
 * The GPUs that a short name means, by the closest match: `3080` is the RTX 3080 and not the RTX
 * 3080 Ti, `h100` every H100, `409` the RTX 4090 and the RTX 4090D.
 */
export function matchGpus(known: readonly KnownGpu[], text: string): readonly string[] {
	const wanted = plainName(text);
	if (wanted === '') return [];
	const ways: ReadonlyArray<(gpu: KnownGpu) => boolean> = [
		({plain}) => plain === wanted,
		({model}) => model === wanted,
		({runs}) => runs.has(wanted),
		gpu => startsWith(gpu, wanted),
	];
	for (const isMeant of ways) {
		const meant = known.filter(isMeant).map(({name}) => name);
		if (meant.length > 0) return meant.toSorted();
	}
	return [];
}

/** Words after a number that make it another model. */
const variants = /^(?:Ti|S|D|SUPER|XT|XTX|GRE)$/i;

type Parts = {
	/** The words before the number, without the vendor: "PRO". */
	readonly line: readonly string[];
	/** "4090", "3080 Ti", "H100". */
	readonly model: readonly string[];
	/** Form factor: "PCIE", "SXM", "WS". */
	readonly build: readonly string[];
};

function partsOf(name: string): Parts {
	const words = name.split(/[\s_-]+/).filter(word => word !== '');
	const at = words.findIndex(word => /\d/.test(word));
	if (at === -1) return {line: [], model: words, build: []};
	const behind = words.slice(at + 1);
	const other = behind.findIndex(word => !variants.test(word));
	const end = at + 1 + (other === -1 ? behind.length : other);
	return {
		line: words.slice(0, at).filter(word => !isVendor(word)),
		model: words.slice(at, end),
		build: words.slice(end),
	};
}

/**
 * The name in so many columns: whole, without its vendor, without the words before its number,
 * without blanks, with its build cut off, and at last its number alone.
 *
 * @param amount text before it, such as "8x"
 */
export function gpuNameWithin(name: string, width: number, amount = ''): string {
	const whole = printable(name).trim();
	const {line, model, build} = partsOf(whole);
	const start = amount === '' ? '' : `${amount} `;
	const bare = amount + model.join('');
	const forms = [
		start + whole,
		start + [...line, ...model, ...build].join(' '),
		start + [...model, ...build].join(' '),
		bare + build.join(''),
	];
	const form = forms.find(text => widthOf(text) <= width);
	if (form !== undefined) return form;
	if (widthOf(bare) < width) return fit(bare + build.join(''), width).trimEnd();
	return widthOf(bare) === width ? bare : fit(model.join(''), width).trimEnd();
}
