import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const changes = join(import.meta.dirname, '..', 'CHANGELOG.md');

/** Version that is built and released: the newest that CHANGELOG.md tells users of. */
export function releasedVersion(text: string = readFileSync(changes, 'utf8')): string {
	const [, version] = /^## (\d+\.\d+\.\d+)\b/m.exec(text) ?? [];
	if (version === undefined) throw new Error('CHANGELOG.md has no heading such as "## 0.1.0"');
	return version;
}
