/**
 * Reads lines of values with commas between them, the first of which names the values. A name may
 * have its unit behind it, as `memory.total [MiB]`. Lines with too few values are left out.
 */
export function readCsv(text: string): ReadonlyArray<ReadonlyMap<string, string>> {
	const [header = '', ...lines] = text.split('\n');
	const names = valuesOf(header).map(name => name.replace(/(?<!\s)\s*\[[^[\]]*\]$/, ''));
	return lines
		.map(valuesOf)
		.filter(values => values.length === names.length && names.length > 1)
		.map(values => new Map(values.map((value, index) => [names[index] ?? '', value])));
}

function valuesOf(line: string): readonly string[] {
	return line.split(',').map(value => value.trim());
}
