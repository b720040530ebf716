import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findLocalKeys, isRegistered} from '../../../source/renter/connect/keys.ts';
import {openFolder} from '../../helpers/folder.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';

test.each([
	[{}, true],
	[{deleted_at: null}, true],
	[{deleted_at: ''}, true],
	[{deleted_at: 0}, true],
	[{deleted_at: '2026-11-21T12:00:00Z'}, false],
	[{deleted_at: 1_795_000_000}, false],
])('a key with %j is registered: %s', (key, expected) => {
	expect(isRegistered(key)).toBe(expected);
});

test('what is no file among the public keys of a home is passed over, and nobody waits for it', async () => {
	using home = openFolder();
	const folder = join(home.path, '.ssh');
	mkdirSync(join(folder, 'folder.pub'), {recursive: true});
	expect(spawnSync('mkfifo', [join(folder, 'pipe.pub')]).status).toBe(0);
	writeFileSync(join(folder, 'laptop.pub'), sshKeyText(1, 'laptop'));
	const keys = await findLocalKeys({HOME: home.path});
	expect(keys.map(({file}) => file)).toEqual([join(folder, 'laptop.pub')]);
});
