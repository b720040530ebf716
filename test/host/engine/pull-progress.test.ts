import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createPullProgress} from '../../../source/host/engine/pull-progress.ts';

/** What Docker says while it pulls an image of two layers. */
const lines = [
	{status: 'Pulling from library/ubuntu', id: '24.04'},
	{status: 'Already exists', progressDetail: {}, id: 'aaa'},
	{status: 'Pulling fs layer', progressDetail: {}, id: 'bbb'},
	{status: 'Downloading', progressDetail: {current: 3_400_000, total: 29_700_000}, id: 'bbb'},
	{status: 'Download complete', progressDetail: {}, id: 'bbb'},
	{status: 'Extracting', progressDetail: {current: 1, total: 29_700_000}, id: 'bbb'},
	{status: 'Pull complete', progressDetail: {}, id: 'bbb'},
	{status: 'Digest: sha256:1e62'},
	{status: 'Status: Downloaded newer image for ubuntu:24.04'},
];

test('progress is told in percent, layers and megabytes, as far as they are known', () => {
	const progress = createPullProgress('ubuntu:24.04');
	const told = lines.map(line => {
		progress.take(line);
		return progress.message();
	});
	expect(told).toEqual([
		'Pulling image: ubuntu:24.04',
		'Pulling image: 1 of 1 layers',
		'Pulling image: 1 of 2 layers',
		'Pulling image: 11%, 1 of 2 layers, 3.4 of 30 MB',
		'Pulling image: 99%, 1 of 2 layers, 30 of 30 MB',
		'Pulling image: 99%, 1 of 2 layers, 30 of 30 MB',
		'Pulling image: 100%, 2 of 2 layers, 30 of 30 MB',
		'Pulling image: 100%, 2 of 2 layers, 30 of 30 MB',
		'Pulling image: 100%, 2 of 2 layers, 30 of 30 MB',
	]);
	expect(progress.problem()).toBeUndefined();
});

test('the percentage of a pull does not fall when more layers are known', () => {
	const progress = createPullProgress('x');
	const told = (id: string, current: number) => {
		progress.take({status: 'Downloading', id, progressDetail: {current, total: 1000}});
		return /(\d+)%/.exec(progress.message())?.[1];
	};
	expect([told('a', 500), told('b', 10), told('b', 900)]).toEqual(['50', '50', '70']);
});

test('what went wrong is said in the words of the engine, however it writes them', () => {
	const docker = createPullProgress('x');
	docker.take({errorDetail: {message: 'manifest unknown'}, error: 'manifest unknown'});
	docker.take({status: 'Waiting', id: 'aaa'});
	expect(docker.problem()).toBe('manifest unknown');
	const other = createPullProgress('x');
	other.take({error: 'denied'});
	expect(other.problem()).toBe('denied');
});

test('whatever an engine sends, there is a short message', () => {
	const detail = fc.record({current: fc.anything(), total: fc.anything()});
	const line = fc.record({
		status: fc.constantFrom('Downloading', 'Pull complete', 'Waiting', 'x', 7),
		id: fc.constantFrom('aaa', 'bbb', '__proto__', 3),
		progressDetail: fc.oneof(detail, fc.anything()),
	});
	fc.assert(
		fc.property(fc.array(fc.oneof(line, fc.anything())), all => {
			const progress = createPullProgress('x');
			for (const each of all) progress.take(each);
			expect(progress.message()).toMatch(/^Pulling image: .{1,900}$/);
		}),
	);
});
