import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {releasedVersion} from '../../build/version.ts';

const root = join(import.meta.dirname, '..', '..');

test('the version of a release is the newest of the change log, and npm is told the same', () => {
	expect(releasedVersion('# Changes\n\n## 1.2.3\n\n- a\n\n## 1.2.2\n')).toBe('1.2.3');
	expect(() => releasedVersion('# Changes\n')).toThrow('no heading');
	for (const name of ['package.json', 'package-lock.json']) {
		const told = /"version": "([^"]+)"/.exec(readFileSync(join(root, name), 'utf8'))?.[1];
		expect([name, told]).toEqual([name, releasedVersion()]);
	}
});
