import {expect, test} from 'vitest';
import {planMountPoints} from '../../../source/host/sandbox/bubblewrap.ts';

const workspace = {folder: '/host/workspace', path: '/workspace'};

test('a volume within a folder that is written to inside is mounted apart, whatever its name', () => {
	for (const name of ['data', '..data', 'deep/..data']) {
		const asked = {folder: '/host/volumes/3', path: `/workspace/${name}`};
		expect(planMountPoints([workspace], [asked])).toEqual({
			mounts: [{folder: asked.folder, path: '/run/volumes/3'}],
			links: [{folder: workspace.folder, path: name, target: '/run/volumes/3'}],
		});
	}
});

test('a volume beside them is mounted where it is asked for, unless the machine has a folder there', () => {
	const beside = {folder: '/host/volumes/3', path: '/workspace-2'};
	const reserved = {folder: '/host/volumes/4', path: '/etc/data'};
	expect(planMountPoints([workspace], [beside, reserved])).toEqual({
		mounts: [beside, {folder: reserved.folder, path: '/run/volumes/4'}],
		links: [],
	});
});
