/** The figures that docs/performance.md keeps, and those of a run that are worse. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const file = join(import.meta.dirname, '..', '..', 'docs', 'performance.md');
/** A run on a busy machine differs by less. */
const MOST_WORSE = 1.1;

/** Figures by their names: the first two cells of each row of the table. Smaller is better. */
export function readKept(text: string): ReadonlyMap<string, number> {
	const rows = text.matchAll(/^\| ([^|]+?) +\| +([\d.,]+) +\|/gm);
	return new Map(
		[...rows].map(([, name = '', value = '']) => [name, Number(value.replace(',', ''))]),
	);
}

/** Says which figures got worse by more than a tenth. */
export function worseThanKept(
	kept: ReadonlyMap<string, number>,
	measured: ReadonlyMap<string, number>,
): readonly string[] {
	return [...measured].flatMap(([name, value]) => {
		const before = kept.get(name);
		if (before === undefined || value <= before * MOST_WORSE) return [];
		return `${name}: ${value.toFixed(1)}, and ${before} is kept`;
	});
}

export function sayWorse(measured: ReadonlyMap<string, number>): void {
	const worse = worseThanKept(readKept(readFileSync(file, 'utf8')), measured);
	if (worse.length > 0) console.log(`\nWORSE by more than a tenth:\n  ${worse.join('\n  ')}`);
	else console.log('\nNothing is worse by more than a tenth than what docs/performance.md keeps.');
	for (const [name, value] of measured) console.log(`| ${name} | ${value.toFixed(1)} |`);
}
