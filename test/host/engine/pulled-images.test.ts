import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {EngineError, type EngineRequest} from '../../../source/host/engine/engine.ts';
import {openPulledImages} from '../../../source/host/engine/pulled-images.ts';
import {openFolder} from '../../helpers/folder.ts';

const HOUR_MS = 3_600_000;

/** An engine with images of 10 % of its disk each, on a clock that is moved by hand. */
function openDisk(
	images: readonly string[],
	used: readonly string[] = [],
	kept: readonly string[] = [],
) {
	const folder = openFolder();
	const there = new Set(images);
	const log: string[] = [];
	let now = HOUR_MS;
	async function ask({method, path}: EngineRequest) {
		const name = path.replace('/images/', '');
		if (method !== 'DELETE') return {};
		if (used.includes(name)) throw new EngineError('image is in use by a container', 409);
		if (!there.delete(name)) throw new EngineError('no such image', 404);
		return [];
	}
	const options = {
		engine: {ask},
		folder: folder.path,
		kept,
		log: (line: string) => void log.push(line),
		now: () => now,
		free: async () => (10.5 - there.size) / 10,
	};
	return {
		options,
		there,
		log,
		pass: (hours: number) => (now += hours * HOUR_MS),
		kept: () => readFileSync(join(folder.path, 'pulled-images.json'), 'utf8'),
		[Symbol.dispose]: folder[Symbol.dispose],
	};
}

const ten = Array.from({length: 10}, (_, index) => `lab/image:${index}`);

test('the longest unused of its own images go until there is room, and others stay', async () => {
	using disk = openDisk(ten);
	const images = openPulledImages(disk.options);
	for (const name of ['lab/image:3', 'lab/image:1', 'lab/image:2']) {
		await images.use(name, true);
		disk.pass(1);
	}
	await images.use('lab/image:0', false);
	await images.use('lab/image:3', false);
	disk.pass(1);
	await images.freeSpace();
	expect([...disk.there]).not.toContain('lab/image:1');
	expect(disk.there.size).toBe(9);
	await images.freeSpace();
	expect(disk.there.size).toBe(9);
	expect(disk.log).toEqual([
		'Image lab/image:1 was removed: the disk is nearly full, and nobody uses it.',
	]);
	// The next agent knows which are its own.
	await openPulledImages(disk.options).freeSpace(5);
	expect(ten.filter(name => !disk.there.has(name))).toEqual([
		'lab/image:1',
		'lab/image:2',
		'lab/image:3',
	]);
});

test('an image that a container has, that was asked for just now, or that is kept warm is never removed', async () => {
	using disk = openDisk(ten, ['lab/image:1'], ['lab/image:2']);
	const images = openPulledImages(disk.options);
	await images.use('lab/image:1', true);
	await images.use('lab/image:2', true);
	disk.pass(1);
	await images.use('lab/image:3', true);
	await images.freeSpace(10);
	expect(disk.there.size).toBe(10);
	disk.pass(1);
	await images.freeSpace(10);
	expect(ten.filter(name => !disk.there.has(name))).toEqual(['lab/image:3']);
});

test('where nobody knows how full the disk is, only an image that finds no space makes room', async () => {
	using disk = openDisk(ten);
	const images = openPulledImages({...disk.options, free: async () => undefined});
	for (const name of ten) await images.use(name, true);
	disk.pass(1);
	await images.freeSpace();
	expect(disk.there.size).toBe(10);
	await images.freeSpace(1);
	expect(disk.there.size).toBe(9);
	expect(disk.kept()).not.toContain('lab/image:0');
});
