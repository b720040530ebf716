import {expect, test} from 'vitest';
import type {Env} from '../../../source/contract/rules/env.ts';
import {readVolumeOrders, VolumeError} from '../../../source/contract/nouns/volume-search.ts';

const link = {create_new: false, volume_id: 3, mount_path: '/data'};
const make = {create_new: true, volume_id: 3, size: 20, mount_path: '/data', name: 'n'};

test.each<readonly [info: Readonly<Record<string, unknown>> | undefined, orders: unknown]>([
	[undefined, []],
	[{}, []],
	[{create_new: null, volume_id: null, mount_path: null}, []],
	[link, [{path: '/data', volumeId: 3}]],
	[{volume_id: '3', mount_path: '/data/'}, [{path: '/data', volumeId: 3}]],
	[{...link, size: 15, name: 'x'}, [{path: '/data', volumeId: 3}]],
	[{...link, mount_path: '/etcetera'}, [{path: '/etcetera', volumeId: 3}]],
	[{...link, mount_path: '//a/./b..c'}, [{path: '/a/b..c', volumeId: 3}]],
	[make, [{path: '/data', offerId: 3, sizeGb: 20, name: 'n'}]],
	[{...make, size: null, name: null}, [{path: '/data', offerId: 3, sizeGb: 15, name: undefined}]],
	[{...make, create_new: 'true', size: '8'}, [{path: '/data', offerId: 3, sizeGb: 8, name: 'n'}]],
])('volume_info %j asks for %j', (info, orders) => {
	expect(readVolumeOrders(info, [])).toEqual(orders);
});

test('flags of an environment ask for volumes, and others for none', () => {
	const env: Env = [
		['A', 'b'],
		['-v V.5:/a', '1'],
		['-p 80:80', '1'],
		['-v /srv:/b', '1'],
		['-v V.6:/b/c', '1'],
	];
	expect(readVolumeOrders(link, env)).toEqual([
		{path: '/data', volumeId: 3},
		{path: '/a', volumeId: 5},
		{path: '/b/c', volumeId: 6},
	]);
});

test.each<readonly [info: Readonly<Record<string, unknown>>, msg: RegExp]>([
	[{create_new: 'maybe', volume_id: 3, mount_path: '/a'}, /create_new must be true or false/],
	[{mount_path: '/a'}, /volume_id must be a whole number/],
	[{...link, volume_id: -1}, /volume_id must be a whole number/],
	[{...link, volume_id: 1.5}, /volume_id must be a whole number/],
	[{volume_id: 3}, /mount_path must be text/],
	[{...link, mount_path: 'data'}, /must be absolute/],
	[{...link, mount_path: ''}, /must be absolute/],
	[{...link, mount_path: '/'}, /must be absolute, and more/],
	[{...link, mount_path: '//.'}, /must be absolute, and more/],
	[{...link, mount_path: '/a/../etc'}, /must not have \.\./],
	[{...link, mount_path: '/proc'}, /must not be in \/proc, which belongs to the system/],
	[{...link, mount_path: '//./etc/ssh'}, /must not be in \/etc/],
	[{...link, mount_path: '/lib64'}, /must not be in \/lib64/],
	[{...link, mount_path: '/dev/shm'}, /must not be in \/dev/],
	[{...link, mount_path: '/a\0b'}, /control characters/],
	[{...link, mount_path: '/a:ro'}, /colons/],
	[{...link, mount_path: '/\uD800'}, /control characters/],
	[{...link, mount_path: `/${'x'.repeat(1024)}`}, /at most 1024 characters/],
	[{...make, size: 0}, /size must be a whole number/],
	[{...make, size: 1.5}, /size must be a whole number/],
	[{...make, name: 'a b'}, /name: a name has/],
	[{...make, name: 5}, /name: a name has/],
])('volume_info %j is not understood', (info, msg) => {
	expect(() => readVolumeOrders(info, [])).toThrow(VolumeError);
	expect(() => readVolumeOrders(info, [])).toThrow(msg);
});

test.each<readonly [env: Env, msg: RegExp]>([
	[[['-v V.x:/a', '1']], /must be written as -v V\.<id>:<path>/],
	[[['-v V.5', '1']], /must be written as/],
	[[['-v V.5:a', '1']], /must be absolute/],
	[[['-v V.5:/a:ro', '1']], /colons/],
	[[['-v V.3:/other', '1']], /volume 3 cannot be mounted twice/],
	[[['-v V.4:/data/', '1']], /two volumes cannot both be at \/data/],
])('%j beside volume_info is not understood', (env, msg) => {
	expect(() => readVolumeOrders(link, env)).toThrow(msg);
});
