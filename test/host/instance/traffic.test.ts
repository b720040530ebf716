import {mkdirSync, rmdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {siteOf} from '../../../source/host/instance/site.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openHandEngine} from '../../helpers/host/hand-engine.ts';
import {workOf} from '../../helpers/host/host.ts';

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

test('traffic of a start whose end no agent saw is counted by the next one', async () => {
	using folder = openFolder();
	const {container, openHost} = openHandEngine(folder.path);
	const before = openHost();
	await before.run();
	await before.tells(1000);
	await before.stop(7);
	await before.run({boot: 2});
	expect(await before.tells(50)).toBe(1050);
	await before.close();
	container.isRunning = false;
	const after = openHost();
	await after.adopt([workOf({boot: 2})]);
	await after.stop(7);
	await after.run({boot: 3});
	expect(await after.tells(3)).toBe(1053);
	await after.close();
});

test('traffic of a container that another agent takes up goes on, and a new container has none', async () => {
	using folder = openFolder();
	const {openHost} = openHandEngine(folder.path);
	const before = openHost();
	await before.run();
	await before.tells(1000);
	await before.close();
	const after = openHost();
	await after.adopt([workOf()]);
	expect(await after.tells(1200)).toBe(1200);
	await after.remove(7, true);
	await after.run({boot: 2, container: 2});
	expect(await after.tells(3)).toBe(3);
	await after.close();
});

test('nothing is told of traffic that an engine does not count', async () => {
	using folder = openFolder();
	const host = openHandEngine(folder.path).openHost();
	await host.run();
	await host.tells(1000);
	expect(await host.tells(undefined)).toBeUndefined();
	expect(await host.tells(1100)).toBe(1100);
	await host.close();
});
