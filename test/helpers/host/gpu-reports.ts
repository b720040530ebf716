import {readFileSync} from 'node:fs';
import {join} from 'node:path';

/** What `nvidia-smi -q` prints on a machine, as published or as its format is known. */
export function reportOf(machine: 'h100-sxm-2' | 'v100-old-driver'): string {
	return readFileSync(
		join(import.meta.dirname, '..', '..', 'fixtures', 'gpu-reports', `${machine}.txt`),
		'utf8',
	);
}

/** The same with other values of its last GPU, each a title and what stands behind it. */
export function withFault(report: string, faults: Readonly<Record<string, string>>): string {
	return Object.entries(faults).reduce((text, [title, value]) => {
		const at = text.lastIndexOf(`${title} `);
		if (at < 0) throw new Error(`the report has no ${title}`);
		return text.slice(0, at) + text.slice(at).replace(/:.*/, `: ${value}`);
	}, report);
}
