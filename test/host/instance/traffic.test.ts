import {mkdirSync, rmdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {siteOf} from '../../../source/host/instance/site.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openHandEngine} from '../../helpers/hand-engine.ts';

test('traffic is counted once when a stop is tried again because the disk was full', async () => {
	using folder = openFolder();
	const host = openHandEngine(folder.path).openHost();
	await host.run();
	expect(await host.tells(1000)).toBe(1000);
	// Nothing can be written in its place, as on a full disk.
	const blocked = `${siteOf(folder.path, 7).record}.new`;
	mkdirSync(blocked);
	for (let tries = 0; tries < 3; tries += 1) await expect(host.stop(7)).rejects.toThrow('EISDIR');
	rmdirSync(blocked);
	await host.stop(7);
	await host.run({boot: 2});
	expect(await host.tells(50)).toBe(1050);
	await host.close();
});
