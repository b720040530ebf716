/** Names of GPUs, for recognising the same model in drivers and services. */

/** Searchable name of a GPU: `NVIDIA H100 80GB HBM3` is `H100 SXM`. */
export function gpuName(name: string): string {
	const bare = name
		.replace(/^NVIDIA\s+/i, '')
		.replace(/^(GeForce|Tesla|Quadro)\s+/i, '')
		.trim();
	const known = markets.find(([pattern]) => pattern.test(bare));
	return known === undefined ? bare.replace(/-/g, ' ').slice(0, 128) : known[1];
}

const markets: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
	[/^H100 80GB HBM3/, 'H100 SXM'],
	[/^H100 NVL/, 'H100 NVL'],
	[/^H100 PCIe/, 'H100 PCIE'],
	[/^H200 NVL/, 'H200 NVL'],
	[/^H200/, 'H200'],
	[/^B200/, 'B200'],
	[/^A100-SXM/, 'A100 SXM4'],
	[/^A100(?:-| )PCIE/i, 'A100 PCIE'],
];

/** Words that distinguish GPUs of the same number. */
const kinds = ['TI', 'SUPER', 'MAX', 'LAPTOP', 'MOBILE', 'MIG', 'PRO'] as const;
/** Board forms, which not every service names. */
const forms = ['SXM', 'PCIE', 'NVL', 'ADA'] as const;

/**
 * Compares two names of GPUs from any driver or service: `unsure` if only one includes the board
 * form.
 */
export function compareGpuNames(one: string, other: string): 'same' | 'other' | 'unsure' {
	const [a, b] = [partsOf(one), partsOf(other)];
	if (a.whole === b.whole) return 'same';
	if (a.model === '' || b.model === '') return 'unsure';
	if (a.model !== b.model || a.kinds.join() !== b.kinds.join()) return 'other';
	if (a.forms.join() === b.forms.join()) return 'same';
	return a.forms.length > 0 && b.forms.length > 0 ? 'other' : 'unsure';
}

/** Suffixes such as `4070S`, `4080TI` and `6000ADA` in services' spellings. */
const suffixes = {S: 'SUPER', TI: 'TI', SUPER: 'SUPER', ADA: 'ADA'} as const;
const SUFFIX = /(?<=^\d{4})(S|TI|SUPER|ADA)$/;

function partsOf(name: string) {
	const words = gpuName(name.replaceAll('_', ' '))
		.toUpperCase()
		.split(/[^A-Z\d]+/)
		.filter(word => word !== '')
		.flatMap(word => {
			const suffix = SUFFIX.exec(word)?.[0];
			if (suffix === undefined) return [word];
			const said = Object.entries(suffixes).find(([short]) => short === suffix)?.[1] ?? suffix;
			return [word.slice(0, -suffix.length), said];
		});
	const has = (kind: string) => words.some(word => word.replace(/\d$/, '') === kind);
	return {
		whole: words.join(' '),
		// The first word with a digit that is no memory size: H100, 4090, A6000, MI300X.
		model: words.find(word => /\d/.test(word) && !/^(?:\d+GB?|SXM\d)$/.test(word)) ?? '',
		kinds: kinds.filter(has),
		forms: forms.filter(has),
	};
}
