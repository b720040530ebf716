/** Work of a copy whose target has as many parts of files as its source has files. */
import process from 'node:process';
import {expect, test} from 'vitest';
import {createCopyNames} from '../../../source/host/copies/names.ts';
import {createCopySpace, copyTree} from '../../../source/host/copies/tree.ts';
import {folderInside} from '../../../source/host/inside/inside.ts';
import {ownFiles} from '../../../source/host/inside/own-files.ts';
import {systemScheduler as scheduler} from '../../../source/host/base/scheduler.ts';
import type {RemoteFiles} from '../../../source/host/ssh/remote-files.ts';
import {openFolder} from '../../helpers/folder.ts';

const FILE = {kind: 'file', size: 1, mtime: 1, mode: 0o644} as const;

/** A source of so many files that sends none of them. */
function sourceOf(count: number): RemoteFiles {
	return {
		stat: async () => ({...FILE, name: '', kind: 'folder'}),
		async *list() {
			yield Array.from({length: count}, (_, id) => ({...FILE, name: `file${id}`}));
		},
		readLink: async () => '',
		read: async () => Promise.reject(new Error('the line is broken')),
		close: () => undefined,
	};
}

async function workWith(count: number): Promise<number> {
	using target = openFolder();
	const space = createCopySpace(1e6);
	for (let id = 0; id < count; id += 1) space.start(`/.file${id}.2-2.part`, 0);
	const to = ownFiles(folderInside(target.path));
	const names = createCopyNames()();
	const rest = {mostBytes: 1e6, space, names, scheduler, report: () => undefined};
	const before = process.threadCpuUsage();
	const copied = copyTree(sourceOf(count), to, {source: '/', target: '/', ...rest});
	await expect(copied).rejects.toThrow('the line is broken');
	const {user, system} = process.threadCpuUsage(before);
	return (user + system) / 1000;
}

test('parts of files at the target take no more than their number, however many files there are', async () => {
	const few = Math.min(await workWith(300), await workWith(300));
	expect(await workWith(3000)).toBeLessThan(40 * Math.max(few, 2));
});
