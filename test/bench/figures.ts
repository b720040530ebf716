/** Prints how large the program is, beside the sizes that were kept last; `--keep` keeps these. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {measureSizes} from '../helpers/sizes.ts';

const file = join(import.meta.dirname, 'figures.json');

const measured = measureSizes();
if (process.argv.includes('--keep')) {
	writeFileSync(file, `${JSON.stringify(measured, undefined, '\t')}\n`);
} else {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this program writes it
	const kept = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, number>>;
	for (const [name, size] of Object.entries(measured)) {
		console.log(`${String(size).padStart(8)}  ${name} (kept: ${kept[name] ?? 'none'})`);
	}
}
